import { escapeAttribute, escapeText } from '../../../content/html/references.ts'
import { type HtmlNode, isElement, parseFragment } from '../../../content/html/tree.ts'
import { type CmsDeps, type Got, got } from '../http.ts'
import type { WixApi } from './api.ts'
import { htmlToRicos } from './ricos.ts'
import type { RicosDocument, RicosNode } from './types.ts'

type Element = { tag: string; attributes: Record<string, string>; children: Node[] }
/** An element, or a text with decoded character references. */
type Node = Element | string

const NOTHING: ReadonlySet<string> = new Set()

const nodeOf = (node: HtmlNode): Node =>
  isElement(node) ? { ...node, children: node.children.map(nodeOf) } : node.text

/** Returns an HTML fragment as a tree of all its elements. Elements that are not closed end with their parent. */
const treeOf = (html: string): Element => ({
  tag: '',
  attributes: {},
  children: parseFragment(html, NOTHING).map(nodeOf),
})

/** Part of a fragment. `joins`: it continues an element that was cut at the end of the part before. */
type HtmlPart = { html: string; joins: boolean }

const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
/** Least number of characters for the content of an element, even if its tags are very long. */
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

/** Returns a long text, escaped, in pieces that end at a blank if there is one. An escaped character has at most five. */
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
 * Returns a fragment in parts of about `max` characters that end between blocks. A short fragment stays as it is.
 *
 * A single longer block is cut inside: lists between items, tables between rows, text at blanks.
 */
export const splitHtml = (html: string, max: number): HtmlPart[] =>
  html.length <= max ? [{ html, joins: false }] : cut(treeOf(html).children, max)

/** Wix's converter accepted 30,000 characters at a time. One page of its documentation says 10,000. */
const MAX_HTML = 28_000
const SMALLER_HTML = 9_500
/** Wix throttles a burst of conversions by a 403 without a reason, for a moment. */
const THROTTLE_WAITS_MS = [2_000, 5_000]

/** Converts one part with Wix's converter. Waits and tries again if Wix throttles. */
const convertPart = async (api: WixApi, deps: CmsDeps, html: string): Promise<Got<{ document: RicosDocument }>> => {
  let converted = await api.toRicos(html)
  for (const waitMs of THROTTLE_WAITS_MS) {
    if (converted.kind !== 'refused' || converted.code !== 'rate_limited' || converted.httpStatus !== 403) break
    await deps.sleep(waitMs)
    converted = await api.toRicos(html)
  }
  return converted
}

/** True if Wix refused a part for its length, and smaller parts are possible. */
const isTooLong = (converted: Got<unknown>, html: string): boolean =>
  html.length > SMALLER_HTML && converted.kind === 'refused' && /\blength|too long/i.test(converted.reason)

/** Adds the nodes of a part to those before it. A list that was cut in two is joined again. */
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
 * Converts a text to Ricos with Wix's own converter, part by part.
 *
 * Our converter takes over parts that Wix does not convert, with a note. It turns players into links.
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
    // A 403 that stays may mean that the key lacks a right. A later attempt would not help then.
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
