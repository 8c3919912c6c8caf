import type { WantedApproval } from '../../../schema/values/approvals.ts'
import type { PolicyRule } from '../../../schema/values/policy.ts'
import { refusalOrQuestion } from '../../accounts/policy/refusal.ts'
import { readWithProject } from '../../accounts/projects/scope.ts'
import { budgetRefusal, spendOfKey } from '../../platform/accounts/key-budget.ts'
import { violatedUnique } from '../../platform/db/client.ts'
import { sha256 } from '../../platform/lib/crypto.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { budgetReached } from './budget.ts'
import { inProgress, type MadeCampaign, makeMissing, type Wanted } from './make.ts'
import type { Crowdwork } from './port.ts'
import { type MakingRow, newestMade, openCampaign, triedCampaign } from './queries.ts'
import { checkFirst, DEFAULTS, leaseUntil, markOf } from './rules.ts'
import type { CreateCampaignInput } from './schemas.ts'
import { beginCampaign, budgetLocks, claimCampaign, finishCampaign, oweAnswer, type Reached } from './statements.ts'

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

/** Returns the positions of a campaign, and the cents that each is paid. */
const sizeOf = ({ available_positions: positions, payment_per_task: cents }: CreateCampaignInput) =>
  [positions ?? DEFAULTS.positions, cents ?? DEFAULTS.paymentCents] as const

const inDollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`

/** Returns what a person is asked about a campaign: what workers read, and what it costs. */
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

type Gated = { id: number | null; rule: PolicyRule | null }

/** Begins a campaign, its money set aside. Throws 402, and 409 when the same call is at it. */
const begin = async (
  ctx: Ctx,
  accountId: number,
  input: CreateCampaignInput,
  fingerprint: string,
  until: Date,
): Promise<MakingRow> => {
  const now = ctx.now()
  const [positions, cents] = sizeOf(input)
  const row = {
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
    const locks = [...spending.locks, ...budgetLocks(input.project_id)]
    const [begun] = await ctx.write<Gated>(beginCampaign(ctx, row, spending), locks)
    if (begun?.rule)
      throw await refusalOrQuestion(ctx, input.project_id, begun.rule, 'crowdwork', () => wantedCampaign(input))
    if (!begun?.id)
      throw (
        (await budgetRefusal(ctx, 'dollars', row.costCents)) ??
        (await budgetReached(ctx, input.project_id, row.costCents))
      )
    return { ...row, id: begun.id, campaignId: null, templateId: null, sentAt: null, owedUntil: null }
  } catch (error) {
    if (violatedUnique(error) !== 'crowdwork_campaigns_open_unique') throw error
    throw inProgress()
  }
}

/** Resumes a campaign that an earlier call began. Throws 402, and 409 while that call still runs. */
const resume = async (ctx: Ctx, input: CreateCampaignInput, open: MakingRow, until: Date): Promise<MakingRow> => {
  if (open.leaseUntil !== null && open.leaseUntil > ctx.now()) throw inProgress()
  const [row] = await ctx.write<Reached & Gated>(claimCampaign(ctx, open, until), budgetLocks(open.projectId))
  if (row?.rule) throw await refusalOrQuestion(ctx, open.projectId, row.rule, 'crowdwork', () => wantedCampaign(input))
  // As it is now: another call may have sent it since it was read.
  if (row?.id) {
    const { campaignId, templateId, sentAt } = row
    return { ...open, campaignId, templateId, sentAt: sentAt === null ? null : new Date(Number(sentAt)) }
  }
  throw open.stage === 'failed'
    ? await budgetReached(ctx, open.projectId, open.availablePositions * open.paymentCents)
    : inProgress()
}

/** Returns the answer for a campaign that was made; `more` follows the usual words. */
const answerOf = (crowd: Crowdwork, row: MakingRow, { campaignId, templateId }: MadeCampaign, more = '') => ({
  campaign_id: campaignId,
  template_id: templateId,
  project_id: row.projectId,
  status: 'created' as const,
  external_url: crowd.pageOf(campaignId),
  message: `The campaign is made: ${row.availablePositions} positions at $${(row.paymentCents / 100).toFixed(2)}. ${crowd.name} reviews it before workers see it; GET /crowdwork/campaigns/${campaignId} says how it stands.${more}`,
})

/** The answer of a call that an equal one has made the campaign of; undefined where there is none yet. */
const answerOfEqual = (crowd: Crowdwork, row: MakingRow | undefined, until: Date) => {
  if (!row || row.campaignId === null) return undefined
  const more = ` An equal call made it. To make another one, send the call again after ${until.toISOString()}, or with another template_title.`
  return answerOf(crowd, row, { campaignId: row.campaignId, templateId: row.templateId ?? '' }, more)
}

/** Makes the campaign, from where an earlier call ended. Throws 409 while an equal call is at it. */
const make = async (ctx: Ctx, crowd: Crowdwork, row: MakingRow, until: Date) => {
  const made = await makeMissing(ctx, crowd, row, until)
  const answer = answerOf(crowd, row, made)
  const finished = { campaignId: made.campaignId, isNoted: row.campaignId !== null, answer }
  const [done] = await ctx.write(finishCampaign(ctx, row.accountId, { id: row.id, leaseUntil: until }, finished))
  if (!done) throw inProgress()
  return answer
}

/** Ends what was owed until an instant that has passed: the same call makes another campaign then. */
const endOwed = async (ctx: Ctx, row: MakingRow, campaignId: string): Promise<void> => {
  await ctx.write(finishCampaign(ctx, row.accountId, { id: row.id, leaseUntil: null }, { campaignId, isNoted: true }))
}

/**
 * Makes a template and a campaign from it, and registers the campaign. The same call again goes on where an earlier one ended:
 * nothing is made or paid twice.
 *
 * An equal call that is told to repeat gets the campaign for some minutes. Throws 404, 403, 402 past the budget, 409 while the same call
 * is at it, 422, 502, 503.
 */
export const createCampaign = async (ctx: Ctx, crowd: Crowdwork, input: CreateCampaignInput) => {
  const { project_id: projectId } = input
  const fingerprint = await sha256(JSON.stringify(input))
  const questions = [openCampaign(ctx.db, projectId, fingerprint), triedCampaign(ctx.db, projectId)] as const
  const { results } = await readWithProject(ctx, projectId, questions)
  const { id: accountId } = await ctx.account()
  let open = results[0][0]
  if (crowd.triesFirst && results[1].length === 0) checkFirst(crowd.name, input.available_positions)
  const owedUntil = open?.owedUntil
  if (open?.campaignId && owedUntil) {
    const owed = owedUntil > ctx.now() && answerOfEqual(crowd, open, owedUntil)
    if (owed) return owed
    await endOwed(ctx, open, open.campaignId)
    open = undefined
  }
  const until = leaseUntil(ctx.now())
  try {
    const row = open ? await resume(ctx, input, open, until) : await begin(ctx, accountId, input, fingerprint, until)
    return await make(ctx, crowd, row, until)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'campaign_in_progress') throw error
    const [owed] = await ctx.write(oweAnswer(ctx, accountId, fingerprint))
    if (owed) throw error
    // Made between the look and the note.
    const [[made]] = await ctx.read(() => [newestMade(ctx.db, projectId, fingerprint)])
    const answer = answerOfEqual(crowd, made, ctx.now())
    if (answer) return answer
    throw error
  }
}
