import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { crowdworkCampaigns as campaigns } from '../../../schema/crowdwork.ts'
import { projects } from '../../../schema/projects.ts'
import type { CampaignStatus } from '../../../schema/values/crowdwork.ts'
import { approvalOf, policyGate } from '../../accounts/policy/parts.ts'
import { NO_SPENDING, type Spending } from '../../platform/accounts/key-budget.ts'
import { audit } from '../../platform/db/audit.ts'
import { at } from '../../platform/db/instant.ts'
import type { Part } from '../../platform/db/part.ts'
import { select } from '../../platform/db/read-parts.ts'
import { statement } from '../../platform/db/statement.ts'
import { type Changes, insert, type NewRow, update } from '../../platform/db/write-parts.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { settleJob } from './jobs.ts'
import type { MakingRow } from './queries.ts'
import { monthAt, monthOf, OWED_MS, repeatUntil, settleAt } from './rules.ts'

/** Held while money of a project is set aside, so that two calls never spend the same budget. */
export const budgetLocks = (projectId: number): SQL[] => [
  sql`select ${projects.id} from ${projects} where ${projects.id} = ${projectId}::int for no key update`,
]

type Cost = { accountId: number; projectId: number; cents: number; spending: Spending }

/** The project, if its budget and that of the key have room this month for so much more. */
const roomPart = ({ accountId, projectId, cents, spending }: Cost, now: Date, name: string): Part<'id'> => {
  const { start, end } = monthOf(monthAt(now))
  return select(
    name,
    { id: projects.id },
    sql`from ${projects} where ${eq(projects.id, projectId)} and ${eq(projects.accountId, accountId)} and ${projects.status} = 'Active' and ${spending.hasRoom}
      and (${projects.crowdworkBudget} is null or ${cents}::int + (select coalesce(sum(c.cost_cents), 0) from crowdwork_campaigns c
        where c.project_id = ${projects.id} and c.stage in ('making', 'made') and c.charged_at >= ${at(start)} and c.charged_at < ${at(end)})
        <= ${projects.crowdworkBudget})`,
    { materialized: true },
  )
}

const settled = (ctx: Ctx, of: Part<'id'>, account: number): Part => {
  const now = ctx.now()
  return settleJob.enqueue({
    from: of,
    account,
    payload: { row: of.c.id },
    runAt: settleAt(now, ctx.settings.retryTimeScale),
    open: 'move',
  })
}

/**
 * Sets the money of a campaign aside and notes what is to be made. No id if a rule, the project's budget or the key's forbids it. After
 * the locks of `spending` and `budgetLocks`.
 */
export const beginCampaign = (
  ctx: Ctx,
  row: NewRow<typeof campaigns> & { accountId: number; projectId: number; costCents: number; leaseUntil: Date },
  spending: Spending,
): SQL => {
  const { accountId, projectId, costCents: cents } = row
  const gate = policyGate(projectId, {
    activity: 'crowdwork',
    now: ctx.now(),
    target: 'crowdwork',
    cents,
    ...approvalOf(ctx, ctx.now()),
  })
  const room = roomPart({ accountId, projectId, cents, spending }, ctx.now(), 'room')
  const begun = insert('begun', campaigns, row, { from: [gate.allowed, room], returning: { id: campaigns.id } })
  return statement({
    unaudited: 'the campaign that comes of it is',
    parts: [
      gate.parts,
      room,
      begun,
      settled(ctx, begun, accountId),
      spending.charge(begun),
      ctx.keep.running([begun], row.leaseUntil),
    ],
    answer: { id: begun.c.id, rule: gate.rule },
    answerFrom: gate.answerBeside(begun),
  })
}

const isFree = (now: Date): SQL => sql`(${campaigns.leaseUntil} is null or ${campaigns.leaseUntil} <= ${at(now)})`

/**
 * Claims a campaign that no call is making now. Returns no id if a call makes it, the policy forbids it, or the budget is used up. Runs after
 * `budgetLocks`.
 */
export const claimCampaign = (ctx: Ctx, open: MakingRow, leaseUntil: Date): SQL => {
  const now = ctx.now()
  const cost = {
    accountId: open.accountId,
    projectId: open.projectId,
    cents: open.availablePositions * open.paymentCents,
    // Its key spent it when the campaign began.
    spending: NO_SPENDING,
  }
  const room = roomPart(cost, now, 'room')
  // A campaign under way has its money set aside already.
  const isBegun = open.stage === 'making'
  const gate = policyGate(open.projectId, {
    activity: 'crowdwork',
    now,
    target: 'crowdwork',
    isSettled: isBegun,
    ...approvalOf(ctx, now),
    ...(isBegun ? {} : { cents: cost.cents }),
  })
  const begun = update(
    'begun',
    campaigns,
    {
      stage: 'making',
      leaseUntil,
      lastError: null,
      updatedAt: now,
      ...(open.stage === 'failed' ? { chargedAt: now } : {}),
    },
    {
      from: [gate.allowed],
      where: sql`${and(eq(campaigns.id, open.id), eq(campaigns.stage, open.stage))} and ${isFree(now)}
        and (${campaigns.stage} = 'making' or ${room.hasRows})`,
      returning: {
        id: campaigns.id,
        campaignId: campaigns.campaignId,
        templateId: campaigns.templateId,
        sentAt: campaigns.sentAt,
      },
    },
  )
  return statement({
    unaudited: 'the campaign that comes of it is',
    parts: [gate.parts, room, begun, settled(ctx, begun, open.accountId), ctx.keep.running([begun], leaseUntil)],
    answer: {
      id: begun.c.id,
      campaignId: begun.c.campaignId,
      templateId: begun.c.templateId,
      sentAt: sql`round(date_part('epoch', ${begun.c.sentAt}) * 1000)`,
      rule: gate.rule,
    },
    answerFrom: gate.answerBeside(begun),
  })
}

/** Progress of a campaign at the time of its claim; `sentAt` in ms since 1970. */
export type Reached = { campaignId: string | null; templateId: string | null; sentAt: number | null }

/** Holder of the right to write: the request that has the lease, or anyone after its end. */
export type Holder = { id: number; leaseUntil: Date | null }

const held = (ctx: Ctx, { id, leaseUntil }: Holder, stage: 'making' | 'failed' = 'making'): SQL =>
  sql`${and(eq(campaigns.id, id), eq(campaigns.stage, stage))} and ${leaseUntil ? eq(campaigns.leaseUntil, leaseUntil) : isFree(ctx.now())}`

/** Notes how far the making is. No row when another holds it by now. */
export const noteProgress = (ctx: Ctx, holder: Holder, changes: Changes<typeof campaigns>): SQL => {
  const noted = update(
    'noted',
    campaigns,
    { ...changes, updatedAt: ctx.now() },
    { where: held(ctx, holder), returning: { id: campaigns.id } },
  )
  return statement({ unaudited: 'a step on the way to a campaign', parts: [noted], answer: { id: noted.c.id } })
}

/**
 * Lets go of a campaign that was not made, or of which that is not known (`sentAt` stays then, and the money set aside). The
 * request's Idempotency-Key is free again.
 */
export const releaseCampaign = (ctx: Ctx, holder: Holder, error: string, isUnknown: boolean): SQL => {
  const now = ctx.now()
  const changes = isUnknown ? {} : ({ stage: 'failed', sentAt: null } as const)
  const released = update(
    'released',
    campaigns,
    { ...changes, leaseUntil: null, lastError: error, updatedAt: now },
    { where: held(ctx, holder), returning: { id: campaigns.id } },
  )
  return statement({
    unaudited: 'nothing was made',
    parts: [released, !isUnknown && settleJob.finish(released, now), ctx.keep.dropped(released)],
    answer: { id: released.c.id },
  })
}

/** Notes that an equal call was told to repeat. No row where the making has ended with a campaign meanwhile. */
export const oweAnswer = (ctx: Ctx, accountId: number, fingerprint: string): SQL => {
  const owed = update(
    'owed',
    campaigns,
    { owedUntil: repeatUntil(ctx.now()) },
    {
      where: sql`${and(eq(campaigns.accountId, accountId), eq(campaigns.fingerprint, fingerprint), inArray(campaigns.stage, ['making', 'failed']))}`,
      returning: { id: campaigns.id },
    },
  )
  return statement({ unaudited: 'nothing was made', parts: [owed], answer: { id: owed.c.id } })
}

const auditMade = (ctx: Ctx, account: number, of: Part<'id' | 'cost'>, campaignId: string) =>
  audit(ctx, {
    of,
    account,
    action: 'crowdwork.create',
    on: ['campaign', of.c.id],
    detail: sql`jsonb_build_object('campaign_id', ${campaignId}::text, 'cost_cents', ${of.c.cost})`,
  })

const MADE = { id: campaigns.id, cost: campaigns.costCents }

/**
 * Notes the provider's id of a campaign that was made and whose caller was not told: the same call gets it as its answer.
 * `wasGivenUp`: it was taken for not made, and its money was free again.
 */
export const noteFound = (
  ctx: Ctx,
  accountId: number,
  { id, campaignId, wasGivenUp = false }: { id: number; campaignId: string; wasGivenUp?: boolean },
): SQL => {
  const now = ctx.now()
  const found = update(
    'found',
    campaigns,
    {
      stage: 'making',
      campaignId,
      leaseUntil: null,
      // Equal calls that were told to repeat, and the one that lost its answer: all are answered with it.
      owedUntil: sql`case when ${campaigns.owedUntil} > ${at(now)} then ${at(new Date(now.getTime() + OWED_MS))} end`,
      lastError: null,
      updatedAt: now,
      ...(wasGivenUp ? { chargedAt: now } : {}),
    },
    {
      where: sql`${held(ctx, { id, leaseUntil: null }, wasGivenUp ? 'failed' : 'making')} and ${campaigns.campaignId} is null`,
      returning: MADE,
    },
  )
  return statement({
    // The job of one that was given up has ended.
    parts: [found, wasGivenUp && settled(ctx, found, accountId)],
    audit: auditMade(ctx, accountId, found, campaignId),
    answer: { id: found.c.id },
  })
}

type Finished = {
  campaignId: string
  /** It was found, and audited, before. */
  isNoted?: boolean
  /** Answer for the caller, if there is one. */
  answer?: unknown
}

/**
 * Ends the making of a campaign with the provider's id, and keeps the answer. One that is owed to equal calls stays open for them; the
 * job ends it later.
 */
export const finishCampaign = (
  ctx: Ctx,
  accountId: number,
  holder: Holder,
  { campaignId, isNoted = false, answer }: Finished,
): SQL => {
  const now = ctx.now()
  const made = update(
    'made',
    campaigns,
    {
      stage: sql`case when ${campaigns.owedUntil} > ${at(now)} then 'making' else 'made' end`,
      campaignId,
      leaseUntil: null,
      lastError: null,
      updatedAt: now,
    },
    { where: held(ctx, holder), returning: { ...MADE, stage: campaigns.stage } },
  )
  const ended = select('ended', { id: made.c.id }, sql`from ${made.rows} where ${made.c.stage} = 'made'`)
  const base = {
    parts: [made, ended, settleJob.finish(ended, now), answer !== undefined && ctx.keep.done(made, answer)],
    answer: { id: made.c.id },
  }
  return isNoted
    ? statement({ ...base, unaudited: 'audited when it was found' })
    : statement({ ...base, audit: auditMade(ctx, accountId, made, campaignId) })
}

/** Registers a campaign that was made elsewhere. */
export const insertRegistered = (
  ctx: Ctx,
  row: NewRow<typeof campaigns> & { accountId: number },
  answer: unknown,
): SQL => {
  const made = insert('made', campaigns, row, { returning: { id: campaigns.id } })
  return statement({
    parts: [made, ctx.keep.answer([made], answer)],
    audit: audit(ctx, { of: made, account: row.accountId, action: 'crowdwork.register', on: ['campaign', made.c.id] }),
    answer: { id: made.c.id },
  })
}

/** Notes how a campaign was seen to stand. */
export const noteStatus = (ctx: Ctx, id: number, status: CampaignStatus): SQL => {
  const seen = update('seen', campaigns, { status, updatedAt: ctx.now() }, { where: eq(campaigns.id, id) })
  return statement({ unaudited: 'the provider’s own doing', parts: [seen], answer: seen.c })
}

/** Records a rating. */
export const noteRating = (
  ctx: Ctx,
  accountId: number,
  id: number,
  detail: { slot_id: string; rating: string; comment?: string | undefined },
  answer: unknown,
): SQL => {
  const rated = update(
    'rated',
    campaigns,
    { updatedAt: ctx.now() },
    { where: sql`${and(eq(campaigns.id, id), eq(campaigns.accountId, accountId))}`, returning: { id: campaigns.id } },
  )
  return statement({
    parts: [rated, ctx.keep.answer([rated], answer)],
    audit: audit(ctx, {
      of: rated,
      account: accountId,
      action: 'crowdwork.rate',
      on: ['campaign', rated.c.id],
      detail,
    }),
    answer: { id: rated.c.id },
  })
}
