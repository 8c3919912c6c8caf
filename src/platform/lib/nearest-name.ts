const MAX_LENGTH = 40

/** Counts the letters that differ between two names. Two swapped neighbours count as one (optimal string alignment). */
export const editDistance = (a: string, b: string): number => {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const same = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwapped ? (before[j - 2] ?? 0) + 1 : same
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, same, swapped))
    }
    before = row
    row = next
  }
  return row[b.length] ?? 0
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/** Returns the known name nearest to a misspelt one: at most a third of its letters differ. Undefined if none is near. */
export const nearestName = (name: string, known: readonly string[]): string | undefined => {
  if (name.length > MAX_LENGTH) return undefined
  const given = plain(name)
  let best: { name: string; far: number } | undefined
  for (const candidate of known) {
    const far = editDistance(given, plain(candidate))
    if (far <= Math.floor(given.length / 3) && far < (best?.far ?? Number.POSITIVE_INFINITY))
      best = { name: candidate, far }
  }
  return best?.name
}
