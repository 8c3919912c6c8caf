import type { Plan } from '../../../schema/values/accounts.ts'

/** A subscription as the provider has it now. */
export type PaidSubscription = {
  id: string
  customerId: string
  status: string
  /** The one item of it, whose quantity is the slots. */
  itemId: string
  /** Undefined: a price that is none of the configured plans. */
  plan: Plan | undefined
  slots: number
  periodEnd: Date | null
  endsWithPeriod: boolean
  createdAt: Date
  /** The account it was bought for. */
  accountId: number | undefined
}

/**
 * Result of a request to the provider, or the reason for its refusal, for people to read. `lasts`: the same request is refused until
 * the operator of the service fixes what is wrong.
 */
export type Asked<T> = { ok: T } | { refused: string; isGone: boolean; lasts: boolean }

/** Payment provider. Each call is one request. */
export type Payments = {
  /** Plans that can be bought, with at least one where payment is set up. */
  plans: readonly Plan[]
  /** Sites people are sent to from here. */
  origins: readonly string[]
  /** The address where a person buys a plan. The same `key` gives the same address. */
  checkout: (of: {
    accountId: number
    email: string
    customerId: string | undefined
    plan: Plan
    slots: number
    returnTo: string
    key: string
  }) => Promise<Asked<string>>
  /** The address where a person changes plan, cards and invoices; with `slots`, where they confirm so many. */
  portal: (of: {
    customerId: string
    returnTo: string
    slots?: { subscriptionId: string; itemId: string; count: number }
  }) => Promise<Asked<string>>
  subscription: (id: string) => Promise<Asked<PaidSubscription>>
  /** Ends it at once; true also where it had ended before. */
  cancel: (id: string) => Promise<boolean>
}
