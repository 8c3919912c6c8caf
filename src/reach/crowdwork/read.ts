import { eq } from 'drizzle-orm'
import { crowdworkCampaigns as campaigns } from '../../../schema/crowdwork.ts'
import { readPage, readWithProject } from '../../accounts/projects/scope.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { CrowdworkSpendInput, ListCampaignsInput } from './operations.ts'
import { type Crowdwork, type LiveCampaign, type Slot, valueFrom } from './port.ts'
import { type CampaignRow, campaignByProviderId, campaignRows, spendOf } from './queries.ts'
import { monthAt, monthOf } from './rules.ts'

/** Returns a campaign as lists show it. */
const campaignShown = (row: CampaignRow) => ({
  ID: row.id,
  ProjectID: row.projectId,
  CrowdworkCampaignID: row.campaignId ?? '',
  Platform: row.platform,
  Title: row.title,
  Status: row.status,
  AvailablePositions: row.availablePositions,
  PaymentPerTask: row.paymentCents / 100,
  CreatedAt: row.createdAt.toISOString(),
})

/** Returns the state of a campaign at the provider, as callers see it. */
const liveShown = (live: LiveCampaign, row: Pick<CampaignRow, 'status'>, externalUrl: string) => ({
  status: live.status ?? row.status,
  provider_status: live.providerStatus,
  available_positions: live.availablePositions,
  payment_per_task: live.paymentCents / 100,
  slots: live.slots,
  blocked_reason: live.blockedReason,
  finished_at: live.finishedAt,
  external_url: externalUrl,
})

/** Returns a slot as callers see it. The texts of the worker are untrusted input. */
export const slotShown = (slot: Slot) => ({
  id: slot.id,
  worker_id: slot.workerId,
  status: slot.status,
  submitted_at: slot.submittedAt,
  proofs: slot.proofs,
  rating: slot.rating,
})

const PAGE = { default: 50, max: 100 }

/**
 * Returns the account's campaigns, with their last known states. Throws 404 and 403 for a project that is not the account's.
 */
export const listCampaigns = async (ctx: Ctx, input: ListCampaignsInput) => {
  const filter = { projectId: input.project_id, statuses: input.status }
  const { rows, page } = await readPage(ctx, input, PAGE, (owner, paging) =>
    campaignRows(ctx.db, owner, filter, paging),
  )
  return { campaigns: rows.map(campaignShown), ...page }
}

/** Returns a campaign of the account by the provider's id. Throws 404, 403. */
export const loadCampaign = async (ctx: Ctx, campaignId: string): Promise<CampaignRow> => {
  const [row] = await ctx.read((owner) => campaignByProviderId(ctx.db, owner, campaignId))
  return owned(row && { row, mine: row.mine }, 'campaign')
}

/** Queries the provider for the state of a campaign. Throws 502, 503. */
export const askLive = async (crowd: Crowdwork, campaignId: string): Promise<LiveCampaign> =>
  valueFrom(crowd.name, await crowd.campaign(campaignId), 'campaign')

/** Returns a campaign, and its present state at the provider. Throws 404, 403, 502, 503. */
export const readCampaign = async (ctx: Ctx, crowd: Crowdwork, campaignId: string) => {
  const row = await loadCampaign(ctx, campaignId)
  const live = await askLive(crowd, campaignId)
  const status = live.status ?? row.status
  if (status !== row.status) {
    const seen = ctx.db.update(campaigns).set({ status, updatedAt: ctx.now() }).where(eq(campaigns.id, row.id))
    ctx.defer(ctx.batch({ seen }, { unaudited: 'the provider’s own doing' }))
  }
  return {
    campaign: campaignShown({ ...row, status }),
    live: liveShown(live, row, crowd.pageOf(campaignId)),
  }
}

const inDollars = (cents: number): number => cents / 100

/** Returns the cost of a project's campaigns in a month, and the rest of its budget, without fees. Throws 404, 403. */
export const readSpend = async (ctx: Ctx, { project_id: id, month: asked }: CrowdworkSpendInput) => {
  const month = asked ?? monthAt(ctx.now())
  const { start, end } = monthOf(month)
  const { results: spend } = await readWithProject(ctx, id, spendOf(ctx.db, id, start, end))
  const { budget = null, committed = 0, campaigns = 0 } = spend.rows[0] ?? {}
  return {
    project_id: id,
    month,
    currency: 'USD',
    budget: budget === null ? null : inDollars(budget),
    committed: inDollars(committed),
    remaining: budget === null ? null : inDollars(Math.max(0, budget - committed)),
    campaigns,
  }
}

/** Returns the error for a campaign that exceeds this month's budget. */
export const budgetReached = async (ctx: Ctx, projectId: number, cents: number): Promise<ApiError> => {
  const { budget, committed, month } = await readSpend(ctx, { project_id: projectId })
  const cost = inDollars(cents)
  return new ApiError(
    'budget_reached',
    `This campaign costs $${cost.toFixed(2)}. The project's crowdwork budget of ${month} is $${(budget ?? 0).toFixed(2)}, of which $${committed.toFixed(2)} is used. No campaign was created.`,
    {
      budget,
      committed,
      cost,
      month,
      instructions_for_agent:
        'Ask the user whether to raise crowdwork_budget, to make the campaign smaller, or to wait for the next month. Do not raise it on your own.',
      next_calls: [
        {
          method: 'PUT',
          path: `/projects/${projectId}`,
          body: { crowdwork_budget: Math.round((committed + cost) * 100) / 100 },
          why: 'Sets crowdwork_budget to what the month then costs, once the user agrees.',
        },
      ],
    },
  )
}
