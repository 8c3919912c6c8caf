import { and, eq, exists } from 'drizzle-orm'
import { crowdworkCampaigns as campaigns } from '../../../schema/crowdwork.ts'
import type { Rating } from '../../../schema/values/crowdwork.ts'
import { askPolicy } from '../../accounts/policy/read.ts'
import { policyRefusal } from '../../accounts/policy/refusal.ts'
import { audit } from '../../platform/db/writes.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { RateSlotInput } from './operations.ts'
import { type Crowdwork, failureError, type Slot, valueFrom } from './port.ts'
import { loadCampaign } from './read.ts'
import { slotsOf } from './slots.ts'

/**
 * Returns the slot, which must be one of the campaign: the provider knows slots by themselves, so that without this anyone could rate
 * another account's.
 */
const slotIn = async (crowd: Crowdwork, campaignId: string, slotId: string): Promise<Slot> => {
  const slot = valueFrom(crowd.name, await crowd.slot(slotId), 'slot')
  const filter = slot.workerId === '' ? {} : { workerId: slot.workerId }
  for await (const slots of slotsOf(crowd, campaignId, filter)) if (slots.some(({ id }) => id === slotId)) return slot
  throw new ApiError('not_found', 'The campaign has no such slot.')
}

const MEANING = {
  OK: 'The work is accepted and the worker is paid.',
  NOK: 'The work is refused; the worker is told why.',
  REVISE: 'The worker is asked to do it again; rate it once more then.',
}

/** Returns the refusal of a rating of a slot that has another for good; undefined where it may be rated. */
const lasting = ({ rating }: Slot, wanted: Rating): ApiError | undefined =>
  rating !== wanted && (rating === 'OK' || rating === 'NOK')
    ? new ApiError('already_rated', `The slot is rated ${rating} already, and a rating is for good.`, { rating })
    : undefined

const NOT_RATED = 'The slot was not rated.'
const NOT_KNOWN = 'It is not known whether the slot was rated. Repeat the same call: it never rates twice.'

/**
 * Gives the rating; false where another call gave the same. After a refusal or a lost answer the slot says which rating it has.
 * Throws 409 for another that is for good.
 */
const giveRating = async (crowd: Crowdwork, slotId: string, { rating, comment }: RateSlotInput): Promise<boolean> => {
  const given = await crowd.rate(slotId, rating, comment)
  if (given.kind === 'got') return true
  if (given.mayBeDone || given.reason === 'rejected') {
    const now = await crowd.slot(slotId)
    if (now.kind === 'got' && now.value.rating === rating) return given.mayBeDone
    const refusal = now.kind === 'got' && lasting(now.value, rating)
    if (refusal) throw refusal
  }
  throw failureError(crowd.name, given, given.mayBeDone ? NOT_KNOWN : NOT_RATED)
}

/**
 * Rates what a worker handed in. The same rating again is no error. Throws 404 for a slot that is not one of the campaign, 403,
 * 409 for one that is rated otherwise for good, 422, 502, 503.
 */
export const rateSlot = async (ctx: Ctx, crowd: Crowdwork, slotId: string, input: RateSlotInput) => {
  const campaign = await loadCampaign(ctx, input.campaign_id)
  const slot = await slotIn(crowd, input.campaign_id, slotId)
  const refusal = lasting(slot, input.rating)
  if (refusal) throw refusal
  const rule = await askPolicy(ctx, campaign.projectId, { activity: 'crowdwork_rating', target: 'crowdwork' })
  if (rule !== null) throw await policyRefusal(ctx, campaign.projectId, rule, 'crowdwork_rating')
  const again = slot.rating === input.rating || !(await giveRating(crowd, slotId, input))
  const { rating } = input
  const answer = {
    slot_id: slotId,
    rating,
    status: rating,
    message: again ? `The slot was rated ${rating} before. ${MEANING[rating]}` : MEANING[rating],
  }
  const { id: accountId } = await ctx.account()
  if (again) return answer
  const mine = and(eq(campaigns.id, campaign.id), eq(campaigns.accountId, accountId))
  const isMine = exists(ctx.db.select({ id: campaigns.id }).from(campaigns).where(mine))
  await ctx.batch([
    ctx.db.update(campaigns).set({ updatedAt: ctx.now() }).where(mine),
    audit(ctx, {
      account: accountId,
      action: 'crowdwork.rate',
      on: ['campaign', campaign.id],
      detail: { slot_id: slotId, rating, comment: input.comment },
      if: isMine,
    }),
    ctx.keepAnswer(answer, { if: isMine }),
  ])
  return answer
}
