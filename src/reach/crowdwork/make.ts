import { crowdworkCampaigns as campaigns } from '../../../schema/crowdwork.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { type Holder, isHeld, release } from './lease.ts'
import { type CampaignOrder, type Crowd, type CrowdFailure, type Crowdwork, failureError } from './port.ts'
import type { MakingRow } from './queries.ts'
import { isInFlight, marked } from './rules.ts'

/** Fields of the call that began a campaign, as its row keeps them. */
export type Wanted = {
  description: string
  template_html: string
  template_title: string
  category_id?: string | undefined
  minutes_to_finish: number
  ttr: number
  speed: number
  number_of_file_proofs?: number | undefined
  allowed_file_types?: readonly string[] | undefined
}

/** Campaign and template that the provider has by now. */
export type MadeCampaign = { campaignId: string; templateId: string }

/** Returns the refusal of a call that another one with the same body is at. */
export const inProgress = (): ApiError =>
  new ApiError(
    'campaign_in_progress',
    'The same call is making this campaign at the moment. Repeat it in a few seconds: within ten minutes it is answered with the same campaign, and no second one is made.',
    {
      retry_after: 5,
    },
  )

/** Notes that a campaign is being sent, with its template. Throws 409 if another request holds it by now. */
const noteSending = async (ctx: Ctx, holder: Holder, templateId: string): Promise<void> => {
  const now = ctx.now()
  const [noted] = await ctx.batch(
    [
      ctx.db
        .update(campaigns)
        .set({ templateId, sentAt: now, updatedAt: now })
        .where(isHeld(ctx, holder))
        .returning({ id: campaigns.id }),
    ],
    { unaudited: 'a step on the way to a campaign' },
  )
  if (noted.length === 0) throw inProgress()
}

const NOT_MADE = 'No campaign was made and nothing is spent; the same call goes on from here.'
const NOT_KNOWN =
  'It is not known whether the campaign was made. Repeat the same call: it is looked up first, and never made twice.'

/** Releases the row and records why: the campaign was not made, or that is not known. */
const giveUp = async (
  ctx: Ctx,
  crowd: Crowdwork,
  holder: Holder,
  failure: CrowdFailure,
  isUnknown: boolean,
): Promise<never> => {
  const error = failure.raw ? `${failure.message} Its answer: ${failure.raw}` : failure.message
  await release(ctx, holder, error, isUnknown)
  throw failureError(crowd.name, failure, isUnknown ? NOT_KNOWN : NOT_MADE)
}

const orderOf = (row: MakingRow, templateId: string): CampaignOrder => {
  const wanted = row.wanted as Wanted
  return {
    title: row.title,
    description: marked(wanted.description, row.mark),
    templateId,
    categoryId: wanted.category_id,
    availablePositions: row.availablePositions,
    paymentCents: row.paymentCents,
    minutesToFinish: wanted.minutes_to_finish,
    ttr: wanted.ttr,
    speed: wanted.speed,
    fileProofs: wanted.number_of_file_proofs,
    allowedFileTypes: wanted.allowed_file_types,
  }
}

/** Returns the campaign of an earlier request, if there is one. Throws when that cannot be known yet. */
const findEarlier = async (ctx: Ctx, crowd: Crowdwork, row: MakingRow, holder: Holder): Promise<string | undefined> => {
  if (row.sentAt === null) return undefined
  const found = await crowd.findCampaign(row.mark, row.createdAt)
  if (found.kind === 'failed') return await giveUp(ctx, crowd, holder, found, true)
  if (found.value !== null) return found.value
  if (!isInFlight(row.sentAt, ctx.now(), ctx.settings.retryTimeScale)) return undefined
  const message = `An earlier request to ${crowd.name} was lost and may still arrive.`
  return await giveUp(
    ctx,
    crowd,
    holder,
    { kind: 'failed', reason: 'away', mayBeDone: true, message, retryAfterS: 60 },
    true,
  )
}

const templateOf = async (ctx: Ctx, crowd: Crowdwork, row: MakingRow, holder: Holder): Promise<string> => {
  if (row.templateId !== null) return row.templateId
  const wanted = row.wanted as Wanted
  // A template costs nothing: one that was made and whose answer was lost is left behind.
  const made = await crowd.makeTemplate(wanted.template_title, wanted.template_html)
  return made.kind === 'got' ? made.value : await giveUp(ctx, crowd, holder, made, false)
}

/** Looks once for a campaign that was sent and whose answer was lost. */
const lookAgain = async (crowd: Crowdwork, row: MakingRow, sent: Crowd<string>): Promise<Crowd<string>> => {
  if (sent.kind === 'got' || !sent.mayBeDone) return sent
  const found = await crowd.findCampaign(row.mark, row.createdAt)
  return found.kind === 'got' && found.value !== null ? { kind: 'got', value: found.value } : sent
}

/**
 * Makes what is missing of a campaign that this request holds: its template, then itself. Before anything is sent again, what an
 * earlier request may have made is looked for. Throws 409 when another request took it over, 422, 502, 503.
 */
export const makeMissing = async (
  ctx: Ctx,
  crowd: Crowdwork,
  row: MakingRow,
  leaseUntil: Date,
): Promise<MadeCampaign> => {
  if (row.campaignId !== null) return { campaignId: row.campaignId, templateId: row.templateId ?? '' }
  const holder = { id: row.id, leaseUntil }
  const earlier = await findEarlier(ctx, crowd, row, holder)
  if (earlier !== undefined) return { campaignId: earlier, templateId: row.templateId ?? '' }
  const templateId = await templateOf(ctx, crowd, row, holder)
  await ctx.step('crowdwork.template_made')
  await noteSending(ctx, holder, templateId)
  await ctx.step('crowdwork.sending')
  const sent = await lookAgain(crowd, row, await crowd.makeCampaign(orderOf(row, templateId)))
  await ctx.step('crowdwork.campaign_made')
  if (sent.kind === 'failed') return await giveUp(ctx, crowd, holder, sent, sent.mayBeDone)
  return { campaignId: sent.value, templateId }
}
