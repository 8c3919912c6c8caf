import type { Plan, Scope } from '../../../schema/values/accounts.ts'

/** The account on whose behalf something runs, as the kernel knows it. */
export type Account = {
  id: number
  plan: Plan
  projectSlots: number
  /** The key that was presented; absent for work that no request asked for. */
  keyId?: number
  key?: { name: string; scopes: readonly Scope[]; expiresAt: Date | null }
}
