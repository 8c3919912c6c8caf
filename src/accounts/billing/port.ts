import type { Plan } from '../../../schema/values/accounts.ts'

/** Current state of a subscription at the provider. */
export type PaidSubscription = {
  id: string
  customerId: string
  status: string
  /** Its only item. The quantity of the item is the number of slots. */
  itemId: string
  /** Undefined if the price belongs to none of the configured plans. */
  plan: Plan | undefined
  slots: number
  periodEnd: Date | null
  endsWithPeriod: boolean
  createdAt: Date
  /** The account it was bought for. */
  accountId: number | undefined
}

/**
 * Result of a request to the provider, or the reason for its refusal, for people to read. `isGone` is true if the provider does not
 * know the object. `lasts` is true if the request stays refused until the operator of the service fixes the cause.
 */
export type Asked<T> = { ok: T } | { refused: string; isGone: boolean; lasts: boolean }

/** Payment provider. Each call is one request. */
export type Payments = {
  /** Plans that can be bought: at least one if payment is set up. */
  plans: readonly Plan[]
  /** Origins of the provider's pages that people are sent to. */
  origins: readonly string[]
  /** Returns the address where a person buys a plan. The same `key` gives the same address. */
  checkout: (of: {
    accountId: number
    email: string
    customerId: string | undefined
    plan: Plan
    slots: number
    returnTo: string
    key: string
  }) => Promise<Asked<string>>
  /** Returns the address where a person manages plan, cards and invoices; with `slots`, where they confirm that number of slots. */
  portal: (of: {
    customerId: string
    returnTo: string
    slots?: { subscriptionId: string; itemId: string; count: number }
  }) => Promise<Asked<string>>
  subscription: (id: string) => Promise<Asked<PaidSubscription>>
  /** Ends a subscription at once. Returns true also if it had ended before. */
  cancel: (id: string) => Promise<boolean>
}
