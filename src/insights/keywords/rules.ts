import type { KeywordRow } from './port.ts'

/** Returns a keyword in the form used for queries and comparison: lower-case, one blank between words. */
export const comparable = (keyword: string): string => keyword.trim().replace(/\s+/g, ' ').toLowerCase()

const unknown = (keyword: string): KeywordRow => ({ keyword, searchVolume: null, difficulty: null, intent: null })

/**
 * Returns the seed first, with its numbers if they are known, then the other keywords in order. Each is listed once, at most
 * `limit` in total.
 */
export const seedFirst = (seed: string, rows: readonly KeywordRow[], limit: number): KeywordRow[] => {
  const key = comparable(seed)
  const found = new Map<string, KeywordRow>([[key, unknown(key)]])
  for (const row of rows) {
    const name = comparable(row.keyword)
    const known = found.get(name)
    if (!known || (name === key && known.searchVolume === null)) found.set(name, { ...row, keyword: name })
  }
  return [...found.values()].slice(0, limit)
}

/** Returns rows by searches a month, most first. Rows without a number come last. */
export const byVolume = (rows: readonly KeywordRow[]): KeywordRow[] =>
  rows.toSorted((a, b) => (b.searchVolume ?? -1) - (a.searchVolume ?? -1))
