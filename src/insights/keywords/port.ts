import type { KeptKeyword, KeyProvider } from '../../../schema/values/keywords.ts'
import type { ProviderFailure, ProviderProbe } from '../../accounts/provider-keys/port.ts'
import type { Market } from './market.ts'

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
