import type { Ctx } from '../../runtime/ctx.ts'
import type { Attempt } from '../deliveries/attempt.ts'
import { type PublishAnswer, stillSending } from './answers.ts'
import { CALLER_WAITS_MS } from './rules.ts'

/**
 * What a caller is told of an attempt under way: its answer, or 202 when the target takes longer than a caller is kept waiting.
 * The attempt then goes on after the answer. Should its process end first, its delivery is taken up when the hold on the
 * article ends, and the target is asked. A webhook's own limit of 30 s comes soon enough.
 */
export const answerInTime = async (
  ctx: Ctx,
  attempt: Attempt,
  sending: Promise<PublishAnswer>,
): Promise<PublishAnswer> => {
  if (attempt.platform === 'webhook') return await sending
  const answer = await Promise.race([sending, ctx.wait(CALLER_WAITS_MS)])
  if (answer) return answer
  ctx.defer(sending)
  return stillSending(attempt)
}
