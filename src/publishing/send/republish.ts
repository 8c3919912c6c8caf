import type { JobResult } from '../../platform/jobs/handler.ts'
import { ApiError, ERROR_CODES } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { publishableById } from '../read/queries.ts'
import type { TargetFactory } from '../target/publish-target.ts'
import { WANTS_TARGET } from '../target/reasons.ts'
import { publishByClock } from './publish.ts'

/**
 * Publishes an article that failed for want of a target, in its project's turn. Does nothing when it was edited, published or
 * tried again meanwhile.
 */
export const republish = async (
  ctx: Ctx,
  targets: TargetFactory,
  articleId: number,
  live: boolean,
): Promise<JobResult> => {
  const [rows] = await ctx.read((owner) => [publishableById(ctx.db, owner, articleId)])
  const article = rows[0]?.article
  const stillWants = WANTS_TARGET.some((reason) => reason === article?.publishError)
  if (article?.publishState !== 'failed' || !stillWants) return { kind: 'done' }
  try {
    return await publishByClock(ctx, targets, articleId, live)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return ERROR_CODES[error.code].retryable ? { kind: 'again', reason: error.code } : { kind: 'done' }
  }
}
