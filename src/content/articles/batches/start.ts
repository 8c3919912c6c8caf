import { articleBatches } from '../../../../schema/batches.ts'
import { readWithProject } from '../../../accounts/projects/scope.ts'
import { insertWhere } from '../../../platform/db/writes.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import type { Ctx } from '../../../platform/runtime/ctx.ts'
import type { CreateBatchInput } from '../operations.ts'
import { batchJob } from './job.ts'
import { nextBatchId } from './queries.ts'

/** Accepts a list of articles, which a job creates one after the other. Throws 404 and 403 for the project. */
export const startBatch = async (ctx: Ctx, { project_id: projectId, articles }: CreateBatchInput) => {
  const { results } = await readWithProject(ctx, projectId, { ids: nextBatchId(ctx.db) })
  const { id: accountId } = await ctx.account()
  const id = Number(results.ids.rows[0]?.id)
  const now = ctx.now()
  const answer = {
    batch_id: id,
    status: 'running' as const,
    count: articles.length,
    message: `The articles are being created. GET /articles/batches/${id} has the result of each.`,
  }
  await ctx.batch(
    {
      made: insertWhere(
        articleBatches,
        { id, accountId, projectId, count: articles.length, entries: articles, createdAt: now },
        { if: 'always' },
      ),
      job: enqueue(batchJob, { batch_id: id }, { account: accountId, runAt: now, open: 'keep', if: 'always' }),
      kept: ctx.keepAnswer(answer)('always'),
    },
    { unaudited: 'each article that it creates has its entry' },
  )
  ctx.defer(ctx.wakeQueue())
  return answer
}
