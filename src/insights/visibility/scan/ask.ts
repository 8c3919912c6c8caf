import { and, eq, notExists, sql } from 'drizzle-orm'
import { lastDayOf } from '../../../../schema/values/models.ts'
import { ENGINES, type Engine, type GapReason, type OfferedModel } from '../../../../schema/values/visibility.ts'
import {
  visibilityAnswers as answers,
  visibilityModels as offers,
  visibilityScans as scans,
} from '../../../../schema/visibility.ts'
import type { JobResult } from '../../../platform/jobs/handler.ts'
import { DAY_MS } from '../../../platform/lib/time.ts'
import type { Ctx } from '../../../platform/runtime/ctx.ts'
import type { Asking } from '../jobs.ts'
import type { AnswerEngines } from '../port.ts'
import { type CountedAnswer, countScan, MAX_ACTIVE, MAX_SAMPLES, type ScanTotals } from '../rules.ts'
import { AT_ONCE, after, keepAnswer, leaveGap, leaveGaps, questionOf, type Round } from './keep.ts'
import { chosenModel, withAnswered } from './model-rules.ts'
import { answersOfScan, keptModels, type OpenQuestion, openQuestions, type ScanToAsk, scanToAsk } from './queries.ts'
import { askByTask, reservePlaces } from './tasks.ts'

/** Longest time that a list of models is used, ms. */
const KEPT_MS = DAY_MS
/** A model that ends within this time is told to those who watch. */
const ENDS_SOON_MS = 60 * DAY_MS

/** Returns the models an engine offers: the list of the last day, else a new one. An older list is better than none. */
const offeredModels = async (ctx: Ctx, engines: AnswerEngines, engine: Engine): Promise<OfferedModel[]> => {
  const [[kept]] = await ctx.read(() => [keptModels(ctx.db, engine)])
  if (kept && kept.readAt.getTime() > ctx.now().getTime() - KEPT_MS) return kept.models
  const answer = await engines.offered(engine)
  if (answer.kind === 'offered' && answer.models.length > 0) {
    const list = { models: answer.models, readAt: ctx.now() }
    const read = ctx.db
      .insert(offers)
      .values({ engine, ...list })
      .onConflictDoUpdate({ target: offers.engine, set: list })
    await ctx.batch([read], { unaudited: 'a list of the provider, of no account' })
    return answer.models
  }
  const reason = answer.kind === 'failed' ? answer.reason : 'The list is empty.'
  ctx.log('warn', 'visibility.models_unknown', { engine, reason })
  return kept?.models ?? []
}

/** Logs a model that is gone or ends soon, for the alarms. */
const warn = (ctx: Ctx, engine: Engine, configured: string, model: OfferedModel, isMissing: boolean): void => {
  if (isMissing) ctx.log('warn', 'visibility.model_unlisted', { engine, model: configured, asked: model.name })
  const ends = lastDayOf(model.name)
  if (ends && Date.parse(ends) - ctx.now().getTime() <= ENDS_SOON_MS)
    ctx.log('warn', 'visibility.model_ends', { engine, model: model.name, ends })
}

/**
 * Returns the model that a scan asks an engine with, for as long as the scan runs: chosen when the engine's first question is about
 * to be asked. Undefined for engines that are read from pages of results.
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
  warn(ctx, engine, configured, model, offered.length > 0 && !isListed)
  const asked = sql`jsonb_build_object(${engine}::text, jsonb_build_object('asked', ${JSON.stringify(model)}::jsonb))`
  const isUnpinned = sql`not (${scans.models} ? ${engine}::text)`
  const pin = ctx.db
    .update(scans)
    .set({ models: sql`${scans.models} || ${asked}` })
    .where(and(eq(scans.id, scanId), eq(scans.state, 'running'), isUnpinned))
  await ctx.batch([pin], { unaudited: 'a step of a scan whose begin is audited' })
  return model
}

/** Returns the reason that kept most questions from being asked. */
const mainReason = ({ engines }: ScanTotals): GapReason => {
  const counts = new Map<GapReason, number>()
  for (const { reasons } of engines)
    for (const [reason, n] of Object.entries(reasons) as [GapReason, number][])
      counts.set(reason, (counts.get(reason) ?? 0) + n)
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 'internal'
}

/**
 * Ends a scan once no question of it is open: counts its answers and keeps what they add up to. One without a single answer
 * has failed; nothing is concluded from it.
 */
const finishScan = async (ctx: Ctx, scanId: number, sandbox: boolean): Promise<void> => {
  const [[scan], rows] = await ctx.read(() => [scanToAsk(ctx.db, scanId), answersOfScan(ctx.db, scanId)])
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
  await ctx.batch([ended], { unaudited: 'a step of a scan whose begin is audited; its rows say what was asked' })
  ctx.log('info', 'visibility.scanned', {
    scan_id: scanId,
    answers: totals.answers,
    gaps: totals.gaps,
    cost_usd: totals.costUsd,
    engines: ENGINES.length,
  })
}

/** Longest time that a live question is under way, ms: the answer has 125 s, and then it is judged. */
const UNDER_WAY_MS = 140_000

/**
 * Asks some questions and waits for their answers. One that an earlier run asked has lost its answer with that run: it is a gap, since
 * another would be paid for twice. False if no place is free.
 */
const askLive = async (ctx: Ctx, of: Round, ready: readonly OpenQuestion[]): Promise<boolean> => {
  const lost = ready.filter(({ handedAt }) => handedAt !== null)
  for (const question of lost) await leaveGap(ctx, question, 'internal')
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

/** No question is begun later in a run than this, ms: the slowest still has to be answered within the run's time. */
const BEGIN_MS = 20_000
/** Wait for a free place at a provider, ms. */
const NO_PLACE_MS = 5_000

/** Leaves the engine's open questions as gaps and ends the scan where they were the last. */
const giveUp = async (
  ctx: Ctx,
  { scan_id: scanId, engine }: Asking,
  reason: GapReason,
  sandbox: boolean,
): Promise<JobResult> => {
  await leaveGaps(ctx, scanId, engine, reason)
  await finishScan(ctx, scanId, sandbox)
  return { kind: 'done' }
}

/**
 * Asks one engine the questions of a scan that are open, some side by side, for one run's time. What is answered is kept at once, and
 * nothing that was handed to the provider is handed over again. The last engine to end counts the scan.
 */
export const askEngine = async (ctx: Ctx, engines: AnswerEngines | undefined, asking: Asking): Promise<JobResult> => {
  const { scan_id: scanId, engine } = asking
  const began = ctx.now().getTime()
  const [[scan]] = await ctx.read(() => [scanToAsk(ctx.db, scanId)])
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
  const askSome = model?.queued ? askByTask : askLive
  for (;;) {
    const [open] = await ctx.read(() => [openQuestions(ctx.db, scanId, engine, MAX_ACTIVE * MAX_SAMPLES)])
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

/** The engine's questions could not be asked, run after run: they are gaps. */
export const stopAsking = async (ctx: Ctx, engines: AnswerEngines | undefined, asking: Asking): Promise<void> => {
  await giveUp(ctx, asking, 'internal', engines?.isSandbox ?? false)
}
