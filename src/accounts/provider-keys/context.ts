import type { KeyProvider } from '../../../schema/values/keywords.ts'

/** Returns the context that a sealed provider key is bound to: it does not open elsewhere. */
export const contextOf = (accountId: number, provider: KeyProvider): string => `provider_key:${accountId}:${provider}`
