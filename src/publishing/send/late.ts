import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { Attempt, Ending } from '../deliveries/attempt.ts'
import { howItStands } from '../read/queries.ts'
import type { PublishOutcome } from '../target/publish-target.ts'
import { lateAnswer, type PublishAnswer } from './answers.ts'
import type { ReportedPost } from './end-statements.ts'
import { type LateRow, noteOlderWords, recordLate } from './late-statements.ts'

/** Waits for another attempt to let go of the article, ms; together as long as a receiver has for its answer. */
const BUSY_WAITS_MS = [1_000, 4_000, 10_000, 15_000] as const

/** Result of a late attempt: what the target took, how that is recorded, and the answer to its caller. */
type LateResult = { ending: Ending; taken: ReportedPost; answer: PublishAnswer }

const isRecorded = async (ctx: Ctx, attempt: Attempt, { ending, taken, answer }: LateResult): Promise<boolean> => {
  if (attempt.articleId === null || attempt.replayOf !== null) return false
  const record = async (): Promise<LateRow | undefined> =>
    (await ctx.write<LateRow>(recordLate(ctx, attempt, ending, taken, answer)))[0]
  let row = await record()
  for (const waitMs of BUSY_WAITS_MS) {
    if (!row?.busy) break
    await ctx.wait(waitMs)
    row = await record()
  }
  if (row?.recorded) ctx.defer(ctx.wakeQueue())
  return row?.recorded ?? false
}

/** Records on the article that the target may show the older words of a late attempt. */
export const tellOlderWords = async (
  ctx: Ctx,
  attempt: Attempt,
  outcome: PublishOutcome,
  answeredAt: Date,
): Promise<void> => {
  if (attempt.articleId === null || attempt.replayOf !== null || outcome.kind === 'refused') return
  await ctx.write(noteOlderWords(attempt, answeredAt))
}

/** `answeredAt`: when the target answered, undefined where it was only asked. `taken`: undefined where it took nothing. */
type LateEnd = { answeredAt: Date | undefined; taken?: LateResult }

/**
 * After the end of a publication's attempt that did not hold its delivery any more, since another took it over or called it off. What
 * the target took is recorded all the same, unless it has been published since. The answer says how the article stands then.
 */
export const endLate = async (
  ctx: Ctx,
  attempt: Attempt,
  outcome: PublishOutcome,
  { answeredAt, taken }: LateEnd,
): Promise<PublishAnswer> => {
  if (taken && (await isRecorded(ctx, attempt, taken))) return taken.answer
  if (answeredAt) await tellOlderWords(ctx, attempt, outcome, answeredAt)
  const [[stands]] = await ctx.read(() => [howItStands(ctx.db, attempt.deliveryId)])
  return lateAnswer(attempt, stands, outcome)
}
