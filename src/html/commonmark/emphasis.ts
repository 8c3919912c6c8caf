/** A run of `*`, `_` or `~` among the pieces of a line. */
export type Run = {
  /** Its place among the pieces. */
  piece: number
  char: string
  length: number
  /** Characters that are still text. */
  count: number
  canOpen: boolean
  canClose: boolean
  /** Tags that follow its text, and tags before it. */
  opened: string
  closed: string
}

const TAGS: Record<string, readonly [string, string]> = { '*': ['em', 'strong'], _: ['em', 'strong'], '~': ['', 'del'] }

/** Runs whose lengths add up to a multiple of three do not match where one of them can do both (CommonMark, rules 9 and 10). */
const isOdd = (opener: Run, closer: Run): boolean =>
  (opener.canClose || closer.canOpen) &&
  (opener.length + closer.length) % 3 === 0 &&
  !(opener.length % 3 === 0 && closer.length % 3 === 0)

const kindOf = (closer: Run): string => `${closer.char}${closer.canOpen ? 1 : 0}${closer.length % 3}`

/** Takes as many marks of two runs as make one element; false where they make none. */
const match = (opener: Run, closer: Run): boolean => {
  const [single, double] = TAGS[opener.char] ?? ['', '']
  const isDouble = opener.count >= 2 && closer.count >= 2
  const tag = isDouble ? double : single
  if (!tag) return false
  const used = isDouble ? 2 : 1
  opener.count -= used
  closer.count -= used
  opener.opened = `<${tag}>${opener.opened}`
  closer.closed += `</${tag}>`
  return true
}

/**
 * Matches runs from `bottom` on and takes them off the list. Of each kind of closer it remembers where no opener was found, so
 * that no run is looked at again for nothing.
 */
export const matchRuns = (runs: Run[], bottom: number): void => {
  const open: Run[] = []
  const barren = new Map<string, number>()
  for (const closer of runs.slice(bottom)) {
    while (closer.canClose && closer.count > 0) {
      const kind = kindOf(closer)
      const lowest = barren.get(kind) ?? 0
      let at = open.length - 1
      for (; at >= lowest; at -= 1) {
        const opener = open[at]
        if (opener && opener.char === closer.char && !isOdd(opener, closer) && match(opener, closer)) break
      }
      if (at < lowest) {
        barren.set(kind, open.length)
        break
      }
      // What lies between the two can match nothing outside.
      open.length = (open[at]?.count ?? 0) > 0 ? at + 1 : at
      for (const [key, value] of barren) if (value > open.length) barren.set(key, open.length)
    }
    if (closer.canOpen && closer.count > 0) open.push(closer)
  }
  runs.length = bottom
}

/** A run as it stands in the answer. */
export const shownRun = (run: Run): string => `${run.closed}${run.char.repeat(run.count)}${run.opened}`
