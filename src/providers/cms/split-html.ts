import { escapeAttribute, escapeText } from '../../content/html/references.ts'
import { type HtmlNode, isElement, parseFragment } from '../../content/html/tree.ts'

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
export type HtmlPart = { html: string; joins: boolean }

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
