import type { Plan, Scope } from './values.ts'

/** The account on whose behalf something runs, as the kernel knows it. */
export type Account = {
  id: number
  plan: Plan
  projectSlots: number
}

/** What a presented key turned out to be. */
export type KeyOwner = Account & {
  keyId: number
  scopes: readonly Scope[]
  expiresAt: Date | null
  revokedAt: Date | null
  suspendedAt: Date | null
  lastUsedAt: Date | null
}

/** Whether the key opens anything at this moment. */
export const isKeyLive = (owner: KeyOwner, now: Date): boolean =>
  owner.revokedAt === null && (owner.expiresAt === null || owner.expiresAt > now)
