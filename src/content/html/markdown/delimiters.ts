import type { Leaf } from './blocks.ts'
import type { Piece } from './line.ts'

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
