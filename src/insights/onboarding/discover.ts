import type { KeptKeyword } from '../../../schema/values/keywords.ts'
import type { ProviderFailure } from '../../accounts/provider-keys/port.ts'
import {
  comparable,
  type KeywordProviders,
  type KeywordsFound,
  type MeasuringProvider,
  marketOf,
} from '../keywords/market.ts'

/** Facts about a business and its site, for finding keywords. */
export type KeywordInput = {
  /** Language tag (`en`), then the label of the language and the region of the project. */
  tag: string
  language: string
  region: string
  businessName: string
  description: string
  audience: readonly string[]
  /** Phrases the site is about, best first. */
  topics: readonly string[]
  /** Subjects of the project's pillar pages, in words. */
  pillars: readonly string[]
  pages: readonly { title: string; keyword: string; description: string }[]
  /** Domains. */
  competitors: readonly string[]
  /** Most keywords to return. */
  limit: number
}

/** A keyword. Volume (searches a month) and difficulty (0–100) are null if they were not measured. */
export type FoundKeyword = { keyword: string; searchVolume: number | null; difficulty: number | null; source: string }

/** Keywords made of the words of the site and its owner, without a service. */
export type SiteWords = {
  /** Returns the subjects of the business, best first, as phrases for which a provider has keywords. */
  seeds: (input: KeywordInput) => string[]
  /** Returns keywords made of these subjects, best first. */
  keywords: (input: KeywordInput) => string[]
}

/** Weight of a keyword by its intent. Articles serve readers better than people who look for a shop or for one site. */
const INTENTS = { informational: 1, commercial: 1.1, transactional: 0.7, navigational: 0 } as const
const UNKNOWN_INTENT = 0.9
const UNKNOWN_DIFFICULTY = 50
/** Factor for each further keyword of the same seed, so that a month is not all about one subject. */
const REPEATED = 0.93

/** A keyword with the seed it was found by. */
type Candidate = KeptKeyword & { seed: string }

/** Returns the expected value of an article on a keyword: high for many searches, low difficulty and a fitting intent. */
export const worthOf = ({ searchVolume, difficulty, intent }: KeptKeyword): number => {
  if (searchVolume === null || searchVolume <= 0) return 0
  const ease = 1 - (difficulty ?? UNKNOWN_DIFFICULTY) / 125
  return Math.log10(1 + searchVolume) * ease * (intent === null ? UNKNOWN_INTENT : INTENTS[intent])
}

/** Returns the candidates that are worth an article, best first. Later ones of a seed count a little less. */
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

/** Number of seeds whose related keywords are requested, all at once. */
const SEEDS = 6
const NEAR_EACH = 50
/** Most keywords of the site's own words that are measured: as many as one request may have. */
const MEASURED = 700
const MAX_LETTERS = 80
const MAX_WORDS = 10

const NOT_MEASURED =
  'The keywords come from the site’s own words, and their numbers are not measured: no provider of keyword data is set up.'
const MADE_UP =
  'The keywords’ volumes and difficulties are made up: a sandbox answered instead of the provider of keyword data.'

/** Keywords, best first, and a note about them. */
export type Discovery = { kind: 'found'; keywords: FoundKeyword[]; note: string | null }

/** Sources of onboarding's keywords. */
export type KeywordDeps = { words: SiteWords; providers: Pick<KeywordProviders, 'service' | 'isSandbox'> }

const canBeAsked = (keyword: string): boolean => keyword.length <= MAX_LETTERS && keyword.split(' ').length <= MAX_WORDS

const ownWords = (words: SiteWords, input: KeywordInput): Discovery => ({
  kind: 'found',
  keywords: words.keywords(input).map((keyword) => ({ keyword, searchVolume: null, difficulty: null, source: 'site' })),
  note: NOT_MEASURED,
})

const nameOf = (domain: string): string => (domain.replace(/^www\./, '').split('.')[0] ?? '').replaceAll('-', ' ')

/**
 * Returns a function that is true for keywords with the name of the business or a competitor.
 *
 * People who search for a name look for that business.
 */
const namesABusiness = ({ businessName, competitors }: KeywordInput): ((keyword: string) => boolean) => {
  const names = [businessName, ...competitors.map(nameOf)].map(comparable).filter((name) => name.length > 3)
  return (keyword) => names.some((name) => ` ${keyword} `.includes(` ${name} `))
}

/** Returns the seeds with most searches. Those with equally many stay in the order of the site. */
const searchedFor = (seeds: readonly string[], measured: ReadonlyMap<string, number>): string[] => {
  const ranked = seeds.toSorted((a, b) => (measured.get(comparable(b)) ?? 0) - (measured.get(comparable(a)) ?? 0))
  return ranked.slice(0, SEEDS)
}

const isFound = (answer: KeywordsFound | ProviderFailure): answer is KeywordsFound => answer.kind === 'found'

const candidatesOf = (seed: string, { rows }: KeywordsFound): Candidate[] => rows.map((row) => ({ ...row, seed }))

/** Returns the seed that a keyword of the site's own words contains; the keyword itself if it contains none. */
const seedOf = (keyword: string, seeds: readonly string[]): string =>
  seeds.find((seed) => keyword.includes(comparable(seed))) ?? keyword

const measuredBy = async (
  provider: MeasuringProvider,
  words: SiteWords,
  input: KeywordInput,
): Promise<Candidate[] | ProviderFailure> => {
  const market = marketOf(input.language, input.region)
  const seeds = words.seeds(input).filter(canBeAsked)
  const own = [...new Set([...seeds, ...words.keywords(input)].filter(canBeAsked).map(comparable))]
  const known = await provider.measure(market, own.slice(0, MEASURED))
  if (!isFound(known)) return known
  const volumes = new Map(known.rows.map((row) => [comparable(row.keyword), row.searchVolume ?? 0]))
  const asked = searchedFor(seeds, volumes)
  const near = await Promise.all(asked.map((seed) => provider.search(market, comparable(seed), NEAR_EACH)))
  const failure = near.find((answer) => !isFound(answer))
  if (failure && !isFound(failure) && !near.some(isFound) && known.rows.length === 0) return failure
  return [
    ...known.rows.map((row) => ({ ...row, seed: seedOf(comparable(row.keyword), seeds) })),
    ...near.flatMap((answer, n) => (isFound(answer) ? candidatesOf(comparable(asked[n] ?? ''), answer) : [])),
  ]
}

/** Returns the candidates without repeated keywords. The first of duplicates wins. */
const distinct = (candidates: readonly Candidate[]): Candidate[] =>
  [...new Map(candidates.toReversed().map((row) => [comparable(row.keyword), row])).values()].toReversed()

/**
 * Returns keywords for a business by volume, difficulty and intent, or the failure of the provider.
 *
 * Without a provider of keyword data, they are made of the site's own words, and the note explains that.
 */
export const discoverKeywords = async (
  { words, providers }: KeywordDeps,
  input: KeywordInput,
): Promise<Discovery | ProviderFailure> => {
  if (!providers.service) return ownWords(words, input)
  const candidates = await measuredBy(providers.service, words, input)
  if (!Array.isArray(candidates)) return candidates
  const isAboutABusiness = namesABusiness(input)
  const keywords = bestFirst(distinct(candidates))
    .filter(({ keyword }) => !isAboutABusiness(comparable(keyword)))
    .map(({ keyword, searchVolume, difficulty }) => ({ keyword, searchVolume, difficulty, source: 'dataforseo' }))
  const note = providers.isSandbox('dataforseo') ? MADE_UP : null
  return { kind: 'found', keywords: keywords.slice(0, input.limit), note }
}
