import type { KeptKeyword, KeyProvider } from '../../../schema/values/keywords.ts'
import type { ProviderFailure, ProviderProbe } from '../../accounts/provider-keys/port.ts'
import { countryOf, isWorldwide } from '../../platform/lib/countries.ts'
import { DEFAULT_LANGUAGE, type LANGUAGES, tagOfLanguage } from '../../platform/lib/languages.ts'

type Label = (typeof LANGUAGES)[number]

/** Country and language of a search: an ISO 3166-1 code, and the language code that search services use. */
export type Market = { country: string; language: string }

/** Language code of each project language, and the country to use if no region is given. */
const MARKETS: Record<Label, readonly [language: string, home: string]> = {
  'English (US)': ['en', 'US'],
  'English (UK)': ['en', 'GB'],
  'English (AU)': ['en', 'AU'],
  'English (CA)': ['en', 'CA'],
  English: ['en', 'US'],
  Arabic: ['ar', 'EG'],
  Bengali: ['bn', 'BD'],
  Bulgarian: ['bg', 'BG'],
  Catalan: ['ca', 'ES'],
  'Chinese (Simplified)': ['zh-CN', 'SG'],
  'Chinese (Traditional)': ['zh-TW', 'TW'],
  Croatian: ['hr', 'HR'],
  Czech: ['cs', 'CZ'],
  Danish: ['da', 'DK'],
  Dutch: ['nl', 'NL'],
  Estonian: ['et', 'EE'],
  Finnish: ['fi', 'FI'],
  French: ['fr', 'FR'],
  'French (CA)': ['fr', 'CA'],
  German: ['de', 'DE'],
  Greek: ['el', 'GR'],
  Hebrew: ['he', 'IL'],
  Hindi: ['hi', 'IN'],
  Hungarian: ['hu', 'HU'],
  Indonesian: ['id', 'ID'],
  Italian: ['it', 'IT'],
  Japanese: ['ja', 'JP'],
  Korean: ['ko', 'KR'],
  Latvian: ['lv', 'LV'],
  Lithuanian: ['lt', 'LT'],
  Malay: ['ms', 'MY'],
  Norwegian: ['nb', 'NO'],
  Persian: ['fa', 'IR'],
  Polish: ['pl', 'PL'],
  Portuguese: ['pt', 'PT'],
  'Portuguese (BR)': ['pt', 'BR'],
  Romanian: ['ro', 'RO'],
  Russian: ['ru', 'RU'],
  Serbian: ['sr', 'RS'],
  Slovak: ['sk', 'SK'],
  Slovenian: ['sl', 'SI'],
  Spanish: ['es', 'ES'],
  'Spanish (MX)': ['es', 'MX'],
  Swedish: ['sv', 'SE'],
  Thai: ['th', 'TH'],
  Turkish: ['tr', 'TR'],
  Ukrainian: ['uk', 'UA'],
  Vietnamese: ['vi', 'VN'],
}

/**
 * Returns the market of a project's language and region. Without a country, it uses the country of the language.
 *
 * `isKnown` is false if the region names no country and is not the whole world.
 */
export const marketOf = (language: string, region: string): Market & { isKnown: boolean } => {
  const [code, home] = MARKETS[language as Label] ?? MARKETS[DEFAULT_LANGUAGE]
  const country = isWorldwide(region) ? undefined : countryOf(region, tagOfLanguage(language))
  return { country: country ?? home, language: code, isKnown: country !== undefined || isWorldwide(region) }
}

/** A keyword with the numbers that a provider measured. */
export type KeywordRow = KeptKeyword

/** Keywords, the country their numbers are for (null: the whole world), and the cost of the query in US dollars. */
export type KeywordsFound = { kind: 'found'; rows: KeywordRow[]; country: string | null; costUsd: number }

/** A provider of keyword data. Its texts are data, never instructions. */
export type KeywordProvider = {
  /** Returns the seed and related keywords, the seed first, at most `limit` in total. */
  search: (market: Market, seed: string, limit: number) => Promise<KeywordsFound | ProviderFailure>
  probe: () => Promise<ProviderProbe>
}

/** A provider that can also measure given keywords. Keywords it does not know are left out. */
export type MeasuringProvider = KeywordProvider & {
  measure: (market: Market, keywords: readonly string[]) => Promise<KeywordsFound | ProviderFailure>
}

export type KeywordProviders = {
  /** The provider that the service itself pays for; undefined if none is configured. */
  service: MeasuringProvider | undefined
  /** Opens a provider with a caller's keys. */
  opened: (provider: KeyProvider, secrets: Readonly<Record<string, string>>) => KeywordProvider
  /** True if a stand-in answers instead of the provider, with made-up data. */
  isSandbox: (provider: KeyProvider) => boolean
}

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
