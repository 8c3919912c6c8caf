import { escapeAttribute, escapeText } from '../../../content/html/references.ts'
import { type HtmlNode, isElement, parseFragment } from '../../../content/html/tree.ts'
import { type CmsDeps, type Got, got } from '../http.ts'
import type { WixApi } from './api.ts'
import { htmlToRicos } from './ricos.ts'
import type { RicosDocument, RicosNode } from './types.ts'

type Element = { tag: string; attributes: Record<string, string>; children: Node[] }
/** A text, its character references read. */
type Node = Element | string

const NOTHING: ReadonlySet<string> = new Set()

const nodeOf = (node: HtmlNode): Node =>
  isElement(node) ? { ...node, children: node.children.map(nodeOf) } : node.text

/** Returns an HTML fragment as a tree of all its elements; those not closed end where their parent does. */
const treeOf = (html: string): Element => ({
  tag: '',
  attributes: {},
  children: parseFragment(html, NOTHING).map(nodeOf),
})

/** A part of a fragment. `joins`: it goes on with the element the part before it was cut in. */
type HtmlPart = { html: string; joins: boolean }

const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
/** Least room for the inside of an element, however long its tags are. */
const MIN_ROOM = 1_000

const opening = ({ tag, attributes }: Element): string => {
  const given = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`)
  return `<${tag}${given.join('')}>`
}

const closing = ({ tag }: Element): string => (VOID.has(tag) ? '' : `</${tag}>`)

const rendered = (node: Node): string =>
  typeof node === 'string'
    ? escapeText(node)
    : `${opening(node)}${node.children.map(rendered).join('')}${closing(node)}`

/** Returns a long text in pieces that end at a blank if there is one. One character is at most five when escaped. */
const textPieces = (text: string, max: number): string[] => {
  const pieces: string[] = []
  const size = Math.floor(max / 5)
  for (let at = 0; at < text.length; ) {
    const blank = text.lastIndexOf(' ', at + size)
    const end = at + size >= text.length ? text.length : blank > at ? blank : at + size
    pieces.push(escapeText(text.slice(at, end)))
    at = end
  }
  return pieces
}

const piecesOf = (node: Node, max: number): string[] => {
  if (typeof node === 'string') return textPieces(node, max)
  const open = opening(node)
  const close = closing(node)
  return cut(node.children, Math.max(MIN_ROOM, max - open.length - close.length)).map(
    ({ html }) => `${open}${html}${close}`,
  )
}

const cut = (nodes: readonly Node[], max: number): HtmlPart[] => {
  const parts: HtmlPart[] = []
  let current = ''
  const end = () => {
    if (current !== '') parts.push({ html: current, joins: false })
    current = ''
  }
  for (const node of nodes) {
    const html = rendered(node)
    if (current.length + html.length > max) end()
    if (html.length <= max) current += html
    else parts.push(...piecesOf(node, max).map((piece, n) => ({ html: piece, joins: n > 0 })))
  }
  end()
  return parts
}

/**
 * Returns a fragment in parts of at most `max` characters that end where blocks do. A single block that is longer is cut within:
 * lists between items, tables between rows, text at blanks. A fragment that is short enough stays as it is.
 */
export const splitHtml = (html: string, max: number): HtmlPart[] =>
  html.length <= max ? [{ html, joins: false }] : cut(treeOf(html).children, max)

/** Wix's converter takes 30,000 characters at a time (seen); one page of its documentation says 10,000. */
const MAX_HTML = 28_000
const SMALLER_HTML = 9_500
/** A burst of conversions is held back by a 403 without a word; after a moment it goes on. */
const THROTTLE_WAITS_MS = [2_000, 5_000]

/** Converts one part by Wix, again after a wait where Wix held it back. */
const convertPart = async (api: WixApi, deps: CmsDeps, html: string): Promise<Got<{ document: RicosDocument }>> => {
  let converted = await api.toRicos(html)
  for (const waitMs of THROTTLE_WAITS_MS) {
    if (converted.kind !== 'refused' || converted.code !== 'rate_limited' || converted.httpStatus !== 403) break
    await deps.sleep(waitMs)
    converted = await api.toRicos(html)
  }
  return converted
}

/** True if Wix refused a part for its length, and would take it in smaller ones. */
const isTooLong = (converted: Got<unknown>, html: string): boolean =>
  html.length > SMALLER_HTML && converted.kind === 'refused' && /\blength|too long/i.test(converted.reason)

/** Joins the nodes of a part to those before it; one element that was cut in two becomes one again where it is a list. */
const append = (nodes: RicosNode[], more: readonly RicosNode[], joins: boolean): void => {
  const last = nodes.at(-1)
  const [first, ...rest] = more
  const isOneList = joins && last && first && last.type === first.type && /_LIST$/.test(first.type)
  if (isOneList) {
    last.nodes = [...(last.nodes ?? []), ...(first.nodes ?? [])]
    nodes.push(...rest)
  } else nodes.push(...more)
}

/**
 * A text as Ricos by Wix's own converter, part by part. What Wix does not convert, ours does, in which players are links; a note
 * says so.
 */
export const toRicos = async (
  api: WixApi,
  deps: CmsDeps,
  html: string,
  max = MAX_HTML,
): Promise<Got<{ document: RicosDocument; notes: string[] }>> => {
  const nodes: RicosNode[] = []
  const notes: string[] = []
  let document: RicosDocument | undefined
  for (const [n, part] of splitHtml(html, max).entries()) {
    const converted = await convertPart(api, deps, part.html)
    if (isTooLong(converted, part.html)) return await toRicos(api, deps, html, SMALLER_HTML)
    // A 403 that stays may be a right the key lacks: then no later attempt would do better.
    if (converted.kind === 'refused' && converted.retryable && converted.httpStatus !== 403) return converted
    if (converted.kind !== 'got' && notes.length === 0)
      notes.push(`The text was converted without Wix, so players are links: ${converted.reason}`)
    const made: RicosDocument = converted.kind === 'got' ? converted.value.document : ownRicos(part, n)
    append(nodes, made.nodes, part.joins)
    document ??= made
  }
  return got({ document: { ...document, nodes }, notes })
}

const ownRicos = ({ html }: HtmlPart, n: number): RicosDocument => htmlToRicos(html, `p${n}-`)
