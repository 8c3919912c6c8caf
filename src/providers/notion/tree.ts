import { parseHtml } from '@mdream/js/parse'

export type Element = { tag: string; attributes: Record<string, string>; children: Node[] }
/** A text, its character references read. */
export type Node = Element | string

/** What the parser tells of a text or an element. */
type Seen = { type: number; name?: string; value?: string; attributes?: Record<string, string> }

const ELEMENT = 1
const ENTER = 0

/** An HTML fragment as a tree; unclosed elements end where their parent does. */
export const treeOf = (html: string): Element => {
  const root: Element = { tag: '', attributes: {}, children: [] }
  const open = [root]
  for (const { type, node: seen } of parseHtml(html).events) {
    const node = seen as Seen
    if (node.type !== ELEMENT) {
      if (type === ENTER && node.value) open.at(-1)?.children.push(node.value)
      continue
    }
    if (type === ENTER) {
      const element = { tag: (node.name ?? '').toLowerCase(), attributes: { ...node.attributes }, children: [] }
      open.at(-1)?.children.push(element)
      open.push(element)
    } else if (open.length > 1) open.pop()
  }
  return root
}

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
