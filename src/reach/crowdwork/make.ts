import { crowdworkCampaigns as campaigns } from '../../../schema/crowdwork.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { type Holder, isHeld, release } from './lease.ts'
import { type CampaignOrder, type Crowd, type CrowdFailure, type Crowdwork, failureError } from './port.ts'
import type { MakingRow } from './queries.ts'
import { isInFlight, marked } from './rules.ts'

/** Fields of the call that began a campaign, as stored in its row. */
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

/** Ids of the campaign and the template at the provider. */
export type MadeCampaign = { campaignId: string; templateId: string }

/** Returns the error for a call while another one with the same body is under way. */
export const inProgress = (): ApiError =>
  new ApiError(
    'campaign_in_progress',
    'An identical call is creating this campaign. Repeat the call in a few seconds: within ten minutes it returns the same campaign, and no second one is created.',
    {
      retry_after: 5,
    },
  )

/** Records that a campaign is about to be sent, with its template. Throws 409 if another request holds it. */
const noteSending = async (ctx: Ctx, holder: Holder, templateId: string): Promise<void> => {
  const now = ctx.now()
  const { noted } = await ctx.batch(
    {
      noted: ctx.db
        .update(campaigns)
        .set({ templateId, sentAt: now, updatedAt: now })
        .where(isHeld(ctx, holder))
        .returning({ id: campaigns.id }),
    },
    { unaudited: 'a step on the way to a campaign' },
  )
  if (noted.length === 0) throw inProgress()
}

const NOT_MADE = 'No campaign was created and nothing was spent. Repeat the same call to continue.'
const NOT_KNOWN =
  'It is not known whether the campaign was created. Repeat the same call: it looks the campaign up first and never creates it twice.'

/** Releases the campaign, records the reason, and throws it. `isUnknown`: the campaign may have been made. */
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

/** Returns the campaign of an earlier request; undefined if there is none. Throws if that is not known yet. */
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
  // A template costs nothing, so one whose answer was lost is left behind.
  const made = await crowd.makeTemplate(wanted.template_title, wanted.template_html)
  return made.kind === 'got' ? made.value : await giveUp(ctx, crowd, holder, made, false)
}

/** Looks a campaign up once if the answer to its request was lost. */
const lookAgain = async (crowd: Crowdwork, row: MakingRow, sent: Crowd<string>): Promise<Crowd<string>> => {
  if (sent.kind === 'got' || !sent.mayBeDone) return sent
  const found = await crowd.findCampaign(row.mark, row.createdAt)
  return found.kind === 'got' && found.value !== null ? { kind: 'got', value: found.value } : sent
}

/**
 * Makes the missing parts of a campaign that this request holds: the template, then the campaign.
 *
 * Before it sends anything again, it looks up what an earlier request may have made. Throws 409 if another request took over,
 * 422, 502, 503.
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
