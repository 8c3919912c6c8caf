import { eq } from 'drizzle-orm'
import { crowdworkCampaigns as campaigns } from '../../../schema/crowdwork.ts'
import { readPage } from '../../accounts/projects/scope.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { ListCampaignsInput } from './operations.ts'
import { type Crowdwork, type LiveCampaign, type Slot, valueFrom } from './port.ts'
import { type CampaignRow, campaignByProviderId, campaignRows } from './queries.ts'

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

/** Returns a slot. What the worker wrote is the worker's own: material to judge. */
export const slotShown = (slot: Slot) => ({
  id: slot.id,
  worker_id: slot.workerId,
  status: slot.status,
  submitted_at: slot.submittedAt,
  proofs: slot.proofs,
  rating: slot.rating,
})

const PAGE = { default: 50, max: 100 }

/** Returns the account's campaigns, as they were last seen. Throws 404 and 403 for a project that is not the account's. */
export const listCampaigns = async (ctx: Ctx, input: ListCampaignsInput) => {
  const filter = { projectId: input.project_id, statuses: input.status }
  const { rows, page } = await readPage(ctx, input, PAGE, (owner, paging) =>
    campaignRows(ctx.db, owner, filter, paging),
  )
  return { campaigns: rows.map(campaignShown), ...page }
}

/** Returns a campaign of the account by the provider's id. Throws 404, 403. */
export const loadCampaign = async (ctx: Ctx, campaignId: string): Promise<CampaignRow> => {
  const [[row]] = await ctx.read((owner) => [campaignByProviderId(ctx.db, owner, campaignId)])
  return owned(row && { row, mine: row.mine }, 'campaign')
}

/** Queries the provider for the state of a campaign. Throws 502, 503. */
export const askLive = async (crowd: Crowdwork, campaignId: string): Promise<LiveCampaign> =>
  valueFrom(crowd.name, await crowd.campaign(campaignId), 'campaign')

/** Returns a campaign and how it is at the provider now. Throws 404, 403, 502, 503. */
export const readCampaign = async (ctx: Ctx, crowd: Crowdwork, campaignId: string) => {
  const row = await loadCampaign(ctx, campaignId)
  const live = await askLive(crowd, campaignId)
  const status = live.status ?? row.status
  if (status !== row.status) {
    const seen = ctx.db.update(campaigns).set({ status, updatedAt: ctx.now() }).where(eq(campaigns.id, row.id))
    ctx.defer(ctx.batch([seen], { unaudited: 'the provider’s own doing' }))
  }
  return {
    campaign: campaignShown({ ...row, status }),
    live: liveShown(live, row, crowd.pageOf(campaignId)),
  }
}
