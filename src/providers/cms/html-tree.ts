import { type HtmlNode, isElement, parseFragment } from '../../html/tree.ts'

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

/** The text of a node and all within it, as it stands. */
export const textOf = (node: Node): string => (typeof node === 'string' ? node : node.children.map(textOf).join(''))

/** The first element of a tag within a node, itself included. */
export const firstOf = (node: Node, tag: string): Element | undefined => {
  if (typeof node === 'string') return undefined
  if (node.tag === tag) return node
  for (const child of node.children) {
    const found = firstOf(child, tag)
    if (found) return found
  }
  return undefined
}

/** Every element of a tag within a node. */
export const allOf = (node: Node, tag: string): Element[] =>
  typeof node === 'string' ? [] : node.children.flatMap((child) => (isTag(child, tag) ? [child] : allOf(child, tag)))

export const isTag = (node: Node, ...tags: string[]): node is Element =>
  typeof node !== 'string' && tags.includes(node.tag)
