/** Node of a text of Ghost’s editor. */
export type Node = Record<string, unknown>

/** Fields that every block with words has. */
export const BLOCK = { direction: 'ltr', format: '', indent: 0, version: 1 }

/** Returns a text. `format`: bits, 1 for bold and 2 for italic. */
export const text = (words: string, format = 0, more: Node = {}): Node => ({
  detail: 0,
  format,
  mode: 'normal',
  style: '',
  text: words,
  type: 'extended-text',
  version: 1,
  ...more,
})

/** Returns a link, with what the editor stores besides its address. */
export const link = (url: string, ...children: Node[]): Node => ({
  children,
  ...BLOCK,
  type: 'link',
  rel: 'noreferrer',
  target: '_blank',
  title: 'Seen on hover',
  url,
})

/** Returns a paragraph. */
export const paragraph = (...children: Node[]): Node => ({ children, ...BLOCK, type: 'paragraph' })

/** Returns an item of a list with its number. */
export const item = (value: number, ...children: Node[]): Node => ({ children, ...BLOCK, type: 'listitem', value })

/** Returns a list with bullets. */
export const list = (...children: Node[]): Node => ({
  children,
  ...BLOCK,
  type: 'list',
  listType: 'bullet',
  start: 1,
  tag: 'ul',
})

/** Returns the JSON of a text of these blocks. */
export const documentOf = (nodes: readonly Node[]): string =>
  JSON.stringify({ root: { children: nodes, ...BLOCK, type: 'root' } })

/** Returns the blocks of a text. */
export const nodesOf = (lexical: string): Node[] => JSON.parse(lexical).root.children
