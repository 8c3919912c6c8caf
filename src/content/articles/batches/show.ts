import type { BatchOutcome } from '../../../../schema/values/articles.ts'
import { owned } from '../../../platform/accounts/check-owner.ts'
import type { Ctx } from '../../../platform/runtime/ctx.ts'
import { batchById, batchResults } from './queries.ts'

/** Returns a batch with the results so far. Throws 404, 403. */
export const showBatch = async (ctx: Ctx, id: number) => {
  const { found, results } = await ctx.read((owner) => ({
    found: batchById(ctx.db, owner, id),
    results: batchResults(ctx.db, id),
  }))
  const batch = owned(found[0] && { row: found[0], mine: found[0].mine }, 'batch')
  const countOf = (outcome: BatchOutcome) => results.filter((one) => one.outcome === outcome).length
  return {
    batch_id: batch.id,
    project_id: batch.projectId,
    status: batch.doneAt === null ? ('running' as const) : ('done' as const),
    count: batch.count,
    created: countOf('created'),
    existed: countOf('existed'),
    refused: countOf('refused'),
    results: results.map((one) => ({
      position: one.position,
      outcome: one.outcome,
      article_id: one.articleId,
      external_ref: one.externalRef,
      message: one.message,
      code: one.refusal?.code ?? null,
      ...(one.refusal?.details ? { details: one.refusal.details } : {}),
    })),
    created_at: batch.createdAt.toISOString(),
    done_at: batch.doneAt?.toISOString() ?? null,
  }
}
