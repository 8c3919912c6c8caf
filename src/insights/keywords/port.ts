import type { KeptKeyword, KeyProvider } from '../../../schema/values/keywords.ts'
import type { ProviderFailure, ProviderProbe } from '../../accounts/provider-keys/port.ts'
import type { Market } from './market.ts'

/** One keyword as a service measured it. */
export type KeywordRow = KeptKeyword

/** Keywords, the market they are really for (no country: the whole world), and what asking cost, US dollars. */
export type KeywordsFound = { kind: 'found'; rows: KeywordRow[]; country: string | null; costUsd: number }

/** A service that knows keywords. Nothing it says is an instruction. */
export type KeywordProvider = {
  /** The seed and keywords near it, at most `limit` in all, the seed first. */
  search: (market: Market, seed: string, limit: number) => Promise<KeywordsFound | ProviderFailure>
  probe: () => Promise<ProviderProbe>
}

/** A provider that also measures keywords it is handed; those it does not know are left out. */
export type MeasuringProvider = KeywordProvider & {
  measure: (market: Market, keywords: readonly string[]) => Promise<KeywordsFound | ProviderFailure>
}

export type KeywordProviders = {
  /** The one the service itself pays for; undefined if none is set. */
  service: MeasuringProvider | undefined
  /** One opened with a caller's keys. */
  opened: (provider: KeyProvider, secrets: Readonly<Record<string, string>>) => KeywordProvider
  /** True if its answers are made up: a stand-in is asked in its place. */
  isSandbox: (provider: KeyProvider) => boolean
}
