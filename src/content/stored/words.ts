import { readEvents } from '../html/events.ts'
import { applyEdits, attributeEdits, attributesOf, type Edit } from '../html/tags.ts'
import { hunksOf } from './align.ts'
import type { Given } from './given.ts'
import { isInLine, meaningOf, type Token } from './tokens.ts'
import type { Piece, ReadText, StoredText, Unit } from './units.ts'

export type Splicing = { text: string; read: ReadText; format: StoredText['format'] }

const sourceOf = ({ text, read }: Splicing, id: string): string => {
  const place = read.kept.get(id)
  return place ? text.slice(place.start, place.end) : ''
}

/** Returns the place in the stored text of a place in a unit’s HTML. */
const placeOf = (
  pieces: readonly Piece[],
  { start, end }: Pick<Token, 'start' | 'end'>,
): { start: number; end: number } => {
  let at = 0
  let from = 0
  let to = 0
  for (const piece of pieces) {
    const until = at + piece.html.length
    if (start >= at && start < until) from = piece.isExact ? piece.start + start - at : piece.start
    if (end > at && end <= until) {
      to = piece.isExact ? piece.start + end - at : piece.end
      break
    }
    at = until
  }
  return { start: from, end: to }
}

/** Returns a start tag of the site with the meaning of the caller’s: its address, its alternative text. */
const editedTag = (source: string, wanted: string): string => {
  const [own] = readEvents(source)
  const [other] = readEvents(wanted)
  if (own?.kind !== 'open' || other?.kind !== 'open') return wanted
  const after = attributesOf(wanted, other.tag)
  const before = attributesOf(source, own.tag)
  const edits: Edit[] = meaningOf(own.tag.name)
    .filter((name) => (before.get(name) ?? null) !== (after.get(name) ?? null))
    .flatMap((name) => attributeEdits(source, own.tag, name, after.get(name) ?? null))
    .sort((a, b) => a.start - b.start)
  return applyEdits(source, edits)
}

export const isBlockTag = (token: Token): boolean =>
  (token.kind === 'open' || token.kind === 'close') && !isInLine(token.name)

/** Returns the places of a unit’s tokens in the stored text. */
export const placesOf = ({ pieces, tokens }: Unit): { start: number; end: number }[] => {
  const places: { start: number; end: number }[] = []
  let [n, at] = [0, 0]
  for (const token of tokens) {
    while (n < pieces.length - 1 && token.start >= at + (pieces[n]?.html.length ?? 0)) {
      at += pieces[n]?.html.length ?? 0
      n += 1
    }
    const shifted = { start: token.start - at, end: token.end - at }
    places.push(placeOf(pieces.slice(n, n + 2), shifted))
  }
  return places
}

/**
 * Returns a unit’s source with the words of the caller’s block; undefined if its structure changed in a way that only its editor can
 * write.
 */
export const spliceWords = (splicing: Splicing, unit: Unit, given: Given): string | undefined => {
  const { text } = splicing
  const own = unit.tokens
  const outer = (tokens: readonly Token[]) =>
    [tokens[0], tokens.at(-1)].map((token) => token && isBlockTag(token) && token.key)
  if (outer(own).join() !== outer(given.tokens).join()) return undefined
  const hasInner = (unit.block?.blocks.length ?? 0) > 0
  const parts: string[] = []
  let at = unit.start
  const places = placesOf(unit)
  for (const hunk of hunksOf(own, given.tokens)) {
    if (typeof hunk === 'number') {
      const { end } = places[hunk] ?? { end: at }
      parts.push(text.slice(at, end))
      at = end
      continue
    }
    const gone = hunk.removed.map((n) => own[n] as Token)
    if (hasInner && [...gone, ...hunk.added].some(isBlockTag)) return undefined
    const used = new Set<number>()
    const glue: string[] = []
    for (const n of hunk.removed) {
      const { start, end } = places[n] ?? { start: at, end: at }
      glue.push(text.slice(at, start))
      at = end
    }
    const [first = '', ...rest] = glue
    parts.push(first)
    for (const token of hunk.added) {
      if (token.kind === 'kept') {
        parts.push(sourceOf(splicing, token.name))
        continue
      }
      const raw = given.html.slice(token.start, token.end)
      const same = hunk.removed.find((n) => {
        const other = own[n]
        return !used.has(n) && token.kind === 'open' && other?.kind === 'open' && other.name === token.name
      })
      if (same === undefined) parts.push(raw)
      else {
        used.add(same)
        const { start, end } = places[same] ?? { start: 0, end: 0 }
        parts.push(editedTag(text.slice(start, end), raw))
      }
    }
    parts.push(...rest)
  }
  return parts.join('') + text.slice(at, unit.end)
}
