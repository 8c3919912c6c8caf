import { hunksOf, MAX_PAIRS, mostLike } from './align.ts'
import { type Given, idsOf, keysOf, removedIds } from './given.ts'
import { keyOf, lineOf, type Token } from './tokens.ts'
import type { ReadText, Unit } from './units.ts'

/** Part of a text that a refusal names. */
type NamedPart = { id?: string; label: string; text: string; html?: string }

/** A stored text with the change, or the reason why it cannot be made. */
export type Spliced =
  | { kind: 'spliced'; text: string }
  | { kind: 'refused'; code: 'would_lose' | 'changed_at_site' | 'not_possible'; reason: string; parts: NamedPart[] }

export const refused = (
  code: Extract<Spliced, { kind: 'refused' }>['code'],
  reason: string,
  parts: NamedPart[] = [],
): Spliced => ({ kind: 'refused', code, reason, parts })

const MAX_SHOWN = 120
const clipped = (text: string): string => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text)

const named = (read: ReadText, id: string): NamedPart => ({ id, label: read.kept.get(id)?.label ?? 'Block', text: '' })

const partOf = ({ kept, tokens, html }: Unit): NamedPart =>
  kept
    ? { id: kept.id, label: kept.label, text: '' }
    : { label: 'Text', text: clipped(lineOf(tokens)), html: html.trim() }

/** Returns the refusal of a text that lacks kept blocks or shortcodes of the stored one, or has changed ones. */
export const losses = (read: ReadText, given: readonly Given[], html: string): Spliced | undefined => {
  const ids = idsOf(given)
  const there = new Set(ids)
  const removed = removedIds(html)
  const lost = idsOf(read.units).filter((id) => !there.has(id) && !removed.has(id))
  if (lost.length > 0)
    return refused(
      'would_lose',
      `The text lacks blocks that only the site’s editor can write: ${lost.map((id) => `${named(read, id).label} (${id})`).join(', ')}. Put each back as <figure data-kept="ID"></figure>, or remove it with <figure data-kept="ID" data-remove></figure>.`,
      lost.map((id) => named(read, id)),
    )
  if (there.size < ids.length) {
    const twice = ids.filter((id) => !there.delete(id))
    return refused(
      'not_possible',
      `The text has a kept block twice: ${twice.join(', ')}.`,
      twice.map((id) => named(read, id)),
    )
  }
  return undefined
}

const codesOf = (blocks: readonly { tokens: readonly Token[] }[]): Map<string, number> => {
  const codes = new Map<string, number>()
  for (const { tokens } of blocks)
    for (const { kind, key, name } of tokens)
      if (kind === 'code' || (kind === 'open' && name === 'sup' && !key.endsWith('\u0001')))
        codes.set(key, (codes.get(key) ?? 0) + 1)
  return codes
}

/** Returns the refusal of a text that lacks shortcodes or references to footnotes of the stored one. */
export const lostCodes = (units: readonly Unit[], given: readonly Given[]): Spliced | undefined => {
  const left = codesOf(given)
  const lost = [...codesOf(units)].filter(([key, count]) => (left.get(key) ?? 0) < count).map(([key]) => key)
  if (lost.length === 0) return undefined
  const shown = lost.map((key) => (key.startsWith('<') ? 'a reference to a footnote' : key))
  return refused(
    'would_lose',
    `The text lacks parts that the site replaces when it shows the post: ${shown.join(', ')}. Put them back where they were.`,
    shown.map((text) => ({ label: 'Shortcode', text })),
  )
}

/** True if a caller’s block has what people changed in a block of the site. `before` is the block that they changed. */
const hasChange = (unit: Unit, before: Given, given: Given): boolean => {
  const keys = keyOf(given.tokens)
  return hunksOf(before.tokens, unit.tokens).every((hunk) => {
    if (typeof hunk === 'number') return true
    if (hunk.added.length > 0) return keys.includes(keyOf(hunk.added))
    const [first = 0] = hunk.removed
    const around = before.tokens.slice(Math.max(0, first - 1), (hunk.removed.at(-1) ?? first) + 2)
    return !keys.includes(keyOf(around))
  })
}

/**
 * Returns the refusal if people changed the post since the service last knew its text, and the caller’s text does not have their changes.
 *
 * `known` has the texts that the service knows, first the one that the site has by its knowledge.
 */
export const changesAtSite = (
  read: ReadText,
  given: readonly Given[],
  known: readonly (readonly Given[])[],
): Spliced | undefined => {
  const now = keysOf(read.units)
  if (known.some((text) => keysOf(text) === now)) return undefined
  const [base = []] = known
  const based = new Set(base.map(({ key }) => key))
  const wanted = new Set(given.map(({ key }) => key))
  const here = new Set(read.units.map(({ key }) => key))
  const gone = base.filter(({ key }) => !here.has(key))
  const changed = given.filter(({ key }) => !here.has(key) && !based.has(key))
  const unknown = read.units.filter(({ key }) => !based.has(key) && !wanted.has(key))
  const isFew = unknown.length * Math.max(gone.length, changed.length) <= MAX_PAIRS
  const added = unknown.filter((unit) => {
    const [before, after] = isFew ? [mostLike(unit, gone), mostLike(unit, changed)] : []
    return !(before && after && hasChange(unit, before, after))
  })
  const back = gone.filter(({ key }) => wanted.has(key))
  if (added.length + back.length === 0) return undefined
  const parts = [
    ...added.map(partOf),
    ...back.map(({ tokens, html }) => ({ label: 'Removed at the site', text: clipped(lineOf(tokens)), html })),
  ]
  const shown = parts.slice(0, 5).map(({ label, text }) => (text === '' ? label : `“${text}”`))
  return refused(
    'changed_at_site',
    `People changed the post at the site since: ${shown.join(', ')}. Send a text that has their changes.`,
    parts,
  )
}
