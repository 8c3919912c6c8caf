import { decodeReferences } from './document.ts'

export type HtmlText = { text: string }
export type HtmlElement = { tag: string; attributes: Record<string, string>; children: HtmlNode[] }
/** A fragment as a tree, for code that moves and cuts text. Text has its character references resolved. */
export type HtmlNode = HtmlText | HtmlElement

export const isElement = (node: HtmlNode): node is HtmlElement => 'tag' in node

const VOID = new Set(['br', 'hr', 'img', 'wbr', 'source', 'track', 'col', 'input', 'link', 'meta', 'embed'])
const RAW = new Set(['script', 'style', 'noscript', 'template', 'textarea', 'title', 'head', 'svg', 'iframe'])
const ENDS_PARAGRAPH = new Set(
  'address article aside blockquote details div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul'.split(
    ' ',
  ),
)
/** What an element that begins closes by itself, and up to which ancestor. */
const SIBLINGS: Record<string, { closes: readonly string[]; within: readonly string[] }> = {
  li: { closes: ['li'], within: ['ul', 'ol'] },
  dt: { closes: ['dt', 'dd'], within: ['dl'] },
  dd: { closes: ['dt', 'dd'], within: ['dl'] },
  tr: { closes: ['tr'], within: ['table', 'thead', 'tbody', 'tfoot'] },
  td: { closes: ['td', 'th'], within: ['tr', 'table'] },
  th: { closes: ['td', 'th'], within: ['tr', 'table'] },
}
/** Deeper elements go while what they hold stays. */
const MAX_DEPTH = 64
/** Longest tag that is read as one. */
const MAX_TAG = 10_000

/** Where the tag that begins at `from` ends (its `>`); -1 when it is none: another begins first, or it has no end. */
const tagEnd = (html: string, from: number): number => {
  let quote = ''
  const last = Math.min(html.length, from + MAX_TAG)
  for (let at = from + 1; at < last; at += 1) {
    const char = html[at] ?? ''
    if (quote !== '') quote = char === quote ? '' : quote
    else if (char === '>') return at
    else if (char === '<') return -1
    else if (char === '"' || char === "'") quote = char
  }
  return -1
}

const attributesOf = (source: string): Record<string, string> => {
  const attributes: Record<string, string> = {}
  for (const match of source.matchAll(/([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?/g)) {
    const name = (match[1] ?? '').toLowerCase()
    attributes[name] ??= decodeReferences(match[2] ?? match[3] ?? match[4] ?? '')
  }
  return attributes
}

/** The elements open at one place of the reading, outermost first. */
type Stack = HtmlElement[]

const closeTo = (stack: Stack, tags: readonly string[], within: readonly string[]): void => {
  for (let at = stack.length - 1; at > 0; at -= 1) {
    const tag = stack[at]?.tag ?? ''
    if (within.includes(tag)) return
    if (tags.includes(tag)) {
      stack.length = at
      return
    }
  }
}

const openElement = (stack: Stack, tag: string, source: string, selfClosed: boolean): void => {
  if (ENDS_PARAGRAPH.has(tag)) closeTo(stack, ['p'], ['td', 'th', 'li', 'blockquote', 'div', 'section', 'figure'])
  const siblings = SIBLINGS[tag]
  if (siblings) closeTo(stack, siblings.closes, siblings.within)
  if (stack.length > MAX_DEPTH && !VOID.has(tag)) return
  const element: HtmlElement = { tag, attributes: attributesOf(source), children: [] }
  stack.at(-1)?.children.push(element)
  if (!selfClosed && !VOID.has(tag)) stack.push(element)
}

const addText = (stack: Stack, raw: string): void => {
  if (raw === '') return
  const siblings = stack.at(-1)?.children
  const last = siblings?.at(-1)
  if (last && !isElement(last)) last.text += decodeReferences(raw)
  else siblings?.push({ text: decodeReferences(raw) })
}

/** Where reading goes on after a raw-text element whose start tag ended at `from`: behind its end tag, or at the end. */
const afterRaw = (html: string, tag: string, from: number): number => {
  const end = new RegExp(`</${tag}[^>]*>`, 'gi')
  end.lastIndex = from
  return end.exec(html) ? end.lastIndex : html.length
}

const NAME = /^<(\/?)([a-zA-Z][a-zA-Z0-9-]*)/

/**
 * Reads an HTML fragment into a tree. Scripts, styles, frames and comments are left out; what is not closed ends where its
 * parent does. Takes time in proportion to the text whatever it holds.
 */
export const parseFragment = (html: string): HtmlNode[] => {
  const root: HtmlElement = { tag: '', attributes: {}, children: [] }
  const stack: Stack = [root]
  let at = 0
  while (at < html.length) {
    const next = html.indexOf('<', at)
    if (next < 0) {
      addText(stack, html.slice(at))
      break
    }
    addText(stack, html.slice(at, next))
    if (html.startsWith('<!', next)) {
      const end = html.startsWith('<!--', next) ? html.indexOf('-->', next) : html.indexOf('>', next)
      at = end < 0 ? html.length : html.indexOf('>', end) + 1
      continue
    }
    const name = NAME.exec(html.slice(next, next + 64))
    const end = name ? tagEnd(html, next) : -1
    if (!name || end < 0) {
      addText(stack, '<')
      at = next + 1
      continue
    }
    const tag = (name[2] ?? '').toLowerCase()
    const source = html.slice(next + name[0].length, end)
    at = end + 1
    if (name[1] === '/') closeTo(stack, [tag], [])
    else if (RAW.has(tag)) at = afterRaw(html, tag, at)
    else openElement(stack, tag, source, source.endsWith('/'))
  }
  return root.children
}

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const escapeAttribute = (text: string): string => escapeText(text).replaceAll('"', '&quot;')

/** The tree as HTML. */
export const renderFragment = (nodes: readonly HtmlNode[]): string =>
  nodes
    .map((node) => {
      if (!isElement(node)) return escapeText(node.text)
      const attributes = Object.entries(node.attributes).map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`)
      const open = `<${node.tag}${attributes.join('')}>`
      return VOID.has(node.tag) ? open : `${open}${renderFragment(node.children)}</${node.tag}>`
    })
    .join('')

const BREAKS = new Set([
  ...ENDS_PARAGRAPH,
  'li',
  'dt',
  'dd',
  'tr',
  'td',
  'th',
  'br',
  'figcaption',
  'caption',
  'summary',
])

/** The tree's text as it is read: blocks apart, blanks collapsed. */
export const textOf = (nodes: readonly HtmlNode[]): string => {
  const read = (list: readonly HtmlNode[]): string =>
    list
      .map((node) => {
        if (!isElement(node)) return node.text
        return BREAKS.has(node.tag) ? ` ${read(node.children)} ` : read(node.children)
      })
      .join('')
  return read(nodes).replace(/\s+/g, ' ').trim()
}

/** An element with what it holds. */
export const element = (tag: string, children: HtmlNode[], attributes: Record<string, string> = {}): HtmlElement => ({
  tag,
  attributes,
  children,
})
