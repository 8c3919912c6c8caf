import { and, eq, exists, gt, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { crowdworkCampaigns as campaigns } from '../../../schema/crowdwork.ts'
import { audit } from '../../platform/db/writes.ts'
import { enqueue, finishJob } from '../../platform/jobs/enqueue.ts'
import type { JobResult } from '../../platform/jobs/job.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { id } from '../../platform/lib/fields.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { Crowdwork } from './port.ts'
import { campaignInCreationById, type MakingRow } from './queries.ts'
import { FORGOTTEN_MS, OWED_MS, settleAt } from './rules.ts'

/**
 * Settles a campaign whose request crashed or lost the provider's answer.
 *
 * If the job is given up, the money stays set aside. The same call then looks the campaign up first.
 */
export const settleJob = defineJob({
  name: 'crowdwork.settle',
  whenClosed: 'ends',
  payload: z.object({ row: id() }),
  key: 'crowdwork',
  id: 'row',
})

/** Holder of a campaign: the request with this lease, or with null anyone while no lease is active. */
export type Holder = { id: number; leaseUntil: Date | null }

/** Returns a condition: no request holds the campaign. */
export const isFree = (now: Date): SQL | undefined => or(isNull(campaigns.leaseUntil), lte(campaigns.leaseUntil, now))

/** Returns a condition: the campaign is in a stage, and the holder may write it. */
export const isHeld = (ctx: Ctx, { id, leaseUntil }: Holder, stage: 'making' | 'failed' = 'making'): SQL | undefined =>
  and(
    eq(campaigns.id, id),
    eq(campaigns.stage, stage),
    leaseUntil ? eq(campaigns.leaseUntil, leaseUntil) : isFree(ctx.now()),
  )

/** Returns a condition: a campaign exists that meets the given condition. */
export const anyCampaign = ({ db }: Ctx, which: SQL | undefined): SQL =>
  exists(db.select({ id: campaigns.id }).from(campaigns).where(which))

/** Locks a campaign. */
export const lockCampaign = ({ db }: Ctx, id: number) =>
  db.select({ id: campaigns.id }).from(campaigns).where(eq(campaigns.id, id)).for('no key update')

/** Queues the job that settles a campaign, in case its request crashes. */
export const settleLater = (ctx: Ctx, { id, accountId }: { id: number; accountId: number }, condition: SQL) =>
  enqueue(
    settleJob,
    { row: id },
    {
      if: condition,
      account: accountId,
      runAt: settleAt(ctx.now(), ctx.settings.retryTimeScale),
      open: 'move',
    },
  )

/**
 * Releases a campaign that was not made, and the Idempotency-Key of the request.
 *
 * `isUnknown`: the campaign may have been made, so `sentAt` and its money stay as they are.
 */
export const release = async (ctx: Ctx, holder: Holder, error: string, isUnknown: boolean): Promise<void> => {
  const now = ctx.now()
  const which = isHeld(ctx, holder)
  const held = anyCampaign(ctx, which)
  const changes = isUnknown ? {} : ({ stage: 'failed', sentAt: null } as const)
  await ctx.batch(
    {
      campaign: lockCampaign(ctx, holder.id),
      endedSettleJob: !isUnknown && finishJob(ctx.db, settleJob, holder.id, { if: held, now }),
      dropped: ctx.keepDropped()(held),
      changedCampaigns: ctx.db
        .update(campaigns)
        .set({ ...changes, leaseUntil: null, lastError: error, updatedAt: now })
        .where(which),
    },
    { unaudited: 'nothing was made' },
  )
}

type Making = Pick<MakingRow, 'id' | 'accountId' | 'availablePositions' | 'paymentCents'>

const auditMade = (ctx: Ctx, row: Making, campaignId: string, condition: SQL) =>
  audit(ctx, {
    account: row.accountId,
    action: 'crowdwork.create',
    on: ['campaign', row.id],
    detail: { campaign_id: campaignId, cost_cents: row.availablePositions * row.paymentCents },
    if: condition,
  })

/**
 * Records the provider's id of a campaign whose caller got no answer, so that the same call gets it.
 *
 * Returns false if a request holds the campaign. `wasGivenUp`: it was recorded as not made, and its money was released.
 */
export const noteFound = async (ctx: Ctx, row: Making, campaignId: string, wasGivenUp = false): Promise<boolean> => {
  const now = ctx.now()
  const which = and(
    isHeld(ctx, { id: row.id, leaseUntil: null }, wasGivenUp ? 'failed' : 'making'),
    isNull(campaigns.campaignId),
  )
  const held = anyCampaign(ctx, which)
  const owed = sql.param(new Date(now.getTime() + OWED_MS), campaigns.owedUntil)
  const { found } = await ctx.batch({
    campaign: lockCampaign(ctx, row.id),
    // The job of a campaign that was given up has ended, so it is queued again.
    settleLater: wasGivenUp && settleLater(ctx, row, held),
    auditMade: auditMade(ctx, row, campaignId, held),
    found: ctx.db
      .update(campaigns)
      .set({
        stage: 'making',
        campaignId,
        leaseUntil: null,
        // Equal calls that were told to repeat get the campaign too, like the call that lost its answer.
        owedUntil: sql`case when ${gt(campaigns.owedUntil, now)} then ${owed}::timestamptz end`,
        lastError: null,
        updatedAt: now,
        ...(wasGivenUp ? { chargedAt: now } : {}),
      })
      .where(which)
      .returning({ id: campaigns.id }),
  })
  return found.length > 0
}

type Finished = {
  campaignId: string
  /** True if the campaign was found and audited before. */
  isNoted?: boolean
  /** Answer for the caller, if there is one. */
  answer?: unknown
}

/**
 * Completes a campaign with the provider's id, and stores the answer. Returns false if another request holds it.
 *
 * A campaign that equal calls may still ask for stays open. The job closes it later.
 */
export const finish = async (
  ctx: Ctx,
  row: Making,
  leaseUntil: Date | null,
  { campaignId, isNoted = false, answer }: Finished,
): Promise<boolean> => {
  const now = ctx.now()
  const which = isHeld(ctx, { id: row.id, leaseUntil })
  const held = anyCampaign(ctx, which)
  const isOwed = gt(campaigns.owedUntil, now)
  const { made } = await ctx.batch(
    {
      campaign: lockCampaign(ctx, row.id),
      auditMade: !isNoted && auditMade(ctx, row, campaignId, held),
      endedSettleJob: finishJob(ctx.db, settleJob, row.id, {
        if: anyCampaign(ctx, sql`${which} and ${isOwed} is not true`),
        now,
      }),
      kept: answer !== undefined && ctx.keepDone(answer)(held),
      made: ctx.db
        .update(campaigns)
        .set({
          stage: sql`case when ${isOwed} then 'making' else 'made' end`,
          campaignId,
          leaseUntil: null,
          lastError: null,
          updatedAt: now,
        })
        .where(which)
        .returning({ id: campaigns.id }),
    },
    isNoted ? { unaudited: 'audited when it was found' } : undefined,
  )
  return made.length > 0
}

/**
 * Settles a campaign whose request crashed or lost the provider's answer. It makes nothing at the provider.
 *
 * If the provider has the campaign, it is recorded, and the same call gets it for a day. If the provider does not have it after
 * ten minutes, it is recorded as not made, and its money is released.
 */
export const settleCampaign = async (ctx: Ctx, crowd: Crowdwork, id: number): Promise<JobResult> => {
  const [row] = await ctx.read((owner) => campaignInCreationById(ctx.db, owner, id))
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
  await release(ctx, { id, leaseUntil: null }, 'The request ended before the campaign was created.', false)
  return { kind: 'settled' }
}
