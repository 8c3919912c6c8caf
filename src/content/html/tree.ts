import { ENDS_PARAGRAPH, readEvents, VOID } from './events.ts'
import { collapse, decodeReferences, escapeAttribute, escapeText } from './references.ts'
import { attributesOf } from './tags.ts'

export type HtmlText = { text: string }
/** Element with its lower-case name, and its attributes with references decoded. */
export type HtmlElement = { tag: string; attributes: Record<string, string>; children: HtmlNode[] }
/** Node of an HTML fragment, for code that moves and cuts text. Character references in its text are decoded. */
export type HtmlNode = HtmlText | HtmlElement

export const isElement = (node: HtmlNode): node is HtmlElement => 'tag' in node

/** Elements that trees leave out, with their content. */
const LEFT_OUT = new Set('script style noscript template textarea title head svg math iframe'.split(' '))

const addText = (parent: HtmlElement, text: string): void => {
  const last = parent.children.at(-1)
  if (last && !isElement(last)) last.text += text
  else parent.children.push({ text })
}

/**
 * Parses an HTML fragment into a tree, at most 64 elements deep. The time is proportional to the text.
 *
 * Leaves out comments, and the elements in `leftOut` with their content. An unclosed element ends with its parent.
 */
export const parseFragment = (html: string, leftOut: ReadonlySet<string> = LEFT_OUT): HtmlNode[] => {
  const root: HtmlElement = { tag: '', attributes: {}, children: [] }
  const stack: HtmlElement[] = [root]
  for (const event of readEvents(html)) {
    const parent = stack.at(-1) ?? root
    if (event.kind === 'open') {
      const attributes = Object.fromEntries(attributesOf(html, event.tag))
      const made: HtmlElement = { tag: event.tag.name, attributes, children: [] }
      if (!event.isTooDeep && !leftOut.has(made.tag)) parent.children.push(made)
      if (!event.isLeaf) stack.push(made)
    } else if (event.kind === 'close') stack.pop()
    else if (event.kind === 'text' && event.mode === 'text')
      addText(parent, decodeReferences(html.slice(event.start, event.end)))
  }
  return root.children
}

/** Returns the tree as HTML. `voidEnd`: end of elements without content, `/>` for readers of XML. */
export const renderFragment = (nodes: readonly HtmlNode[], voidEnd: '>' | '/>' = '>'): string =>
  nodes
    .map((node) => {
      if (!isElement(node)) return escapeText(node.text)
      const attributes = Object.entries(node.attributes).map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`)
      const open = `<${node.tag}${attributes.join('')}`
      return VOID.has(node.tag)
        ? `${open}${voidEnd}`
        : `${open}>${renderFragment(node.children, voidEnd)}</${node.tag}>`
    })
    .join('')

const BREAKS = new Set([...ENDS_PARAGRAPH, 'tr', 'td', 'th', 'br', 'caption'])

/** Returns the text of the nodes as readers see it: blocks separated, whitespace collapsed. */
export const textOf = (nodes: readonly HtmlNode[]): string => {
  const read = (list: readonly HtmlNode[]): string =>
    list
      .map((node) => {
        if (!isElement(node)) return node.text
        return BREAKS.has(node.tag) ? ` ${read(node.children)} ` : read(node.children)
      })
      .join('')
  return collapse(read(nodes))
}

/** Returns an element with the given children and attributes. */
export const element = (tag: string, children: HtmlNode[], attributes: Record<string, string> = {}): HtmlElement => ({
  tag,
  attributes,
  children,
})
