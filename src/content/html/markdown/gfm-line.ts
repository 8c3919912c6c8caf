import { escapeAttribute, escapeText } from '../references.ts'
import type { Leaf, Mark } from './blocks.ts'
import { delimitersOf, type Piece, piecesOf } from './line.ts'

/** Returns text in which no character is read as a mark, a reference or a tag. Underscores within words are none. */
const escaped = (text: string): string =>
  text
    .replace(/[\\`*[\]~]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}_])_+|_+(?![\p{L}\p{N}_])/gu, (run) => run.replaceAll('_', '\\_'))
    .replace(/<(?![\s\d=])/g, '\\<')
    .replace(/&(?=#?\w)/g, '\\&')

/** Returns an address between the brackets of a link. */
const destination = (address: string): string =>
  address
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be in an address
    .replace(/[\u0000-\u0020\u007f<>`\\]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
    .replace(/[()]/g, '\\$&')
    .replace(/&(?=#?\w+;)/g, '&amp;')

const titled = (title: string | undefined): string =>
  title
    ? ` "${escapeText(title)
        .replace(/&amp;(?!#?\w+;)/g, '&')
        .replace(/[\\"`]/g, '\\$&')}"`
    : ''

/** Returns the longest run of backticks in a text. */
export const longestTicks = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0)

/** Returns a text as inline code, between more backticks than it has. */
export const codeSpan = (text: string): string => {
  const fence = '`'.repeat(longestTicks(text) + 1)
  return /^`|`$/.test(text) ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`
}

const leafText = (leaf: Leaf, lineBreak: string): string => {
  switch (leaf.kind) {
    case 'text':
      return escaped(leaf.text)
    case 'code':
      return codeSpan(leaf.text)
    case 'break':
      return lineBreak
    case 'image':
      return `![${escaped(leaf.alt)}](${destination(leaf.src)}${titled(leaf.title)})`
    case 'player':
      return `[${escaped(leaf.title || leaf.src)}](${destination(leaf.src)})`
  }
}

const linkEnd = ({ href = '', title }: Mark): string => `](${destination(href)}${titled(title)})`

const markText = (piece: Piece & { kind: 'open' | 'close' }, delimiter: string | undefined): string => {
  const { mark, kind } = piece
  if (mark.name === 'a') return kind === 'open' ? '[' : linkEnd(mark)
  return delimiter ?? (kind === 'open' ? `<${mark.name}>` : `</${mark.name}>`)
}

/** Escapes a beginning of a line that would begin a block of another kind, or turn the line before into one. */
const escapedStart = (line: string): string =>
  line
    .replace(/^(?:#{1,6}(?=\s|$)|[-+](?=\s|$)|-(?=[-\s]*$)|=(?=[=\s]*$)|>|[-:|](?=[-:|\s]*$))/, '\\$&')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')

const write = (line: readonly Leaf[], lineBreak: string): string => {
  const pieces = piecesOf(line)
  const delimiters = delimitersOf(pieces)
  const parts = pieces.map((piece) =>
    piece.kind === 'leaf' ? leafText(piece.leaf, lineBreak) : markText(piece, delimiters.get(piece)),
  )
  // `!` before a link would make a picture of it.
  return parts
    .map((part, n) => (part.endsWith('!') && parts[n + 1]?.startsWith('[') ? `${part.slice(0, -1)}\\!` : part))
    .join('')
}

/** Returns a paragraph's text; breaks begin new lines. */
export const paragraphText = (line: readonly Leaf[]): string =>
  write(line, '  \n').split('\n').map(escapedStart).join('\n')

/** Returns a text that has one line, such as a heading's. */
export const singleLine = (line: readonly Leaf[]): string => write(line, '<br>')

const htmlOf = (leaf: Leaf): string => {
  switch (leaf.kind) {
    case 'text':
    case 'code':
      return escapeText(leaf.text)
    case 'break':
      return '<br>'
    case 'image':
      return `<img src="${escapeAttribute(leaf.src)}" alt="${escapeAttribute(leaf.alt)}">`
    case 'player':
      return `<a href="${escapeAttribute(leaf.src)}">${escapeText(leaf.title || leaf.src)}</a>`
  }
}

/** Returns text as HTML in one line, without marks. */
export const htmlLine = (line: readonly Leaf[]): string => line.map(htmlOf).join('')
