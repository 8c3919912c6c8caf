import { and, eq, exists, notExists, sql } from 'drizzle-orm'
import { ENGINES, type Engine, type GapReason, type OfferedModel } from '../../../../schema/values/visibility.ts'
import {
  visibilityAnswers as answers,
  visibilityModels as offers,
  visibilityScans as scans,
} from '../../../../schema/visibility.ts'
import { chargeDollars, lockDollars } from '../../../platform/accounts/provider-dollars.ts'
import type { JobResult } from '../../../platform/jobs/job.ts'
import { DAY_MS } from '../../../platform/lib/time.ts'
import type { Ctx } from '../../../platform/runtime/ctx.ts'
import type { Asking } from '../jobs.ts'
import type { AnswerEngines } from '../port.ts'
import {
  asksByTask,
  type CountedAnswer,
  chosenModel,
  countScan,
  MAX_ACTIVE,
  MAX_SAMPLES,
  type ScanTotals,
  withAnswered,
} from '../rules.ts'
import { AT_ONCE, after, keepAnswer, questionOf, type Round, settleAllAsGaps, settleAsGap } from './keep.ts'
import { answersOfScan, keptModels, type OpenQuestion, openQuestions, type ScanToAsk, scanToAsk } from './queries.ts'
import { askByTask, reservePlaces } from './tasks.ts'

/** Time for which a list of models is used, ms. */
const KEPT_MS = DAY_MS

/** Returns the models of an engine, from a list of the last day. If a new list cannot be read, the older one is used. */
const offeredModels = async (ctx: Ctx, engines: AnswerEngines, engine: Engine): Promise<OfferedModel[]> => {
  const [kept] = await ctx.read(() => keptModels(ctx.db, engine))
  if (kept && kept.readAt.getTime() > ctx.now().getTime() - KEPT_MS) return kept.models
  const answer = await engines.offered(engine)
  if (answer.kind === 'offered' && answer.models.length > 0) {
    const list = { models: answer.models, readAt: ctx.now() }
    const read = ctx.db
      .insert(offers)
      .values({ engine, ...list })
      .onConflictDoUpdate({ target: offers.engine, set: list })
    await ctx.batch({ read }, { unaudited: 'a list of the provider, of no account' })
    return answer.models
  }
  const reason = answer.kind === 'failed' ? answer.reason : 'The list is empty.'
  ctx.log('warn', 'visibility.models_unknown', { engine, reason })
  return kept?.models ?? []
}

/**
 * Returns the model with which a scan asks an engine, and stores it for the whole scan.
 *
 * It is chosen before the engine's first question. Undefined for engines that are read from pages of results.
 */
const pinModel = async (
  ctx: Ctx,
  engines: AnswerEngines,
  { scan_id: scanId, engine }: Asking,
  { models }: ScanToAsk,
): Promise<OfferedModel | undefined> => {
  const pinned = models[engine]?.asked
  const configured = engines.configured(engine)
  if (pinned || configured === undefined) return pinned
  const offered = await offeredModels(ctx, engines, engine)
  const { model, isListed } = chosenModel(engine, configured, offered)
  if (offered.length > 0 && !isListed)
    ctx.log('warn', 'visibility.model_unlisted', { engine, model: configured, asked: model.name })
  const asked = sql`jsonb_build_object(${engine}::text, jsonb_build_object('asked', ${JSON.stringify(model)}::jsonb))`
  const isUnpinned = sql`not (${scans.models} ? ${engine}::text)`
  const pin = ctx.db
    .update(scans)
    .set({ models: sql`${scans.models} || ${asked}` })
    .where(and(eq(scans.id, scanId), eq(scans.state, 'running'), isUnpinned))
  await ctx.batch({ pin }, { unaudited: 'a step of a scan whose begin is audited' })
  return model
}

/** Returns the most frequent reason for the gaps of a scan. */
const mainReason = ({ engines }: ScanTotals): GapReason => {
  const counts = new Map<GapReason, number>()
  for (const { reasons } of engines)
    for (const [reason, n] of Object.entries(reasons) as [GapReason, number][])
      counts.set(reason, (counts.get(reason) ?? 0) + n)
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 'internal'
}

/**
 * Ends a scan if none of its questions is open: counts its answers and stores the totals.
 *
 * A scan without a single answer has failed, and no conclusions are drawn from it.
 */
const finishScan = async (ctx: Ctx, scanId: number, sandbox: boolean): Promise<void> => {
  const {
    scan: [scan],
    rows,
  } = await ctx.read(() => ({ scan: scanToAsk(ctx.db, scanId), rows: answersOfScan(ctx.db, scanId) }))
  if (scan?.state !== 'running' || rows.some(({ state }) => state === 'open')) return
  const totals = countScan(rows as CountedAnswer[], scan.competitors)
  const error = totals.answers === 0 ? mainReason(totals) : null
  await ctx.step('scan:counted')
  const models = withAnswered(scan.models, rows)
  const state = error === null ? 'completed' : 'failed'
  const isOpen = and(eq(answers.scanId, scanId), eq(answers.state, 'open'))
  const open = ctx.db.select({ id: answers.id }).from(answers).where(isOpen)
  const ended = ctx.db
    .update(scans)
    .set({ ...totals, models, state, error, sandbox, finishedAt: ctx.now() })
    .where(and(eq(scans.id, scanId), eq(scans.state, 'running'), notExists(open)))
  // The expected cost becomes the real one, once: while the scan is running and none of its questions is open.
  const isEnding = exists(
    ctx.db
      .select({ id: scans.id })
      .from(scans)
      .where(and(eq(scans.id, scanId), eq(scans.state, 'running'), notExists(open))),
  )
  const charged = chargeDollars(ctx.db, scan.accountId, ctx.now(), totals.costUsd - scan.expectedUsd, isEnding)
  const account = lockDollars(ctx.db, scan.accountId)
  await ctx.batch(
    { account, charged, ended },
    { unaudited: 'a step of a scan whose begin is audited; its rows say what was asked' },
  )
  ctx.log('info', 'visibility.scanned', {
    scan_id: scanId,
    answers: totals.answers,
    gaps: totals.gaps,
    cost_usd: totals.costUsd,
    engines: ENGINES.length,
  })
}

/** Longest time that a live question takes, ms: 125 s for the answer, and then its judgement. */
const UNDER_WAY_MS = 140_000

/**
 * Asks some questions and waits for their answers. Returns false if no place is free.
 *
 * If an earlier run asked a question, the answer was lost with that run. The question becomes a gap, because asking again would
 * be charged twice.
 */
const askLive = async (ctx: Ctx, of: Round, ready: readonly OpenQuestion[]): Promise<boolean> => {
  const lost = ready.filter(({ handedAt }) => handedAt !== null)
  for (const question of lost) await settleAsGap(ctx, question, 'internal')
  const asked = await reservePlaces(ctx, of.engine, ready, {
    most: AT_ONCE,
    until: (now) => {
      const until = new Date(now.getTime() + UNDER_WAY_MS)
      return { heldUntil: until, lookAt: until }
    },
  })
  await Promise.all(
    asked.map(async (question) => {
      const answer = await of.engines.ask(questionOf(of, question.prompt, question.tag))
      await keepAnswer(ctx, of, question, answer)
    }),
  )
  return lost.length > 0 || asked.length > 0
}

/** Time after which a run begins no question, ms. The slowest answer must still arrive within the time of the run. */
const BEGIN_MS = 20_000
/** Delay if the provider has no free place, ms. */
const NO_PLACE_MS = 5_000

/** Settles the engine's open questions as gaps, and ends the scan if they were the last. */
const giveUp = async (
  ctx: Ctx,
  { scan_id: scanId, engine }: Asking,
  reason: GapReason,
  sandbox: boolean,
): Promise<JobResult> => {
  await settleAllAsGaps(ctx, scanId, engine, reason)
  await finishScan(ctx, scanId, sandbox)
  return { kind: 'done' }
}

/**
 * Asks one engine the open questions of a scan, several at a time, for the time of one run.
 *
 * Answers are stored at once, and a question that the provider has is not handed over again. The last engine to finish counts
 * the scan.
 */
export const askEngine = async (ctx: Ctx, engines: AnswerEngines | undefined, asking: Asking): Promise<JobResult> => {
  const { scan_id: scanId, engine } = asking
  const began = ctx.now().getTime()
  const [scan] = await ctx.read(() => scanToAsk(ctx.db, scanId))
  if (scan?.state !== 'running') return { kind: 'done' }
  if (!engines) return await giveUp(ctx, asking, 'not_configured', false)
  if (scan.projectStatus !== 'Active') return await giveUp(ctx, asking, 'project_archived', engines.isSandbox)
  const brand = {
    name: scan.businessName,
    aliases: scan.businessAliases,
    siteKey: scan.websiteKey,
    competitors: scan.competitors,
    language: scan.language,
  }
  const model = await pinModel(ctx, engines, asking, scan)
  const of: Round = { scanId, engine, scan, brand, engines, model }
  const askSome = asksByTask(scan.kind, model, engines.queuesCheaper(engine)) ? askByTask : askLive
  for (;;) {
    const open = await ctx.read(() => openQuestions(ctx.db, scanId, engine, MAX_ACTIVE * MAX_SAMPLES))
    const [first] = open
    if (!first) break
    const ready = open.filter(({ notBefore }) => notBefore === null || notBefore <= ctx.now())
    if (ready.length === 0) return { kind: 'later', at: first.notBefore ?? ctx.now() }
    if (ctx.now().getTime() - began > BEGIN_MS) return { kind: 'later', at: ctx.now() }
    if (!(await askSome(ctx, of, ready))) return { kind: 'later', at: after(ctx, NO_PLACE_MS) }
  }
  await finishScan(ctx, scanId, engines.isSandbox)
  return { kind: 'done' }
}

/** Settles the engine's open questions as gaps, after its runs failed repeatedly. */
export const stopAsking = async (ctx: Ctx, engines: AnswerEngines | undefined, asking: Asking): Promise<void> => {
  await giveUp(ctx, asking, 'internal', engines?.isSandbox ?? false)
}
