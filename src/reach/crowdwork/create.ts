import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { crowdworkCampaigns as campaigns } from '../../../schema/crowdwork.ts'
import { projects } from '../../../schema/projects.ts'
import type { WantedApproval } from '../../../schema/values/approvals.ts'
import { approvalOf, policyAllows, ruleOf } from '../../accounts/policy/parts.ts'
import { refusalOrQuestion } from '../../accounts/policy/read.ts'
import { readWithProject } from '../../accounts/projects/scope.ts'
import { lockProject } from '../../accounts/projects/writes.ts'
import { budgetRefusal, spendOfKey } from '../../platform/accounts/key-budget.ts'
import { violatedUnique } from '../../platform/db/client.ts'
import { at } from '../../platform/db/instant.ts'
import { when } from '../../platform/db/steps.ts'
import { insertWhere } from '../../platform/db/writes.ts'
import { sha256 } from '../../platform/lib/crypto.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { anyCampaign, finish, isFree, lockCampaign, settleLater } from './lease.ts'
import { inProgress, type MadeCampaign, makeMissing, type Wanted } from './make.ts'
import type { CreateCampaignInput } from './operations.ts'
import type { Crowdwork } from './port.ts'
import { type MakingRow, newestMade, nextCampaignId, openCampaign, triedCampaign } from './queries.ts'
import { budgetReached } from './read.ts'
import { checkFirst, DEFAULTS, leaseUntil, markOf, monthAt, monthOf, repeatUntil } from './rules.ts'

const wantedOf = (input: CreateCampaignInput): Wanted => ({
  description: input.description,
  template_html: input.template_html,
  template_title: input.template_title ?? input.title,
  category_id: input.category_id,
  minutes_to_finish: input.minutes_to_finish ?? DEFAULTS.minutes,
  ttr: input.ttr ?? DEFAULTS.ttr,
  speed: input.speed ?? DEFAULTS.speed,
  number_of_file_proofs: input.number_of_file_proofs,
  allowed_file_types: input.allowed_file_types,
})

/** Returns the number of positions of a campaign, and the payment for each in cents. */
const sizeOf = ({ available_positions: positions, payment_per_task: cents }: CreateCampaignInput) =>
  [positions ?? DEFAULTS.positions, cents ?? DEFAULTS.paymentCents] as const

const inDollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`

/** Returns the question to a person about a campaign: the texts that workers read, and the cost. */
const wantedCampaign = (input: CreateCampaignInput): WantedApproval => {
  const {
    description,
    template_html: template,
    template_title,
    minutes_to_finish,
    ttr,
    speed,
    ...more
  } = wantedOf(input)
  const [positions, cents] = sizeOf(input)
  const fields = {
    Cost: `${inDollars(positions * cents)}, without the fees of the provider`,
    Positions: String(positions),
    'Payment per task': inDollars(cents),
    'Minutes to finish': String(minutes_to_finish),
    'Days to rate': String(ttr),
    Speed: String(speed),
    'Template title': template_title,
    Category: more.category_id ?? '',
    'File proofs': more.number_of_file_proofs === undefined ? '' : String(more.number_of_file_proofs),
    'File types': more.allowed_file_types?.join(', ') ?? '',
  }
  return {
    kind: 'crowdwork',
    projectId: input.project_id,
    target: input.platform ?? DEFAULTS.platform,
    proposed: {
      title: input.title,
      body: `${description}\n\n${template}`,
      format: 'text',
      fields: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')),
    },
  }
}

type Cost = { accountId: number; projectId: number; cents: number }

/** Returns the call in the form that the policy checks. */
const outward = (ctx: Ctx, now: Date) =>
  ({ activity: 'crowdwork', now, target: 'crowdwork', ...approvalOf(ctx, now) }) as const

/** Returns a condition: the project's budget of this month has room for an amount. */
const hasRoom = (now: Date, { accountId, projectId, cents }: Cost): SQL => {
  const { start, end } = monthOf(monthAt(now))
  return sql`exists (select 1 from ${projects}
    where ${eq(projects.id, projectId)} and ${eq(projects.accountId, accountId)} and ${eq(projects.status, 'Active')}
      and (${projects.crowdworkBudget} is null or ${cents}::int + (select coalesce(sum(c.cost_cents), 0) from crowdwork_campaigns c
        where c.project_id = ${projects.id} and c.stage in ('making', 'made') and c.charged_at >= ${at(start)} and c.charged_at < ${at(end)})
        <= ${projects.crowdworkBudget}))`
}

/** Begins a campaign and sets its money aside. Throws 402, and 409 if the same call is under way. */
const begin = async (
  ctx: Ctx,
  accountId: number,
  id: number,
  input: CreateCampaignInput,
  fingerprint: string,
  until: Date,
): Promise<MakingRow> => {
  const now = ctx.now()
  const [positions, cents] = sizeOf(input)
  const row = {
    id,
    accountId,
    projectId: input.project_id,
    stage: 'making' as const,
    mark: markOf(ctx.newId()),
    fingerprint,
    wanted: {
      ...wantedOf(input),
      ...(input.campaign_type === undefined ? {} : { campaign_type: input.campaign_type }),
    },
    platform: input.platform ?? DEFAULTS.platform,
    title: input.title,
    availablePositions: positions,
    paymentCents: cents,
    costCents: positions * cents,
    chargedAt: now,
    leaseUntil: until,
    createdAt: now,
    updatedAt: now,
  }
  try {
    const spending = spendOfKey(await ctx.account(), now, 'dollars', row.costCents)
    const call = { ...outward(ctx, now), cents: row.costCents }
    const cost = { accountId, projectId: row.projectId, cents: row.costCents }
    const isBegun = anyCampaign(ctx, eq(campaigns.id, id))
    const {
      rule: [policy],
      begun,
    } = await ctx.batch(
      {
        spendingLock: spending.lock,
        project: lockProject(ctx.db, row.projectId),
        rule: ruleOf(row.projectId, call),
        begun: insertWhere(campaigns, row, {
          if: sql`${policyAllows(row.projectId, call)} and ${hasRoom(now, cost)} and ${spending.hasRoom}`,
        }),
        ...when(isBegun, {
          settleLater: (isMet) => settleLater(ctx, row, isMet),
          chargeIf: (isMet) => spending.chargeIf(ctx.db, isMet),
          running: ctx.keepRunning(until),
        }),
      },
      { unaudited: 'the campaign that comes of it is' },
    )
    if (begun.length > 0) return { ...row, campaignId: null, templateId: null, sentAt: null, owedUntil: null }
    if (policy?.rule)
      throw await refusalOrQuestion(ctx, row.projectId, policy.rule, 'crowdwork', () => wantedCampaign(input))
    throw (
      (await budgetRefusal(ctx, 'dollars', row.costCents)) ?? (await budgetReached(ctx, row.projectId, row.costCents))
    )
  } catch (error) {
    if (violatedUnique(error) !== 'crowdwork_campaigns_open_unique') throw error
    throw inProgress()
  }
}

/** Resumes a campaign that an earlier call began. Throws 402, and 409 while that call still runs. */
const resume = async (ctx: Ctx, input: CreateCampaignInput, open: MakingRow, until: Date): Promise<MakingRow> => {
  if (open.leaseUntil !== null && open.leaseUntil > ctx.now()) throw inProgress()
  const { id, accountId, projectId, stage } = open
  const now = ctx.now()
  const cents = open.availablePositions * open.paymentCents
  // The money of a campaign under way is set aside already, and its key was charged when it began.
  const isGivenUp = stage === 'failed'
  const call = { ...outward(ctx, now), ...(isGivenUp ? { cents } : { isSettled: true }) }
  const which = and(eq(campaigns.id, id), eq(campaigns.stage, stage), isFree(now))
  const mayGoOn = and(
    policyAllows(projectId, call),
    isGivenUp ? hasRoom(now, { accountId, projectId, cents }) : undefined,
  )
  const canClaim = sql`${anyCampaign(ctx, which)} and ${mayGoOn}`
  const {
    rule: [policy],
    changedCampaigns: [row],
  } = await ctx.batch(
    {
      project: lockProject(ctx.db, projectId),
      campaign: lockCampaign(ctx, id),
      rule: ruleOf(projectId, call),
      ...when(canClaim, { settleLater: (isMet) => settleLater(ctx, open, isMet), running: ctx.keepRunning(until) }),
      changedCampaigns: ctx.db
        .update(campaigns)
        .set({
          stage: 'making',
          leaseUntil: until,
          lastError: null,
          updatedAt: now,
          ...(isGivenUp ? { chargedAt: now } : {}),
        })
        .where(and(which, mayGoOn))
        .returning({ campaignId: campaigns.campaignId, templateId: campaigns.templateId, sentAt: campaigns.sentAt }),
    },
    { unaudited: 'the campaign that comes of it is' },
  )
  // Takes the present values, because another call may have sent the campaign since it was read.
  if (row) return { ...open, ...row }
  if (policy?.rule) throw await refusalOrQuestion(ctx, projectId, policy.rule, 'crowdwork', () => wantedCampaign(input))
  throw isGivenUp ? await budgetReached(ctx, projectId, cents) : inProgress()
}

/** Returns the answer for a campaign that was made. `more` is added to the usual message. */
const answerOf = (crowd: Crowdwork, row: MakingRow, { campaignId, templateId }: MadeCampaign, more = '') => ({
  campaign_id: campaignId,
  template_id: templateId,
  project_id: row.projectId,
  status: 'created' as const,
  external_url: crowd.pageOf(campaignId),
  message: `The campaign is created: ${row.availablePositions} positions at $${(row.paymentCents / 100).toFixed(2)}. ${crowd.name} reviews it before workers see it; GET /crowdwork/campaigns/${campaignId} shows its state.${more}`,
})

/** Returns the answer for a campaign that an equal call has made; undefined if there is none yet. */
const answerOfEqual = (crowd: Crowdwork, row: MakingRow | undefined, until: Date) => {
  if (!row || row.campaignId === null) return undefined
  const more = ` An identical call created it. To create another one, repeat the call after ${until.toISOString()}, or with another template_title.`
  return answerOf(crowd, row, { campaignId: row.campaignId, templateId: row.templateId ?? '' }, more)
}

/** Makes a campaign, continuing after the last step of an earlier call. Throws 409 if another call holds it. */
const make = async (ctx: Ctx, crowd: Crowdwork, row: MakingRow, until: Date) => {
  const made = await makeMissing(ctx, crowd, row, until)
  const answer = answerOf(crowd, row, made)
  const finished = { campaignId: made.campaignId, isNoted: row.campaignId !== null, answer }
  if (!(await finish(ctx, row, until, finished))) throw inProgress()
  return answer
}

/** Records that an equal call was told to repeat. Returns false if the campaign was completed since it was read. */
const oweAnswer = async (ctx: Ctx, accountId: number, fingerprint: string): Promise<boolean> => {
  const { owed } = await ctx.batch(
    {
      owed: ctx.db
        .update(campaigns)
        .set({ owedUntil: repeatUntil(ctx.now()) })
        .where(
          and(
            eq(campaigns.accountId, accountId),
            eq(campaigns.fingerprint, fingerprint),
            inArray(campaigns.stage, ['making', 'failed']),
          ),
        )
        .returning({ id: campaigns.id }),
    },
    { unaudited: 'nothing was made' },
  )
  return owed.length > 0
}

/**
 * Makes a template and a campaign from it, and registers the campaign.
 *
 * The same call continues where an earlier one stopped, so that nothing is made or paid twice. An equal call that was told to
 * repeat gets the campaign for some minutes.
 *
 * Throws 404, 403, 402 above the budget, 409 while the same call is under way, 422, 502, 503.
 */
export const createCampaign = async (ctx: Ctx, crowd: Crowdwork, input: CreateCampaignInput) => {
  const { project_id: projectId } = input
  const fingerprint = await sha256(JSON.stringify(input))
  const { results } = await readWithProject(ctx, projectId, {
    open: openCampaign(ctx.db, projectId, fingerprint),
    tried: triedCampaign(ctx.db, projectId),
    ids: nextCampaignId(ctx.db),
  })
  const { id: accountId } = await ctx.account()
  let [open] = results.open
  if (crowd.triesFirst && results.tried.length === 0) checkFirst(crowd.name, input.available_positions)
  const owedUntil = open?.owedUntil
  if (open?.campaignId && owedUntil) {
    const owed = owedUntil > ctx.now() && answerOfEqual(crowd, open, owedUntil)
    if (owed) return owed
    // The time for repeated calls has ended, so the same call makes another campaign now.
    await finish(ctx, open, null, { campaignId: open.campaignId, isNoted: true })
    open = undefined
  }
  const until = leaseUntil(ctx.now())
  try {
    const id = Number(results.ids.rows[0]?.id)
    const row = open
      ? await resume(ctx, input, open, until)
      : await begin(ctx, accountId, id, input, fingerprint, until)
    return await make(ctx, crowd, row, until)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'campaign_in_progress') throw error
    if (await oweAnswer(ctx, accountId, fingerprint)) throw error
    // The campaign was completed after it was read.
    const [made] = await ctx.read(() => newestMade(ctx.db, projectId, fingerprint))
    const answer = answerOfEqual(crowd, made, ctx.now())
    if (answer) return answer
    throw error
  }
}
