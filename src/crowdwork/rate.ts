import { ApiError } from '../lib/errors.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { failureError, valueFrom } from './failure.ts'
import type { Crowdwork, Slot } from './port.ts'
import { loadCampaign } from './read.ts'
import type { RateSlotInput } from './schemas.ts'
import { slotsOf } from './slots.ts'
import { noteRating } from './statements.ts'

/**
 * The slot, which must be one of the campaign: the provider knows slots by themselves, so that without this anyone could rate
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

/** Gives the rating. A lost answer is looked up: the slot says whether it was taken. */
const giveRating = async (crowd: Crowdwork, slotId: string, { rating, comment }: RateSlotInput): Promise<void> => {
  const given = await crowd.rate(slotId, rating, comment)
  if (given.kind === 'got') return
  if (!given.mayBeDone) throw failureError(crowd.name, given, 'The slot was not rated.')
  const now = await crowd.slot(slotId)
  if (now.kind === 'got' && now.value.rating === rating) return
  throw failureError(
    crowd.name,
    given,
    'It is not known whether the slot was rated. Repeat the same call: it never rates twice.',
  )
}

/**
 * Rates what a worker handed in. The same rating again is no error. Throws 404 for a slot that is not one of the campaign, 403,
 * 409 for one that is rated otherwise for good, 422, 502, 503.
 */
export const rateSlot = async (ctx: Ctx, crowd: Crowdwork, slotId: string, input: RateSlotInput) => {
  const campaign = await loadCampaign(ctx, input.campaign_id)
  const slot = await slotIn(crowd, input.campaign_id, slotId)
  const again = slot.rating === input.rating
  if (!again && (slot.rating === 'OK' || slot.rating === 'NOK'))
    throw new ApiError('already_rated', `The slot is rated ${slot.rating} already, and a rating is for good.`, {
      rating: slot.rating,
    })
  if (!again) await giveRating(crowd, slotId, input)
  const { rating } = input
  const answer = {
    slot_id: slotId,
    rating,
    status: rating,
    message: again ? `The slot was rated ${rating} before. ${MEANING[rating]}` : MEANING[rating],
  }
  const { id: accountId } = await ctx.account()
  if (!again)
    await ctx.write(
      noteRating(ctx, accountId, campaign.id, { slot_id: slotId, rating, comment: input.comment }, answer),
    )
  return answer
}
