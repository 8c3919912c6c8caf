import type { GapReason, OfferedModel } from '../../../schema/values/visibility.ts'
import type { JobResult } from '../../jobs/define.ts'
import type { Ctx } from '../../runtime/ctx.ts'
import type { Looked } from '../match/work.ts'
import type { AnswerEngines } from '../port.ts'
import { leaveGaps, putOff, settleQuestion } from './answer-statements.ts'
import { finishScan } from './finish.ts'
import { gap, keptOf } from './kept.ts'
import { pinModel } from './pin.ts'
import { type OpenQuestion, openQuestions, type ScanToAsk, scanToAsk } from './queries.ts'
import type { Asking } from './work.ts'

/** Questions that are asked side by side: a Worker has six connections. */
const AT_ONCE = 4
/** No question is begun later in a run than this, ms: the slowest still has to be answered within the run's time. */
const BEGIN_MS = 20_000
const MAX_TRIES = 4
/** Waits before the next try, ms. */
const WAITS_MS = [5_000, 30_000, 120_000]

type Engine = Asking & { scan: ScanToAsk; brand: Looked; engines: AnswerEngines; model: OfferedModel | undefined }

/** Asks one question and keeps what came of it at once. False when no further question would fare better. */
const askOne = async (ctx: Ctx, of: Engine, question: OpenQuestion): Promise<boolean> => {
  const { engine, scan, brand } = of
  const { country, language } = scan
  const tag = [scan.websiteKey, ...scan.competitors].join(' ')
  const answer = await of.engines.ask({ engine, prompt: question.prompt, country, language, tag, model: of.model })
  await ctx.step('scan:asked')
  if (answer.kind !== 'failed') {
    await ctx.write(settleQuestion(question.id, await keptOf(ctx.texts, answer, brand), ctx.now()))
    await ctx.step('scan:kept')
    return true
  }
  if (answer.again && question.tries + 1 < MAX_TRIES) {
    const waitMs = Math.max((answer.retryAfterS ?? 0) * 1_000, WAITS_MS[question.tries] ?? 0)
    const until = new Date(ctx.now().getTime() + waitMs / ctx.settings.retryTimeScale)
    await ctx.write(putOff(question.id, question.tries + 1, until, answer.costUsd))
    return true
  }
  await ctx.write(settleQuestion(question.id, gap(answer.reason, answer.costUsd), ctx.now()))
  if (!answer.forAll) return true
  await ctx.write(leaveGaps(of.scan_id, engine, answer.reason, ctx.now()))
  return false
}

/** Leaves the engine's open questions as gaps and ends the scan where they were the last. */
const giveUp = async (
  ctx: Ctx,
  { scan_id: scanId, engine }: Asking,
  reason: GapReason,
  sandbox: boolean,
): Promise<JobResult> => {
  await ctx.write(leaveGaps(scanId, engine, reason, ctx.now()))
  await finishScan(ctx, scanId, sandbox)
  return { kind: 'done' }
}

/**
 * Asks one engine the questions of a scan that are open, some side by side, for one run's time; what is answered is kept at
 * once, so that a run that dies asks nothing again that was kept. The last engine to end counts the scan.
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
    siteKey: scan.websiteKey,
    competitors: scan.competitors,
    language: scan.language,
  }
  const model = await pinModel(ctx, engines, asking, scan)
  const of = { ...asking, scan, brand, engines, model }
  for (;;) {
    const [open] = await ctx.read(() => [openQuestions(ctx.db, scanId, engine, AT_ONCE)])
    const [first] = open
    if (!first) break
    const ready = open.filter(({ notBefore }) => notBefore === null || notBefore <= ctx.now())
    if (ready.length === 0) return { kind: 'later', at: first.notBefore ?? ctx.now() }
    if (ctx.now().getTime() - began > BEGIN_MS) return { kind: 'later', at: ctx.now() }
    await Promise.all(ready.map((question) => askOne(ctx, of, question)))
  }
  await finishScan(ctx, scanId, engines.isSandbox)
  return { kind: 'done' }
}

/** The engine's questions could not be asked, run after run: they are gaps. */
export const stopAsking = async (ctx: Ctx, engines: AnswerEngines | undefined, asking: Asking): Promise<void> => {
  await giveUp(ctx, asking, 'internal', engines?.isSandbox ?? false)
}
