import type { Leaf, Mark } from './blocks.ts'

/** A line as it is written: leaves, and the begins and ends of the marks around them. `pair` is the place of the other end. */
export type Piece = { kind: 'leaf'; leaf: Leaf } | { kind: 'open' | 'close'; mark: Mark; pair: number }

/** True if leaves next to each other are within the same mark: one element, or two that say the same. */
const isSame = (a: Mark, b: Mark): boolean => a === b || (a.name === b.name && a.name !== 'a')

const isBlank = (leaf: Leaf): boolean => leaf.kind === 'break' || (leaf.kind === 'text' && !/\S/.test(leaf.text))

/** The leaves of a mark in three parts: what is blank at its start and its end is outside of it. */
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

/** Returns the pieces of a line: every mark holds something that is not blank, and is blank at neither end. */
export const piecesOf = (line: readonly Leaf[]): Piece[] => {
  const pieces: Piece[] = []
  write(line, 0, pieces)
  return pieces
}

/** The delimiters of a mark, the one to take first at the front. */
const DELIMITERS: Record<string, readonly string[]> = { strong: ['**', '__'], em: ['*', '_'], del: ['~~'] }

type Sort = 'blank' | 'sign' | 'other'
/** Character beside a delimiter, as CommonMark sorts it since 0.31, and as it did before, when symbols were no punctuation. */
type Beside = { now: Sort; before: Sort }

const SIGN: Beside = { now: 'sign', before: 'sign' }

/** Sorts a character; '' is the edge of a line. */
const besideOf = (char: string): Beside => {
  if (char === '' || /[\s\p{Zs}]/u.test(char)) return { now: 'blank', before: 'blank' }
  if (/[!-/:-@[-`{-~\p{P}]/u.test(char)) return SIGN
  return { now: /\p{S}/u.test(char) ? 'sign' : 'other', before: 'other' }
}

/** The two sides of a delimiter run that opens (`outer` before it, `inner` behind it) or closes (the other way round). */
type Sides = { outer: Beside; inner: Beside }

const flanks = ({ outer, inner }: { outer: Sort; inner: Sort }): boolean =>
  inner !== 'blank' && (inner !== 'sign' || outer !== 'other')

const works = (delimiter: string, { outer, inner }: Sides): boolean =>
  (['now', 'before'] as const).every((rule) => {
    const sides = { outer: outer[rule], inner: inner[rule] }
    if (!flanks(sides)) return false
    // An underscore within a word marks nothing.
    const isWithin = flanks({ outer: sides.inner, inner: sides.outer })
    return delimiter[0] !== '_' || !isWithin || sides.outer === 'sign'
  })

const firstOf = (text: string): string => String.fromCodePoint(text.codePointAt(0) ?? 32)
const lastOf = (text: string): string => [...text.slice(-2)].at(-1) ?? ''

/** Returns the character a leaf shows at its start or its end; that of code, a picture or a player is a sign. */
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
 * Returns the delimiters of every mark of a line, by its open and its close piece. None: no delimiter would be read as one there
 * (CommonMark 6.2), so the mark has to be written as an element.
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
    // Delimiters of one sign that touch would be one run.
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
