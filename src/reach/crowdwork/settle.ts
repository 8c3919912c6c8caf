import type { JobResult } from '../../platform/jobs/handler.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { finish, noteFound, release } from './lease.ts'
import type { Crowdwork } from './port.ts'
import { makingById } from './queries.ts'
import { FORGOTTEN_MS, OWED_MS } from './rules.ts'

/**
 * Ends the making of a campaign whose request died or lost the provider's answer. It only looks.
 *
 * A campaign that the provider has is recorded, and is the answer to the same call for a day. One that it does not have after
 * ten minutes is not made, and its money is free again.
 */
export const settleCampaign = async (ctx: Ctx, crowd: Crowdwork, id: number): Promise<JobResult> => {
  const [[row]] = await ctx.read((owner) => [makingById(ctx.db, owner, id)])
  if (row?.stage !== 'making') return { kind: 'done' }
  const now = ctx.now()
  if (row.leaseUntil !== null && row.leaseUntil > now) return { kind: 'later', at: row.leaseUntil }
  if (row.campaignId !== null) {
    const owedUntil = row.owedUntil ?? new Date(row.updatedAt.getTime() + OWED_MS)
    if (owedUntil > now) return { kind: 'later', at: owedUntil }
    await finish(ctx, row, null, { campaignId: row.campaignId, isNoted: true })
    return { kind: 'settled' }
  }
  if (row.sentAt !== null) {
    const found = await crowd.findCampaign(row.mark, row.createdAt)
    if (found.kind === 'failed') return { kind: 'again', reason: found.message }
    if (found.value !== null) {
      await noteFound(ctx, row, found.value)
      return { kind: 'later', at: new Date(now.getTime() + OWED_MS) }
    }
    const forgottenAt = new Date(row.sentAt.getTime() + FORGOTTEN_MS / ctx.settings.retryTimeScale)
    if (forgottenAt > now) return { kind: 'later', at: forgottenAt }
  }
  await release(ctx, { id, leaseUntil: null }, 'The request ended before the campaign was made.', false)
  return { kind: 'settled' }
}
