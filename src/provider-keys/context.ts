import type { KeyProvider } from '../../schema/values/keywords.ts'

/** What a sealed provider key is bound to: put elsewhere, it does not open. */
export const contextOf = (accountId: number, provider: KeyProvider): string => `provider_key:${accountId}:${provider}`
