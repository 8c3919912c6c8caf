import type { GapReason } from '../../../../schema/values/visibility.ts'
import type { JobResult } from '../../../platform/jobs/define.ts'
import type { Ctx } from '../../../platform/runtime/ctx.ts'
import type { AnswerEngines } from '../port.ts'
import { MAX_ACTIVE, MAX_SAMPLES } from '../rules.ts'
import { leaveGaps } from './answer-statements.ts'
import { finishScan } from './finish.ts'
import { after, type Round } from './keep.ts'
import { askLive } from './live.ts'
import { pinModel } from './pin.ts'
import { openQuestions, scanToAsk } from './queries.ts'
import { askByTask } from './tasks.ts'
import type { Asking } from './work.ts'

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
  await ctx.write(leaveGaps(scanId, engine, reason, ctx.now()))
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
