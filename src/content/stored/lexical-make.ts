import { readEvents } from '../html/events.ts'
import { decodeReferences } from '../html/references.ts'
import { attributesOf } from '../html/tags.ts'
import { FORMATS, type LexicalNode } from './lexical-nodes.ts'

type Element = { name: string; attributes: ReadonlyMap<string, string>; html: string; children: (Element | string)[] }

/** Returns the elements and texts of HTML. */
const treeOf = (html: string): Element['children'] => {
  const root: Element = { name: '', attributes: new Map(), html, children: [] }
  const open: { element: Element; start: number }[] = [{ element: root, start: 0 }]
  for (const event of readEvents(html)) {
    const parent = open.at(-1)?.element ?? root
    if (event.kind === 'open') {
      const { name, end } = event.tag
      const element: Element = { name, attributes: attributesOf(html, event.tag), html: '', children: [] }
      parent.children.push(element)
      if (!event.isLeaf) open.push({ element, start: end })
    } else if (event.kind === 'close') {
      const closed = open.pop()
      if (closed) closed.element.html = html.slice(closed.start, event.at)
    } else if (event.kind === 'text') parent.children.push(decodeReferences(html.slice(event.start, event.end)))
  }
  return root.children
}

const BLOCK = { direction: 'ltr', format: '', indent: 0, version: 1 } as const

const FORMAT_OF: Record<string, number> = {
  ...Object.fromEntries(FORMATS.map(([bit, name]) => [name, bit])),
  b: 1,
  i: 2,
  del: 4,
  strike: 4,
}
/** Elements that change nothing of their words. */
const BARE = new Set(['span', 'font'])

/** Returns a new text. */
export const textNode = (text: string, format: number): LexicalNode => ({
  type: 'extended-text',
  detail: 0,
  format,
  mode: 'normal',
  style: '',
  text,
  version: 1,
})

const lineBreak: LexicalNode = { type: 'linebreak', version: 1 }

/** Returns the nodes of a line of text; undefined if an element in it has none. */
const inLine = (children: Element['children'], format = 0, isLinked = false): LexicalNode[] | undefined => {
  const nodes: LexicalNode[] = []
  for (const child of children) {
    if (typeof child === 'string') {
      nodes.push(textNode(child.replace(/[ \t\r\n\f]+/g, ' '), format))
      continue
    }
    const { name, attributes } = child
    const bit = BARE.has(name) ? 0 : FORMAT_OF[name]
    if (name === 'br') nodes.push(lineBreak)
    else if (name === 'a' && !isLinked) {
      const linked = inLine(child.children, format, true)
      if (!linked) return undefined
      const url = attributes.get('href') ?? ''
      const rest = { rel: attributes.get('rel') ?? null, target: attributes.get('target') ?? null, title: null }
      nodes.push({ type: 'link', ...BLOCK, children: linked, ...rest, url })
    } else if (bit !== undefined) {
      const inner = inLine(child.children, format | bit, isLinked)
      if (!inner) return undefined
      nodes.push(...inner)
    } else return undefined
  }
  return nodes
}

/** Returns a line without blanks at its ends and beside its line breaks, which readers do not see. */
const trimmed = (nodes: readonly LexicalNode[]): LexicalNode[] =>
  nodes
    .map((node, n): LexicalNode => {
      const isEdge = (at: number) => nodes[at] === undefined || nodes[at]?.type === 'linebreak'
      if (node.text === undefined) return node
      const start = isEdge(n - 1) ? node.text.replace(/^ +/, '') : node.text
      return { ...node, text: isEdge(n + 1) ? start.replace(/ +$/, '') : start }
    })
    .filter((node) => node.text !== '')

const isGap = (child: Element | string): boolean => typeof child === 'string' && /^[ \t\r\n\f]*$/.test(child)

const line = (children: Element['children']): LexicalNode[] | undefined => {
  const nodes = inLine(children)
  return nodes && trimmed(nodes)
}

/** Returns the words of paragraphs as one line with breaks between them. */
const lines = (children: Element['children']): LexicalNode[] | undefined => {
  const blocks = children.filter((child) => !isGap(child))
  if (!blocks.some((child) => typeof child === 'object' && child.name === 'p')) return line(children)
  const nodes: LexicalNode[] = []
  for (const block of blocks) {
    const one = typeof block === 'object' && block.name === 'p' ? line(block.children) : line([block])
    if (!one) return undefined
    nodes.push(...(nodes.length > 0 ? [lineBreak] : []), ...one)
  }
  return nodes
}

const itemOf = (children: LexicalNode[], value: number): LexicalNode => ({
  type: 'listitem',
  ...BLOCK,
  children,
  value,
})

const LISTS = new Set(['ul', 'ol'])

const listOf = ({ name, attributes, children }: Element): LexicalNode | undefined => {
  const start = Number(attributes.get('start') ?? 1)
  const items: LexicalNode[] = []
  let value = start
  for (const child of children) {
    if (isGap(child)) continue
    if (typeof child === 'string' || child.name !== 'li') return undefined
    const isNested = (one: Element | string): one is Element => typeof one === 'object' && LISTS.has(one.name)
    const words = lines(child.children.filter((one) => !isNested(one)))
    if (!words) return undefined
    if (words.length > 0 || !child.children.some(isNested)) {
      items.push(itemOf(words, value))
      value += 1
    }
    for (const one of child.children) {
      if (!isNested(one)) continue
      const list = listOf(one)
      if (!list) return undefined
      items.push(itemOf([list], value))
    }
  }
  return { type: 'list', ...BLOCK, children: items, listType: name === 'ol' ? 'number' : 'bullet', start, tag: name }
}

const find = (element: Element, name: string): Element | undefined => {
  for (const child of element.children) {
    if (typeof child === 'string') continue
    const found = child.name === name ? child : find(child, name)
    if (found) return found
  }
  return undefined
}

const imageOf = (figure: Element): LexicalNode | undefined => {
  const image = figure.name === 'img' ? figure : find(figure, 'img')
  const src = image?.attributes.get('src') ?? ''
  if (src === '' || find(figure, 'table') || find(figure, 'iframe')) return undefined
  return {
    type: 'image',
    version: 1,
    src,
    width: null,
    height: null,
    title: '',
    alt: image?.attributes.get('alt') ?? '',
    caption: find(figure, 'figcaption')?.html.trim() ?? '',
    cardWidth: 'regular',
    href: '',
  }
}

const codeOf = (pre: Element): LexicalNode => {
  const code = find(pre, 'code')
  const language = /(?:^|\s)language-(\S+)/.exec(code?.attributes.get('class') ?? '')?.[1] ?? ''
  const text = decodeReferences((code ?? pre).html.replace(/<[^>]*>/g, ''))
  return { type: 'codeblock', version: 1, code: text, language, caption: '' }
}

/** Returns an element as Ghost’s editor has it; undefined if the editor has no block for it. */
export const nodeOf = (html: string): LexicalNode | undefined => {
  const [only, ...rest] = treeOf(html).filter((child) => !isGap(child))
  if (typeof only !== 'object' || rest.length > 0) return undefined
  const { name, children } = only
  const [child, ...others] = children.filter((one) => !isGap(one))
  if (name === 'p' && typeof child === 'object' && child.name === 'img' && others.length === 0) return imageOf(child)
  if (name === 'img' || name === 'figure') return imageOf(only)
  if (name === 'pre') return codeOf(only)
  if (name === 'hr') return { type: 'horizontalrule', version: 1 }
  if (LISTS.has(name)) return listOf(only)
  const words = name === 'blockquote' ? lines(children) : line(children)
  if (!words) return undefined
  if (name === 'p') return { type: 'paragraph', ...BLOCK, children: words }
  if (name === 'blockquote') return { type: 'extended-quote', ...BLOCK, children: words }
  return /^h[1-6]$/.test(name) ? { type: 'extended-heading', ...BLOCK, children: words, tag: name } : undefined
}
