import type { Plan } from '../../../schema/values/accounts.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { withStop } from '../../platform/lib/text.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { Asked, Payments } from './port.ts'
import { isLiveStatus, subscriptionOf } from './subscription.ts'

export const MOST_SLOTS = 100

/** Returns the account's subscription, if it ever had one; `isLive` is true while it is paid for. */
export const readSubscription = async (ctx: Pick<Ctx, 'db'>, accountId: number) => {
  const [row] = await subscriptionOf(ctx.db, accountId)
  return row && { ...row, isLive: isLiveStatus(row.status) }
}

const addressIn = (asked: Asked<string>): string => {
  if ('ok' in asked) return asked.ok
  const { refused, lasts } = asked
  const toDo = lasts ? ' Repeating it does not help: the operator of this service has to fix that.' : ''
  throw new ApiError(
    'provider_unavailable',
    `Payment cannot be opened: ${withStop(refused)} Nothing was changed.${toDo}`,
    lasts ? { retryable: false } : { retry_after: 30 },
  )
}

type Buying = { email: string; plan: Plan; slots: number; returnTo: string; key: string }

/** Returns the address where a person buys a plan with so many slots. Throws where there is a subscription already, and 503. */
export const buyPlan = async (ctx: Ctx, payments: Payments, { email, plan, slots, returnTo, key }: Buying) => {
  const { id: accountId } = await ctx.account()
  const before = await readSubscription(ctx, accountId)
  if (before?.isLive)
    throw new ApiError('edit_conflict', 'There is a subscription already. Change its plan and slots instead.')
  const customerId = before?.customerId
  return addressIn(await payments.checkout({ accountId, email, customerId, plan, slots, returnTo, key }))
}

/** Returns the address where a person changes the subscription; with `slots`, where they confirm so many. Throws without one, and 503. */
export const managePlan = async (
  ctx: Ctx,
  payments: Payments,
  { slots, returnTo }: { slots?: number; returnTo: string },
) => {
  const { id: accountId } = await ctx.account()
  const row = await readSubscription(ctx, accountId)
  if (!row?.isLive || !row.subscriptionId || !row.itemId)
    throw new ApiError('not_found', 'There is no subscription to change. Choose a plan first.')
  const { customerId, subscriptionId, itemId } = row
  const change = slots === undefined ? {} : { slots: { subscriptionId, itemId, count: slots } }
  return addressIn(await payments.portal({ customerId, returnTo, ...change }))
}

/** Ends what an account pays for, at once. Throws where the provider does not confirm it. */
export const endSubscription = async (ctx: Ctx, payments: Payments, accountId: number): Promise<void> => {
  const row = await readSubscription(ctx, accountId)
  if (!row?.isLive || !row.subscriptionId) return
  if (!(await payments.cancel(row.subscriptionId))) throw new Error('the subscription could not be ended')
}
