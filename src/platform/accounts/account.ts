import type { Scope } from '../../../schema/values/accounts.ts'
import type { Account } from '../runtime/account.ts'

/** Owner of a presented key, with the state of the key and the account. */
export type KeyOwner = Account & {
  keyId: number
  key: { name: string; scopes: readonly Scope[]; expiresAt: Date | null }
  revokedAt: Date | null
  suspendedAt: Date | null
  lastUsedAt: Date | null
}

/** True if the key opens anything at this moment. */
export const isKeyLive = (owner: KeyOwner, now: Date): boolean =>
  owner.revokedAt === null && (owner.key.expiresAt === null || owner.key.expiresAt > now)
