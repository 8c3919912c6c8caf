import { escapeAttribute, escapeText } from '../references.ts'
import { isSame, type Leaf, type Mark } from './blocks.ts'

/** Piece of a line: a leaf, or the start or end of a mark. `pair` is the index of the mark's other end. */
type Piece = { kind: 'leaf'; leaf: Leaf } | { kind: 'open' | 'close'; mark: Mark; pair: number }

const isBlank = (leaf: Leaf): boolean => leaf.kind === 'break' || (leaf.kind === 'text' && !/\S/.test(leaf.text))

/** Splits the leaves of a mark into leading whitespace, content and trailing whitespace. Only the content is marked. */
const peel = (leaves: readonly Leaf[]): { before: Leaf[]; inner: Leaf[]; after: Leaf[] } => {
  const start = leaves.findIndex((leaf) => !isBlank(leaf))
  if (start < 0) return { before: [...leaves], inner: [], after: [] }
  const end = leaves.findLastIndex((leaf) => !isBlank(leaf)) + 1
  const before = leaves.slice(0, start)
  const inner = leaves.slice(start, end)
  const after = leaves.slice(end)
  const first = inner[0]
  const blankStart = first?.kind === 'text' ? first.text.length - first.text.trimStart().length : 0
  if (first?.kind === 'text' && blankStart > 0) {
    before.push({ ...first, text: first.text.slice(0, blankStart) })
    inner[0] = { ...first, text: first.text.slice(blankStart) }
  }
  const last = inner.at(-1)
  const length = last?.kind === 'text' ? last.text.trimEnd().length : 0
  if (last?.kind === 'text' && length < last.text.length) {
    after.unshift({ ...last, text: last.text.slice(length) })
    inner[inner.length - 1] = { ...last, text: last.text.slice(0, length) }
  }
  return { before, inner, after }
}

const write = (leaves: readonly Leaf[], depth: number, pieces: Piece[]): void => {
  let at = 0
  while (at < leaves.length) {
    const mark = leaves[at]?.marks[depth]
    let end = at + 1
    if (mark === undefined) pieces.push({ kind: 'leaf', leaf: leaves[at] as Leaf })
    else {
      for (; end < leaves.length; end += 1) {
        const next = leaves[end]?.marks[depth]
        if (!next || !isSame(mark, next)) break
      }
      const { before, inner, after } = peel(leaves.slice(at, end))
      for (const leaf of before) pieces.push({ kind: 'leaf', leaf })
      if (inner.length > 0) {
        const open: Piece = { kind: 'open', mark, pair: 0 }
        const place = pieces.push(open) - 1
        write(inner, depth + 1, pieces)
        open.pair = pieces.push({ kind: 'close', mark, pair: place }) - 1
      }
      for (const leaf of after) pieces.push({ kind: 'leaf', leaf })
    }
    at = end
  }
}

/** Returns the pieces of a line. Every mark has content, without whitespace at its ends. */
export const piecesOf = (line: readonly Leaf[]): Piece[] => {
  const pieces: Piece[] = []
  write(line, 0, pieces)
  return pieces
}

/** Delimiters of each mark, the preferred one first. */
const DELIMITERS: Record<string, readonly string[]> = { strong: ['**', '__'], em: ['*', '_'], del: ['~~'] }

type Sort = 'blank' | 'sign' | 'other'
/**
 * Class of a character next to a delimiter: `now` by CommonMark 0.31, `before` by older versions, where symbols were not
 * punctuation.
 */
type Beside = { now: Sort; before: Sort }

const SIGN: Beside = { now: 'sign', before: 'sign' }

/** Returns the class of a character; '' is the edge of a line. */
const besideOf = (char: string): Beside => {
  if (char === '' || /[\s\p{Zs}]/u.test(char)) return { now: 'blank', before: 'blank' }
  if (/[!-/:-@[-`{-~\p{P}]/u.test(char)) return SIGN
  return { now: /\p{S}/u.test(char) ? 'sign' : 'other', before: 'other' }
}

/** Characters next to a delimiter run: `outer` outside the mark, `inner` inside it. */
type Sides = { outer: Beside; inner: Beside }

const flanks = ({ outer, inner }: { outer: Sort; inner: Sort }): boolean =>
  inner !== 'blank' && (inner !== 'sign' || outer !== 'other')

const works = (delimiter: string, { outer, inner }: Sides): boolean =>
  (['now', 'before'] as const).every((rule) => {
    const sides = { outer: outer[rule], inner: inner[rule] }
    if (!flanks(sides)) return false
    // An underscore within a word is not a delimiter.
    const isWithin = flanks({ outer: sides.inner, inner: sides.outer })
    return delimiter[0] !== '_' || !isWithin || sides.outer === 'sign'
  })

const firstOf = (text: string): string => String.fromCodePoint(text.codePointAt(0) ?? 32)
const lastOf = (text: string): string => [...text.slice(-2)].at(-1) ?? ''

/** Returns the class of a leaf's first or last character. Code, pictures and players begin and end with punctuation. */
const edgeOf = (leaf: Leaf, edge: 'start' | 'end'): Beside => {
  if (leaf.kind === 'break') return besideOf('')
  if (leaf.kind !== 'text') return SIGN
  return besideOf(edge === 'start' ? firstOf(leaf.text) : lastOf(leaf.text))
}

const pieceEdge = (piece: Piece | undefined, edge: 'start' | 'end'): Beside => {
  if (!piece) return besideOf('')
  return piece.kind === 'leaf' ? edgeOf(piece.leaf, edge) : SIGN
}

const ofPiece = (piece: Piece | undefined, chosen: ReadonlyMap<Piece, string>): string =>
  piece ? (chosen.get(piece)?.[0] ?? '') : ''

/**
 * Returns the delimiters of a line's marks, by their open and close pieces.
 *
 * A mark without delimiters must be written as an element, because no delimiter would work there (CommonMark 6.2).
 */
export const delimitersOf = (pieces: readonly Piece[]): ReadonlyMap<Piece, string> => {
  const chosen = new Map<Piece, string>()
  pieces.forEach((piece, at) => {
    if (piece.kind !== 'open') return
    const candidates = Object.hasOwn(DELIMITERS, piece.mark.name) ? DELIMITERS[piece.mark.name] : undefined
    const close = pieces[piece.pair]
    if (!candidates || !close) return
    const before = pieces[at - 1]
    const after = pieces[piece.pair + 1]
    const opening = { outer: pieceEdge(before, 'end'), inner: pieceEdge(pieces[at + 1], 'start') }
    const closing = { outer: pieceEdge(after, 'start'), inner: pieceEdge(pieces[piece.pair - 1], 'end') }
    // Two touching delimiters of the same character would form one run.
    const touched = [ofPiece(before, chosen), ofPiece(after, chosen)]
    const found = candidates.find(
      (one) => !touched.includes(one[0] ?? '') && works(one, opening) && works(one, closing),
    )
    if (found === undefined) return
    chosen.set(piece, found)
    chosen.set(close, found)
  })
  return chosen
}

/** Returns text with escaped underscores. Those within words stay, because they are no marks there. */
export const escapedUnderscores = (text: string): string =>
  text.replace(/(?<!_)(?:(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}_]))/gu, (run) => run.replaceAll('_', '\\_'))

/** Returns text with every character escaped that could be a mark, a reference or a tag. */
const escaped = (text: string): string =>
  escapedUnderscores(text.replace(/[\\`*[\]~]/g, '\\$&'))
    .replace(/<(?![\s\d=])/g, '\\<')
    .replace(/&(?=#?\w)/g, '\\&')

/** Returns an address for a link's destination. */
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

/** Returns the length of the longest run of backticks in a text. */
export const longestTicks = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0)

/** Returns a text as inline code, between more backticks than it contains. */
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

/** Escapes the start of a line that would begin another kind of block or change the line before. */
const escapedStart = (line: string): string =>
  line
    .replace(/^(?:#{1,6}(?=\s|$)|[-+](?=\s|$)|-(?=[-\s]*$)|=(?=[=\s]*$)|>|[-:|](?=[-:|\s]*$))/, '\\$&')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')

const written = (line: readonly Leaf[], lineBreak: string): string => {
  const pieces = piecesOf(line)
  const delimiters = delimitersOf(pieces)
  const parts = pieces.map((piece) =>
    piece.kind === 'leaf' ? leafText(piece.leaf, lineBreak) : markText(piece, delimiters.get(piece)),
  )
  // `!` before a link would make it a picture.
  return parts
    .map((part, n) => (part.endsWith('!') && parts[n + 1]?.startsWith('[') ? `${part.slice(0, -1)}\\!` : part))
    .join('')
}

/** Returns a line as a Markdown paragraph. Breaks begin new lines. */
export const paragraphText = (line: readonly Leaf[]): string =>
  written(line, '  \n').split('\n').map(escapedStart).join('\n')

/** Returns a line as Markdown in one line, such as a heading. */
export const singleLine = (line: readonly Leaf[]): string => written(line, '<br>')

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

/** Returns a line as HTML in one line, without marks. */
export const htmlLine = (line: readonly Leaf[]): string => line.map(htmlOf).join('')

const PLAIN = '0123456789+-−=()'
const SIGNS: Readonly<Record<string, readonly string[]>> = {
  sup: [...'⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾'],
  sub: [...'₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎'],
}
const DIGITS = /^[\d+\-−=()]+$/

/**
 * Returns superscript or subscript numbers as Unicode characters, for sites without such marks. Otherwise 10⁶ would become 106.
 */
export const withIndexSigns = (text: string, marks: readonly Mark[]): string => {
  const signs = marks.map(({ name }) => SIGNS[name]).find((one) => one !== undefined)
  if (!signs || !DIGITS.test(text)) return text
  return [...text].map((character) => signs[PLAIN.indexOf(character)] ?? character).join('')
}
