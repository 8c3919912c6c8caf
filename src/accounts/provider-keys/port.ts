import type { KeyProvider } from '../../../schema/values/keywords.ts'

/** Failure of a provider. `retryAfterS`: seconds to wait, if they are known. */
export type ProviderFailure = {
  kind: 'failed'
  /**
   * `auth`: the credentials are not accepted; `billing`: the account there has no balance or not the subscription;
   * `rate_limited` and `transient` pass by themselves; `invalid_input` and `permanent` do not.
   */
  code: 'auth' | 'billing' | 'rate_limited' | 'invalid_input' | 'transient' | 'permanent'
  /** A sentence with the service's own words. */
  reason: string
  /** HTTP status or the service's own code. */
  status?: number
  retryAfterS?: number
  /** Price that it charged nevertheless, US dollars. */
  costUsd?: number
}

/** True if credentials are good; asking is free. `note`: what the account there should know. */
export type ProviderProbe = { kind: 'accepted'; note?: string } | ProviderFailure

/** Providers as those who save a key know them. */
export type ProbedProviders = {
  /** One opened with a caller's keys. */
  opened: (provider: KeyProvider, secrets: Readonly<Record<string, string>>) => { probe: () => Promise<ProviderProbe> }
  /** True if its answers are made up: a stand-in is asked in its place. */
  isSandbox: (provider: KeyProvider) => boolean
}
