import { DOMSerializer, type Node } from 'prosemirror-model'
import { INLINE, parser, schema } from './schema.ts'

/** Block of the article's source: its HTML, and the whitespace after it. */
export type Source = readonly [html: string, gap: string]

const inline = new Set<string>(INLINE)
const BLANK = /[ \t\r\n\f]+/g
/** Elements in which whitespace between children has no meaning. */
const STRUCTURE = new Set(['UL', 'OL', 'TABLE', 'THEAD', 'TBODY', 'TFOOT', 'TR', 'COLGROUP', 'FIGURE', 'BLOCKQUOTE'])

const attributesOf = (element: Element): string =>
  [...element.attributes]
    .map(({ name, value }) => `${name}=${value}`)
    .sort()
    .join('\0')

const isBlank = (text: string): boolean => text.replace(BLANK, '') === ''

/**
 * Returns a string to compare two trees: their blocks, and their text with its inline elements.
 *
 * Trees that differ only in whitespace, or in the order of elements around the same text, give the same string.
 */
const saidBy = (root: globalThis.Node): string => {
  const said: string[] = []
  const around: string[] = []
  let last = ''
  const walk = (node: globalThis.Node, isCode: boolean): void => {
    if (node.nodeType === 3) {
      const text = isCode ? (node.nodeValue ?? '') : (node.nodeValue ?? '').replace(BLANK, '')
      if (text === '') return
      const marks = [...around].sort().join('\x01')
      said.push(marks === last ? text : `\x02${marks}\x03${text}`)
      last = marks
      return
    }
    if (node.nodeType !== 1) {
      said.push(`\x04${node.nodeType}${node.nodeValue ?? ''}`)
      return
    }
    const element = node as HTMLElement
    const name = element.nodeName.toLowerCase()
    if (name === 'div' && element.className === 'line') {
      for (const child of element.childNodes) walk(child, isCode)
      last = '\x05'
      return
    }
    const own = `${name} ${attributesOf(element)}`
    if (inline.has(name) && !(isCode && name === 'code')) {
      // The editor would lose an inline element without content.
      if (isBlank(element.textContent ?? '') && !element.querySelector('img, br')) said.push(`\x06${own}`)
      around.push(own)
      for (const child of element.childNodes) walk(child, isCode)
      around.pop()
      return
    }
    said.push(`\x07${own}`)
    last = '\x05'
    for (const child of element.childNodes) walk(child, isCode || name === 'pre')
    said.push('\x08')
    last = '\x05'
  }
  for (const child of root.childNodes) walk(child, false)
  return said.join('')
}

/** Removes whitespace between blocks, which the editor would read as text. */
const tidied = (element: Element): Element => {
  for (const inner of [element, ...element.querySelectorAll('*')]) {
    const hasBlocks =
      STRUCTURE.has(inner.nodeName) || inner.querySelector(':scope > :is(p, ul, ol, table, pre, figure)')
    if (!hasBlocks) continue
    for (const child of [...inner.childNodes])
      if (child.nodeType === 3 && isBlank(child.nodeValue ?? '')) child.remove()
  }
  return element
}

const serializer = DOMSerializer.fromSchema(schema)

/** Returns a block as elements. Lines of text lose their `div.line`. */
const elementsOf = (node: Node): HTMLElement => {
  const root = document.createElement('div')
  root.append(serializer.serializeNode(node))
  for (const line of root.querySelectorAll('div.line')) line.replaceWith(...line.childNodes)
  // In a new list, items have plain text without a paragraph, as Markdown writes them.
  if (node.attrs.block === null)
    for (const only of root.querySelectorAll('li > p:first-child'))
      if (only.attributes.length === 0 && only.nextElementSibling?.nodeName !== 'P')
        only.replaceWith(...only.childNodes)
  return root
}

/**
 * Returns the editor nodes of the source's blocks. A block that the schema cannot reproduce becomes a `raw` node, which
 * people cannot edit.
 */
export const readBlocks = (elements: readonly Element[]): Node[] =>
  elements.map((element, block) => {
    const source = saidBy(element)
    const { content } = parser.parse(tidied(element.cloneNode(true) as Element))
    const [only] = content.content
    if (content.childCount === 1 && only && saidBy(elementsOf(only)) === source)
      return only.type.create({ ...only.attrs, block }, only.content, only.marks)
    return schema.nodes.raw?.create({ block }) as Node
  })

/** Returns the article's HTML. Unchanged blocks keep their source byte for byte; other blocks are written from the nodes. */
export const htmlOf = (doc: Node, read: readonly Node[], sources: readonly Source[]): string => {
  const parts: string[] = []
  doc.forEach((node) => {
    const from = node.attrs.block as number | null
    const source = from === null ? undefined : sources[from]
    const isAsRead = from !== null && read[from]?.eq(node)
    const isEmpty = node.type.name === 'paragraph' && node.content.size === 0 && !isAsRead
    if (isEmpty) return
    parts.push(source && isAsRead ? source[0] : elementsOf(node).innerHTML, source ? source[1] : '\n')
  })
  return parts.join('')
}
