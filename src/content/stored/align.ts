import { diffArrays } from 'diff'
import type { Given } from './given.ts'
import type { Token } from './tokens.ts'
import type { Unit } from './units.ts'

/** Most changes within one block that are compared. Beyond, its words are replaced whole. */
export const MAX_WORDS_CHANGED = 400
/** Most blocks of a text, or items of a list, that are compared with their neighbours. Beyond, blocks are found by themselves. */
export const MAX_BLOCKS_CHANGED = 1_000

type Hunk = { removed: number[]; added: Token[] }

/** Returns what differs between two lists of tokens: `keep` for one that both have, else what goes and what comes. */
export const hunksOf = (own: readonly Token[], given: readonly Token[]): (number | Hunk)[] => {
  const comparator = (a: Token, b: Token) => a.key === b.key
  const changes = diffArrays([...own], [...given], { comparator, maxEditLength: MAX_WORDS_CHANGED })
  if (!changes) return [{ removed: own.map((_, n) => n), added: [...given] }]
  const hunks: (number | Hunk)[] = []
  let at = 0
  for (const { added, removed, value } of changes) {
    const last = hunks.at(-1)
    const hunk: Hunk = typeof last === 'object' ? last : { removed: [], added: [] }
    if ((added || removed) && hunk !== last) hunks.push(hunk)
    if (added) hunk.added.push(...value)
    else
      for (const _ of value) {
        if (removed) hunk.removed.push(at)
        else hunks.push(at)
        at += 1
      }
  }
  return hunks
}

/** Share of the words of the shorter of two blocks that the other has, too. */
const likeness = (one: readonly Token[], other: readonly Token[]): number => {
  const words = (tokens: readonly Token[]) => tokens.filter(({ isSeen }) => isSeen).map(({ key }) => key)
  const known = new Map<string, number>()
  for (const key of words(one)) known.set(key, (known.get(key) ?? 0) + 1)
  let [same, all] = [0, 0]
  for (const key of words(other)) {
    all += 1
    const left = known.get(key) ?? 0
    if (left > 0) same += 1
    known.set(key, left - 1)
  }
  return same / Math.max(1, Math.max(all, words(one).length))
}

const LIKE = 0.3
/** Most pairs of changed blocks beside each other that are compared. Beyond, they are paired in their order. */
export const MAX_PAIRS = 400

export type Match = { given: Given; unit?: Unit; isSame: boolean }

/** Pairs changed blocks between two unchanged ones with the blocks that they were. */
const pair = (units: readonly Unit[], given: readonly Given[]): Match[] => {
  const isFew = units.length * given.length <= MAX_PAIRS
  let from = 0
  return given.map((one, n) => {
    const left = units.slice(from)
    const rest = given.length - n
    const best = isFew
      ? left.reduce(
          (found, unit, at) => {
            const like = unit.kept ? 0 : likeness(unit.tokens, one.tokens)
            return like > found.like ? { at, like } : found
          },
          { at: -1, like: LIKE },
        )
      : { at: left[0] && !left[0].kept ? 0 : -1, like: 1 }
    const isOnly = best.at < 0 && left.length === rest && left[0] && !left[0].kept
    const at = isOnly ? 0 : best.at
    const unit = at < 0 ? undefined : left[at]
    if (at >= 0) from += at + 1
    return unit ? { given: one, unit, isSame: false } : { given: one, isSame: false }
  })
}

type Aligned = { unit: Unit; given: Given } | { units: Unit[]; given: Given[] }

/**
 * Moves what differs over blocks that are the same, so that a changed block beside its double is compared with the block that it was:
 * of `A A` and `B A`, the first `A` became `B`.
 */
const slide = (hunks: Aligned[]): void => {
  let before: { units: Unit[]; given: Given[] } | undefined
  let run: { unit: Unit; given: Given }[] = []
  for (const hunk of hunks) {
    if ('unit' in hunk) {
      run.push(hunk)
      continue
    }
    if (before && hunk.units.length + before.units.length > 0) {
      const [from, to] = hunk.units.length > 0 ? [before, hunk] : [hunk, before]
      const isOpposite = from.units.length === 0 && to.given.length === 0
      const all =
        to === hunk ? [...run.map(({ unit }) => unit), ...to.units] : [...to.units, ...run.map(({ unit }) => unit)]
      const shift = to === hunk ? to.units.length : 0
      const fits = isOpposite && run.every(({ given }, n) => all[n + shift]?.key === given.key)
      if (fits) {
        for (const [n, pair] of run.entries()) pair.unit = all[n + shift] as Unit
        from.units = to === hunk ? all.slice(0, shift) : all.slice(run.length)
        to.units = []
      }
    }
    before = hunk
    run = []
  }
}

/** Finds for each given block the unit that it is, unchanged, moved or changed. */
export const matchesOf = (units: readonly Unit[], given: readonly Given[]): Match[] => {
  const comparator = (a: { key: string }, b: { key: string }) => a.key === b.key
  const changes = diffArrays<{ key: string }>([...units], [...given], {
    comparator,
    maxEditLength: MAX_BLOCKS_CHANGED,
  }) ?? [
    { removed: true, added: false, value: [...units], count: units.length },
    { removed: false, added: true, value: [...given], count: given.length },
  ]
  const hunks: Aligned[] = []
  let [u, g] = [0, 0]
  for (const { added, removed, value } of changes) {
    if (!added && !removed)
      for (const _ of value) {
        hunks.push({ unit: units[u] as Unit, given: given[g] as Given })
        u += 1
        g += 1
      }
    else {
      const last = hunks.at(-1)
      const hunk = last && 'units' in last ? last : { units: [], given: [] }
      if (hunk !== last) hunks.push(hunk)
      if (removed) hunk.units.push(...units.slice(u, u + value.length))
      else hunk.given.push(...given.slice(g, g + value.length))
      if (removed) u += value.length
      else g += value.length
    }
  }
  slide(hunks)
  // A block that is somewhere else now is the same block.
  const loose = new Map<string, Unit[]>()
  for (const hunk of hunks)
    if ('units' in hunk)
      for (const unit of hunk.units) {
        const same = loose.get(unit.key)
        if (same) same.push(unit)
        else loose.set(unit.key, [unit])
      }
  const moved = new Map<Given, Unit>()
  for (const hunk of hunks)
    if ('units' in hunk)
      for (const one of hunk.given) {
        const unit = loose.get(one.key)?.shift()
        if (unit) moved.set(one, unit)
      }
  const taken = new Set(moved.values())
  return hunks.flatMap((hunk): Match[] => {
    if ('unit' in hunk) return [{ ...hunk, isSame: true }]
    const left = pair(
      hunk.units.filter((unit) => !taken.has(unit)),
      hunk.given.filter((one) => !moved.has(one)),
    )
    const found = new Map(left.map((match) => [match.given, match]))
    return hunk.given.map((one) => {
      const unit = moved.get(one)
      return unit ? { given: one, unit, isSame: true } : (found.get(one) ?? { given: one, isSame: false })
    })
  })
}

/** Returns the block that is most like another one; undefined if none is. */
export const mostLike = <T extends { tokens: readonly Token[] }>(
  { tokens }: { tokens: readonly Token[] },
  all: readonly T[],
): T | undefined => {
  let best: { one: T; like: number } | undefined
  for (const one of all) {
    const like = likeness(one.tokens, tokens)
    if (like >= LIKE && like > (best?.like ?? 0)) best = { one, like }
  }
  return best?.one
}
