import type { KeptKeyword } from '../../../schema/values/keywords.ts'

/** Weight of a keyword by the intent of its searchers: readers of an article count more than those of a shop or of one site. */
const INTENTS = { informational: 1, commercial: 1.1, transactional: 0.7, navigational: 0 } as const
const UNKNOWN_INTENT = 0.9
const UNKNOWN_DIFFICULTY = 50
/** Factor for each further keyword of the same seed, so that a month is not all about one thing. */
const REPEATED = 0.93

/** A keyword with the seed it was found by. */
export type Candidate = KeptKeyword & { seed: string }

/** Returns the likely success of an article on a keyword: many searches, little difficulty, an intent that articles fit. */
export const worthOf = ({ searchVolume, difficulty, intent }: KeptKeyword): number => {
  if (searchVolume === null || searchVolume <= 0) return 0
  const ease = 1 - (difficulty ?? UNKNOWN_DIFFICULTY) / 125
  return Math.log10(1 + searchVolume) * ease * (intent === null ? UNKNOWN_INTENT : INTENTS[intent])
}

/** Candidates that are worth an article, best first; a seed's later ones count a little less. */
export const bestFirst = (candidates: readonly Candidate[]): Candidate[] => {
  const bySeed = new Map<string, { row: Candidate; worth: number }[]>()
  for (const row of candidates) {
    const worth = worthOf(row)
    if (worth > 0) bySeed.set(row.seed, [...(bySeed.get(row.seed) ?? []), { row, worth }])
  }
  return [...bySeed.values()]
    .flatMap((rows) =>
      rows.sort((a, b) => b.worth - a.worth).map(({ row, worth }, n) => ({ row, worth: worth * REPEATED ** n })),
    )
    .sort((a, b) => b.worth - a.worth || (a.row.keyword < b.row.keyword ? -1 : 1))
    .map(({ row }) => row)
}
