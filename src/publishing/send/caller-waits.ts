import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { Attempt } from '../deliveries/attempt.ts'
import { notAnswered, type PublishAnswer, stillSending } from './answers.ts'
import { CALLER_WAITS_MS } from './rules.ts'

/**
 * Returns the answer of an attempt under way, or 202 if the target takes longer than a caller waits.
 *
 * The attempt then continues after the answer. Should its process end first, its delivery is claimed again when the lease on
 * the article ends, and the target is asked. A webhook's own limit of 30 s comes soon enough.
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

/** Seconds after which a caller who did not wait may look again. */
const LOOK_AGAIN_S = 30

/** Returns the place at which such a caller sees the end of a change of a live post. */
export const goesOn = (id: number, what: string): string =>
  `${what}: PublishState in GET /articles/${id} is publishing until it ends, then idle, or failed with PublishError.`

/** Returns the fields of the answer for such a caller. */
export const lookAgain = (path: string) => ({
  retry_after: LOOK_AGAIN_S,
  next_calls: [{ method: 'GET', path, why: 'Shows how it ends.' }],
})

/** A session at Framer may take longer than work outlives its answer (30 s), and no change of a live post is begun again by itself. */
const isWaitedFor = (platform: string): boolean => platform === 'webhook' || platform === 'framer'

const unlessRefused = (error: unknown): void => {
  if (!(error instanceof ApiError)) throw error
}

/**
 * Returns the end of a change of a live post, or `late` thrown when the CMS takes longer than a caller is kept waiting. The change then
 * goes on after the answer, and its article shows how it ended.
 */
export const changeInTime = async <T>(
  ctx: Ctx,
  platform: string,
  changing: Promise<T>,
  late: (reason: string) => ApiError,
): Promise<T> => {
  if (isWaitedFor(platform)) return await changing
  const ended = await Promise.race([changing.then((value) => ({ value })), ctx.wait(CALLER_WAITS_MS)])
  if (ended) return ended.value
  ctx.defer(changing.catch(unlessRefused))
  throw late(notAnswered(platform))
}
