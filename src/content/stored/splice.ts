import { matchesOf } from './align.ts'
import type { AnyStored } from './forms.ts'
import { type Given, givenIn, keysOf } from './given.ts'
import { spliceLexical } from './lexical.ts'
import { blockOf } from './make.ts'
import { changesAtSite, losses, lostCodes, refused, type Spliced } from './refusals.ts'
import { keyOf, type Token } from './tokens.ts'
import { readStored, type Unit } from './units.ts'
import { isBlockTag, placesOf, type Splicing, spliceWords } from './words.ts'

/** Returns the given block as a new block of the site’s editor; undefined if it has kept blocks in it. */
const made = ({ format }: Splicing, { html, tokens }: Given): string | undefined => {
  if (tokens.some(({ kind }) => kind === 'kept')) return undefined
  return format === 'blocks' ? blockOf(html.trim()) : html.trim()
}

const PURE = (tokens: readonly Token[]): boolean => tokens.every((token) => isBlockTag(token))

/**
 * Returns a block with inner blocks, of which some are new, changed or gone; undefined if more than its inner blocks changed.
 */
const spliceInner = (splicing: Splicing, unit: Unit, given: Given): string | undefined => {
  const { block } = unit
  const inner = unit.inner ?? []
  const [first, last] = [inner[0], inner.at(-1)]
  if (!block || !first || !last) return undefined
  const places = placesOf(unit)
  const head = unit.tokens.filter((_, n) => (places[n]?.end ?? 0) <= first.start)
  const tail = unit.tokens.filter((_, n) => (places[n]?.start ?? 0) >= last.end)
  const begins = given.tokens.slice(0, head.length)
  const ends = tail.length === 0 ? [] : given.tokens.slice(-tail.length)
  const isWrapped = PURE(head) && PURE(tail) && keyOf(head) === keyOf(begins) && keyOf(tail) === keyOf(ends)
  if (!isWrapped || given.tokens.length < head.length + tail.length) return undefined
  const html = given.html.slice(begins.at(-1)?.end ?? 0, ends[0]?.start ?? given.html.length)
  const parts = join(splicing, inner, givenIn(html, splicing.format), { start: first.start, end: last.end }, block.name)
  return parts === undefined
    ? undefined
    : splicing.text.slice(unit.start, first.start) + parts + splicing.text.slice(last.end, unit.end)
}

/** Blocks in which paragraphs and lists can stand. */
const HOLDS = new Set(['group', 'column', 'quote', 'list-item', 'details', 'media-text'])

/** Returns a new block for a place in the text, or in another block; undefined if that block cannot hold it. */
const newItem = (splicing: Splicing, given: Given, parent: string | undefined): string | undefined => {
  if (parent !== undefined && parent !== 'list' && !HOLDS.has(parent)) return undefined
  if (parent !== 'list') return made(splicing, given)
  const list = made(splicing, { ...given, html: `<ul>${given.html}</ul>` })
  return list && /<!-- wp:list-item -->[\s\S]*<!-- \/wp:list-item -->/.exec(list)?.[0]
}

/** Returns the stored text of blocks in the order of the caller’s, within a place; undefined if a change cannot be made. */
const join = (
  splicing: Splicing,
  units: readonly Unit[],
  given: readonly Given[],
  { start, end }: { start: number; end: number },
  parent?: string,
): string | undefined => {
  const { text } = splicing
  const nextOf = new Map(units.map((unit, n) => [unit, units[n + 1]]))
  /** Returns the text between a unit and the next one. More than blanks shows nothing, and stays. */
  const gapOf = (unit: Unit): string => text.slice(unit.end, nextOf.get(unit)?.start ?? end)
  const matches = matchesOf(units, given)
  const used = new Set(matches.flatMap(({ unit }) => (unit ? [unit] : [])))
  /** Returns the text that stays after the removed units from this one on. */
  const leftFrom = (unit: Unit | undefined): string => {
    let left = ''
    for (let one = unit; one && !used.has(one); one = nextOf.get(one)) if (gapOf(one).trim() !== '') left += gapOf(one)
    return left
  }
  const between =
    units
      .slice(0, -1)
      .map(gapOf)
      .find((gap) => gap.trim() === '') ?? '\n\n'
  const parts: string[] = [text.slice(start, units[0]?.start ?? end), leftFrom(units[0])]
  for (const [n, { given: one, unit, isSame }] of matches.entries()) {
    const html = isSame && unit ? text.slice(unit.start, unit.end) : changed(splicing, one, unit, parent)
    if (html === undefined) return undefined
    parts.push(html)
    const next = matches[n + 1]
    const gap = unit ? gapOf(unit) : ''
    const isFollowed = unit !== undefined && next?.unit !== undefined && nextOf.get(unit) === next.unit
    const left = unit ? leftFrom(nextOf.get(unit)) : ''
    if (isFollowed || gap.trim() !== '') parts.push(gap, left)
    else if (left !== '') parts.push(left)
    else if (next) parts.push(between)
  }
  const last = units.at(-1)
  if (last && gapOf(last).trim() === '') parts.push(gapOf(last))
  return parts.join('')
}

/** Returns the stored text of a block that the caller changed or made. */
const changed = (
  splicing: Splicing,
  given: Given,
  unit: Unit | undefined,
  parent: string | undefined,
): string | undefined => {
  if (!unit) return newItem(splicing, given, parent)
  const spliced = spliceWords(splicing, unit, given) ?? spliceInner(splicing, unit, given)
  return spliced ?? (unit.inner && unit.inner.length > 0 ? undefined : newItem(splicing, given, parent))
}

/**
 * Returns a stored text with the smallest change that makes it show the caller’s HTML. Blocks that did not change stay byte for byte.
 *
 * `known`: texts as HTML that the service knows of the post, first the one that the site has by its knowledge. Without one, nobody can
 * have changed the post since.
 */
export const spliceStored = ({
  known,
  html,
  format,
  text: before,
}: AnyStored & { known: readonly string[]; html: string }): Spliced => {
  if (format === 'lexical') return spliceLexical(before, { known, html })
  const stored = { format, text: before }
  const read = readStored(stored)
  if (!read) return refused('not_possible', 'The blocks of the post do not nest, so its text is read only here.')
  const given = givenIn(html, stored.format)
  if (keysOf(given) === keysOf(read.units)) return { kind: 'spliced', text: stored.text }
  const wrong =
    (known.length > 0
      ? changesAtSite(
          read,
          given,
          known.map((text) => givenIn(text, stored.format)),
        )
      : undefined) ??
    losses(read, given, html) ??
    (stored.format === 'html' ? undefined : lostCodes(read.units, given))
  if (wrong) return wrong
  const splicing = { text: stored.text, read, format: stored.format }
  const text = join(splicing, read.units, given, { start: 0, end: stored.text.length })
  const after = text === undefined ? undefined : readStored({ ...stored, text })
  // The proof: what the site would show is what the caller sent.
  if (text === undefined || !after || keysOf(after.units) !== keysOf(given))
    return refused(
      'not_possible',
      'The change rebuilds a block that only the site’s editor can write. Change its words alone, or change it at the site.',
    )
  return { kind: 'spliced', text }
}
