import type { Engine, OfferedModel } from '../../../../schema/values/visibility.ts'
import type { Ctx } from '../../../platform/runtime/ctx.ts'
import type { Looked } from '../match/work.ts'
import type { AnswerEngines, EngineAnswer, Question } from '../port.ts'
import { leaveGaps, putOff, settleQuestion } from './answer-statements.ts'
import { gap, keptOf } from './kept.ts'
import type { OpenQuestion, ScanToAsk } from './queries.ts'

/** One engine that is asked for a scan, and what its answers are judged by. */
export type Round = {
  scanId: number
  engine: Engine
  scan: ScanToAsk
  brand: Looked
  engines: AnswerEngines
  model: OfferedModel | undefined
}

/** Questions that are asked, or looked at, side by side: a Worker has six connections. */
export const AT_ONCE = 4
const MAX_TRIES = 4
/** Waits before the next try, ms. */
const WAITS_MS = [5_000, 30_000, 120_000]

/** Returns the moment after a wait; tests pass time faster. */
export const after = (ctx: Ctx, ms: number, from = ctx.now()): Date =>
  new Date(from.getTime() + ms / ctx.settings.retryTimeScale)

/** Returns a question as its engine is asked it. Its tag is its own, and says whose question it is. */
export const questionOf = ({ engine, scan, model }: Round, prompt: string, tag: string): Question => {
  const { country, language, websiteKey, competitors } = scan
  return { engine, prompt, country, language, model, tag: [tag, websiteKey, ...competitors].join(' ') }
}

/** Settles a question as a gap. */
export const leaveGap = async (
  ctx: Ctx,
  { id }: Pick<OpenQuestion, 'id'>,
  reason: 'internal' | 'provider_timeout' | 'provider_unavailable',
) => {
  await ctx.write(settleQuestion(id, gap(reason, 0), ctx.now()))
}

/** Keeps what came of a question. One that failed and may succeed is asked again later; if no other would fare better, all are gaps. */
export const keepAnswer = async (
  ctx: Ctx,
  { scanId, engine, brand }: Round,
  question: Pick<OpenQuestion, 'id' | 'tries'>,
  answer: EngineAnswer,
): Promise<void> => {
  await ctx.step('scan:asked')
  if (answer.kind !== 'failed') {
    await ctx.write(settleQuestion(question.id, await keptOf(ctx.texts, answer, brand), ctx.now()))
    return await ctx.step('scan:kept')
  }
  if (answer.again && question.tries + 1 < MAX_TRIES) {
    const waitMs = Math.max((answer.retryAfterS ?? 0) * 1_000, WAITS_MS[question.tries] ?? 0)
    await ctx.write(putOff(question.id, question.tries + 1, after(ctx, waitMs), answer.costUsd))
    return
  }
  await ctx.write(settleQuestion(question.id, gap(answer.reason, answer.costUsd), ctx.now()))
  if (answer.forAll) await ctx.write(leaveGaps(scanId, engine, answer.reason, ctx.now()))
}
