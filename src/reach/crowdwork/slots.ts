import { and, eq, exists } from 'drizzle-orm'
import { crowdworkCampaigns as campaigns } from '../../../schema/crowdwork.ts'
import type { Rating } from '../../../schema/values/crowdwork.ts'
import { askPolicy, policyRefusal } from '../../accounts/policy/read.ts'
import { when } from '../../platform/db/steps.ts'
import { audit } from '../../platform/db/writes.ts'
import { streamed } from '../../platform/http/route.ts'
import { csvLine } from '../../platform/lib/csv.ts'
import { ApiError, invalidInput } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { ListSlotsInput, RateSlotInput } from './operations.ts'
import { type Crowdwork, failureError, type Slot, type SlotFilter, valueFrom } from './port.ts'
import { askLive, loadCampaign, slotShown } from './read.ts'
import { slotTotal } from './rules.ts'

const PAGE = { default: 50, max: 100 }
/**
 * Furthest slot of a page: our largest campaign has as many. The provider pages by tokens, so all pages before it must be read.
 */
const REACH = 2_000

/** Yields the taken slots of a campaign, newest first. Throws 404, 502, 503. */
async function* slotsOf(crowd: Crowdwork, campaignId: string, filter: SlotFilter): AsyncGenerator<Slot[]> {
  let token: string | null = null
  do {
    const page: { slots: Slot[]; next: string | null } = valueFrom(
      crowd.name,
      await crowd.slots(campaignId, filter, token),
      'campaign',
    )
    yield page.slots
    token = page.slots.length === 0 ? null : page.next
  } while (token !== null)
}

/** Returns the slots up to a position, and whether there are no more. */
const firstSlots = async (crowd: Crowdwork, campaignId: string, filter: SlotFilter, count: number) => {
  const found: Slot[] = []
  for await (const slots of slotsOf(crowd, campaignId, filter)) {
    found.push(...slots)
    if (found.length > count) return { found, isAll: false }
  }
  return { found, isAll: true }
}

/** Returns a page of a campaign's slots, latest submission first. Throws 404, 403, 400 for a page too far, 502, 503. */
export const listSlots = async (ctx: Ctx, crowd: Crowdwork, campaignId: string, input: ListSlotsInput) => {
  const page = input.page ?? 1
  const size = Math.min(input.pageSize ?? input.page_size ?? PAGE.default, PAGE.max)
  await loadCampaign(ctx, campaignId)
  if (page * size > REACH)
    throw invalidInput([
      {
        field: 'page',
        message: `must lie within the first ${REACH} slots`,
        allowed: { max: Math.floor(REACH / size) },
      },
    ])
  const [live, { found, isAll }] = await Promise.all([
    askLive(crowd, campaignId),
    firstSlots(crowd, campaignId, { status: input.status }, page * size),
  ])
  return {
    slots: found.slice((page - 1) * size, page * size).map(slotShown),
    page,
    page_size: size,
    total: isAll ? found.length : Math.max(found.length, slotTotal(live, input.status)),
  }
}

const HEAD = ['slot_id', 'worker_id', 'status', 'rating', 'submitted_at', 'type', 'question', 'answer', 'url']

/** Returns a line for each proof of a slot, or one line if it has none. */
const linesOf = ({ id, workerId, status, rating, submittedAt, proofs }: Slot): string => {
  const slot = [id, workerId, status, rating, submittedAt]
  if (proofs.length === 0) return csvLine([...slot, '', '', '', ''])
  return proofs
    .map((proof) =>
      proof.type === 'file'
        ? csvLine([...slot, 'file', '', '', proof.url])
        : csvLine([...slot, 'answer', proof.question, proof.answer, '']),
    )
    .join('')
}

async function* csvOf(first: IteratorResult<Slot[]>, rest: AsyncGenerator<Slot[]>): AsyncGenerator<string> {
  yield csvLine(HEAD)
  if (!first.done) yield first.value.map(linesOf).join('')
  for await (const slots of rest) yield slots.map(linesOf).join('')
}

/** Returns all submissions to a campaign as CSV. Throws 404, 403, 502, 503. */
export const exportProofs = async (ctx: Ctx, crowd: Crowdwork, campaignId: string) => {
  await loadCampaign(ctx, campaignId)
  const slots = slotsOf(crowd, campaignId, {})
  // Read before the answer begins, so that a failure of the provider becomes an error.
  return streamed(csvOf(await slots.next(), slots))
}

/**
 * Returns a slot of the campaign. Throws 404 if it belongs to another.
 *
 * The provider finds slots by id alone. Without this check, anyone could rate the slots of another account.
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

/** Returns the error for a slot with a different rating that is final; undefined if it may be rated. */
const lasting = ({ rating }: Slot, wanted: Rating): ApiError | undefined =>
  rating !== wanted && (rating === 'OK' || rating === 'NOK')
    ? new ApiError('already_rated', `The slot is already rated ${rating}, and a rating cannot be changed.`, { rating })
    : undefined

const NOT_RATED = 'The slot was not rated.'
const NOT_KNOWN = 'It is not known whether the slot was rated. Repeat the same call: it never rates twice.'

/**
 * Gives the rating. Returns false if another call gave the same one.
 *
 * After a refusal or a lost answer, it reads the rating from the slot. Throws 409 for a different rating that is final.
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
 * Rates a worker's submission. The same rating again is no error.
 *
 * Throws 404 for a slot of another campaign, 403, 409 for a slot with another final rating, 422, 502, 503.
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
    message: again ? `The slot is already rated ${rating}. ${MEANING[rating]}` : MEANING[rating],
  }
  const { id: accountId } = await ctx.account()
  if (again) return answer
  const mine = and(eq(campaigns.id, campaign.id), eq(campaigns.accountId, accountId))
  const isMine = exists(ctx.db.select({ id: campaigns.id }).from(campaigns).where(mine))
  await ctx.batch({
    changedCampaigns: ctx.db.update(campaigns).set({ updatedAt: ctx.now() }).where(mine),
    ...when(isMine, {
      audit: audit(ctx, {
        account: accountId,
        action: 'crowdwork.rate',
        on: ['campaign', campaign.id],
        detail: { slot_id: slotId, rating, comment: input.comment },
      }),
      kept: ctx.keepAnswer(answer),
    }),
  })
  return answer
}
