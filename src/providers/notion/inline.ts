import { type Element, type Node, textOf } from '../cms/html-tree.ts'

/** The characters Notion's markdown reads as marks, outside of code. */
export const escaped = (text: string): string => text.replace(/[\\*~`$[\]<>{}|^]/g, '\\$&')

/** What would begin a block of another kind at the start of a line, made plain text. */
export const escapedStart = (line: string): string =>
  line
    .replace(/^(#{1,6}|[-+]|-{3,}|:{3,})(?=\s|$|:|-)/, (mark) => `\\${mark}`)
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')

/** An address as it may stand between the brackets of a link; undefined when Notion could not follow it. */
export const linkTarget = (href: string | undefined): string | undefined => {
  const url = href?.trim() ?? ''
  if (!/^(https?:\/\/|mailto:)/i.test(url) || url.length > 2_000) return undefined
  return url.replace(/[\s()<>[\]\\{}|^`*~$]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
}

/** Marks set around a text, blanks at its ends left outside: `** x**` would not be bold. */
const around = (text: string, before: string, after = before): string => {
  const inner = text.trim()
  if (inner === '') return text
  const start = text.slice(0, text.indexOf(inner))
  return `${start}${before}${inner}${after}${text.slice(start.length + inner.length)}`
}

const codeOf = (element: Element): string => {
  const text = textOf(element).replace(/\s+/g, ' ').trim()
  // A backtick cannot stand in Notion's inline code.
  return text === '' ? '' : text.includes('`') ? escaped(text) : `\`${text}\``
}

type Mark = { pair: [string, string?]; name: string }

const MARKS: Record<string, Mark> = {
  b: { pair: ['**'], name: 'bold' },
  strong: { pair: ['**'], name: 'bold' },
  i: { pair: ['*'], name: 'italic' },
  em: { pair: ['*'], name: 'italic' },
  cite: { pair: ['*'], name: 'italic' },
  s: { pair: ['~~'], name: 'struck' },
  strike: { pair: ['~~'], name: 'struck' },
  del: { pair: ['~~'], name: 'struck' },
  u: { pair: ['<span underline="true">', '</span>'], name: 'underlined' },
  ins: { pair: ['<span underline="true">', '</span>'], name: 'underlined' },
  mark: { pair: ['<span color="yellow_bg">', '</span>'], name: 'marked' },
  q: { pair: ['“', '”'], name: 'quoted' },
}

const CODE = new Set(['code', 'kbd', 'samp', 'tt'])

const elementText = (element: Element, open: ReadonlySet<string>): string => {
  const { tag, attributes, children } = element
  if (tag === 'br') return '<br>'
  if (CODE.has(tag)) return codeOf(element)
  const mark = MARKS[tag]
  if (mark && !open.has(mark.name)) {
    const inner = inlineText(children, new Set([...open, mark.name]))
    return around(inner, ...mark.pair)
  }
  const href = tag === 'a' ? linkTarget(attributes.href) : undefined
  return href ? around(inlineText(children, open), '[', `](${href})`) : inlineText(children, open)
}

/** Nodes of one line of text as Notion's markdown. */
export const inlineText = (nodes: readonly Node[], open: ReadonlySet<string> = new Set()): string =>
  nodes
    .map((node) => (typeof node === 'string' ? escaped(node.replace(/\s+/g, ' ')) : elementText(node, open)))
    .join('')
