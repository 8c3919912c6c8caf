import { eq } from 'drizzle-orm'
import { crowdworkCampaigns as campaigns } from '../../../schema/crowdwork.ts'
import { readPage } from '../../accounts/projects/scope.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { valueFrom } from './failure.ts'
import type { Crowdwork, LiveCampaign } from './port.ts'
import { campaignShown, liveShown } from './present.ts'
import { type CampaignRow, campaignByProviderId, campaignRows } from './queries.ts'
import type { ListCampaignsInput } from './schemas.ts'

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
