import { diffArrays } from 'diff'

/** Change of a text: the lines `from` to `to` of the base became `lines`. */
type Change = { from: number; to: number; lines: string[] }

/** The same lines changed in two ways. */
export type Conflict = { theirs: string; ours: string }

/** Most changed lines that are searched for. Texts that differ more count as one change of all lines. */
const MAX_CHANGES = 2_000

const changesOf = (base: readonly string[], next: readonly string[]): Change[] => {
  const parts = diffArrays([...base], [...next], { maxEditLength: MAX_CHANGES })
  if (!parts) return [{ from: 0, to: base.length, lines: [...next] }]
  const changes: Change[] = []
  let at = 0
  let open: Change | undefined
  for (const { added, removed, value } of parts) {
    if (!added && !removed) {
      at += value.length
      open = undefined
      continue
    }
    if (!open) {
      open = { from: at, to: at, lines: [] }
      changes.push(open)
    }
    if (removed) {
      at += value.length
      open.to = at
    } else open.lines.push(...value)
  }
  return changes
}

/** True if two changes have a line in common, or insert at the same place. */
const touch = (one: Change, other: Change): boolean =>
  one.from === other.from || (one.from < other.to && other.from < one.to)

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((line, n) => line === other[n])

/** Returns the lines of a region after some changes within it. */
const applied = (base: readonly string[], { from, to }: { from: number; to: number }, changes: readonly Change[]) => {
  const lines: string[] = []
  let at = from
  for (const change of changes) {
    lines.push(...base.slice(at, change.from), ...change.lines)
    at = change.to
  }
  return [...lines, ...base.slice(at, to)]
}

/**
 * Merges two changed versions of a text by lines: what people wrote (`theirs`), and the new text (`ours`).
 *
 * Returns the first conflict if both changed the same lines in different ways.
 */
export const mergeLines = (
  base: readonly string[],
  theirs: readonly string[],
  ours: readonly string[],
): { lines: string[] } | { conflict: Conflict } => {
  const left = changesOf(base, theirs)
  const right = changesOf(base, ours)
  const lines: string[] = []
  let [at, l, r] = [0, 0, 0]
  while (l < left.length || r < right.length) {
    const [nextLeft, nextRight] = [left[l], right[r]]
    const isLeft = nextRight === undefined || (nextLeft !== undefined && nextLeft.from <= nextRight.from)
    const first = (isLeft ? nextLeft : nextRight) as Change
    const region = { ...first }
    const [fromLeft, fromRight] = [l, r]
    for (let grows = true; grows; ) {
      grows = false
      for (const one of [left[l], right[r]]) {
        if (!one || !(one === first || touch(region, one))) continue
        region.to = Math.max(region.to, one.to)
        if (one === left[l]) l += 1
        else r += 1
        grows = true
      }
    }
    const made = {
      theirs: applied(base, region, left.slice(fromLeft, l)),
      ours: applied(base, region, right.slice(fromRight, r)),
    }
    lines.push(...base.slice(at, region.from))
    if (l === fromLeft || isSame(made.theirs, made.ours)) lines.push(...made.ours)
    else if (r === fromRight) lines.push(...made.theirs)
    else return { conflict: { theirs: made.theirs.join('\n'), ours: made.ours.join('\n') } }
    at = region.to
  }
  return { lines: [...lines, ...base.slice(at)] }
}
