import { type HtmlNode, isElement, parseFragment } from '../../content/html/tree.ts'

export type Element = { tag: string; attributes: Record<string, string>; children: Node[] }
/** A text, its character references read. */
export type Node = Element | string

const NOTHING: ReadonlySet<string> = new Set()

const nodeOf = (node: HtmlNode): Node =>
  isElement(node) ? { ...node, children: node.children.map(nodeOf) } : node.text

/** An HTML fragment as a tree of all its elements; those not closed end where their parent does. */
export const treeOf = (html: string): Element => ({
  tag: '',
  attributes: {},
  children: parseFragment(html, NOTHING).map(nodeOf),
})
