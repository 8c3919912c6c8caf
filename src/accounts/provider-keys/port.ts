import type { KeyProvider } from '../../../schema/values/keywords.ts'

/** Failure of a provider. `retryAfterS`: seconds to wait, if they are known. */
export type ProviderFailure = {
  kind: 'failed'
  /**
   * `auth`: the credentials are not accepted. `billing`: the account there has no balance or not the required subscription.
   * `rate_limited` and `transient` are temporary; `invalid_input` and `permanent` are not.
   */
  code: 'auth' | 'billing' | 'rate_limited' | 'invalid_input' | 'transient' | 'permanent'
  /** Sentence with the provider's own message. */
  reason: string
  /** HTTP status or the provider's own code. */
  status?: number
  retryAfterS?: number
  /** Price that the provider charged although it failed, in US dollars. */
  costUsd?: number
}

/** Result of checking credentials, which is free. `note` is a hint to the owner of the account there. */
export type ProviderProbe = { kind: 'accepted'; note?: string } | ProviderFailure

/** Providers that can check a key before it is saved. */
export type ProbedProviders = {
  /** Returns a provider that uses a caller's secrets. */
  opened: (provider: KeyProvider, secrets: Readonly<Record<string, string>>) => { probe: () => Promise<ProviderProbe> }
  /** True if a stand-in with made-up answers is used instead of the provider. */
  isSandbox: (provider: KeyProvider) => boolean
}
