import { crowdworkCampaigns as campaigns } from '../../../schema/crowdwork.ts'
import { readWithProject } from '../../accounts/projects/scope.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import { violatedUnique } from '../../platform/db/client.ts'
import { audit } from '../../platform/db/writes.ts'
import { answer } from '../../platform/http/route.ts'
import { ApiError, invalidInput } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { noteFound } from './lease.ts'
import type { RegisterCampaignInput } from './operations.ts'
import type { Crowdwork, LiveCampaign } from './port.ts'
import { campaignByMark, campaignByProviderId, firstProject, nextCampaignId } from './queries.ts'
import { askLive, loadCampaign } from './read.ts'
import { DEFAULTS, markIn } from './rules.ts'

const OTHERS = 'The campaign belongs to another account.'

/**
 * Records the id of the caller's own campaign whose id was lost, and returns its project.
 *
 * The call that asked for the campaign still gets it as its answer.
 *
 * Undefined for a copy, made at the provider, of a campaign whose id is known. Throws 403 if the campaign is not the caller's.
 */
const claimMarked = async (ctx: Ctx, mark: string, campaignId: string): Promise<number | undefined> => {
  const [row] = await ctx.read((owner) => campaignByMark(ctx.db, owner, mark))
  if (!row?.mine) throw new ApiError('forbidden', OTHERS)
  if (row.campaignId !== null) return undefined
  const wasGivenUp = row.stage === 'failed'
  if (!(await noteFound(ctx, row, campaignId, wasGivenUp)))
    throw new ApiError('campaign_in_progress', 'The campaign is being created. Repeat the call shortly.', {
      retry_after: 5,
    })
  return row.projectId
}

const registered = (projectId: number, live: LiveCampaign, crowd: Crowdwork, again: boolean) => ({
  campaign_id: live.id,
  project_id: projectId,
  status: live.status ?? ('created' as const),
  already_registered: again,
  external_url: crowd.pageOf(live.id),
  message: again
    ? `The campaign is already registered, with project ${projectId}. Nothing was changed.`
    : `The campaign is registered with project ${projectId}.`,
})

const projectOf = async (ctx: Ctx, asked: number | undefined): Promise<number> => {
  if (asked !== undefined) return (await readWithProject(ctx, asked)).project.id
  const [first] = await ctx.read((owner) => firstProject(ctx.db, owner))
  if (first) return first.id
  throw invalidInput([
    { field: 'project_id', message: 'the account has no active project to register the campaign with' },
  ])
}

/**
 * Registers a campaign that was made at the provider, in the given project or else the account's oldest one.
 *
 * Returns 201, or 200 if it is registered already. Throws 404, 403 for another account's campaign, 502, 503.
 */
export const registerCampaign = async (ctx: Ctx, crowd: Crowdwork, input: RegisterCampaignInput) => {
  const {
    known: [known],
    drawn,
  } = await ctx.read((owner) => ({
    known: campaignByProviderId(ctx.db, owner, input.campaign_id),
    drawn: nextCampaignId(ctx.db),
  }))
  if (known) {
    const row = owned({ row: known, mine: known.mine }, 'campaign')
    if (input.project_id !== undefined && input.project_id !== row.projectId) await projectOf(ctx, input.project_id)
    return answer(200, registered(row.projectId, await askLive(crowd, input.campaign_id), crowd, true))
  }
  const projectId = await projectOf(ctx, input.project_id)
  const { id: accountId } = await ctx.account()
  const live = await askLive(crowd, input.campaign_id)
  const mark = markIn(`${live.title} ${live.description}`)
  const claimed = mark === undefined ? undefined : await claimMarked(ctx, mark, live.id)
  if (claimed !== undefined) return answer(201, registered(claimed, live, crowd, false))
  const body = registered(projectId, live, crowd, false)
  const now = ctx.now()
  const id = Number(drawn.rows[0]?.id)
  const row = {
    id,
    accountId,
    projectId,
    stage: 'registered' as const,
    campaignId: live.id,
    mark: `registered-${live.id}`,
    fingerprint: '',
    wanted: {},
    platform: DEFAULTS.platform,
    title: live.title,
    status: body.status,
    availablePositions: live.availablePositions,
    paymentCents: live.paymentCents,
    costCents: 0,
    chargedAt: now,
    createdAt: now,
    updatedAt: now,
  }
  try {
    await ctx.batch({
      campaigns: ctx.db.insert(campaigns).values(row),
      audit: audit(ctx, { account: accountId, action: 'crowdwork.register', on: ['campaign', id], if: 'always' }),
      kept: ctx.keepAnswer(body)('always'),
    })
    return answer(201, body)
  } catch (error) {
    if (violatedUnique(error) === undefined) throw error
    const winner = await loadCampaign(ctx, live.id)
    return answer(200, registered(winner.projectId, live, crowd, true))
  }
}
