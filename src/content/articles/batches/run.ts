import { and, eq, isNull, sql } from 'drizzle-orm'
import { articleBatches, articleBatchResults } from '../../../../schema/batches.ts'
import { insertWhere } from '../../../platform/db/writes.ts'
import { type JobResult, shownReason } from '../../../platform/jobs/job.ts'
import { ApiError } from '../../../platform/lib/errors.ts'
import { hasCallsLeft } from '../../../platform/lib/request-scope.ts'
import type { Ctx } from '../../../platform/runtime/ctx.ts'
import { createArticle } from '../create.ts'
import type { CreateArticleInput } from '../operations.ts'
import { batchResults, openBatch } from './queries.ts'

/** Time after which a run leaves the rest to the next one. It is well within the lease of a run. */
const RUN_MS = 20_000
/** Most calls to other Workers for one article. */
const CALLS_OF_ARTICLE = 4

const UNAUDITED = { unaudited: 'a result of a batch; each article has its entry' }

type Batch = Awaited<ReturnType<typeof openBatch>>[number]
type Result = Omit<typeof articleBatchResults.$inferInsert, 'batchId'>

const entriesOf = ({ entries, projectId }: Batch): CreateArticleInput[] =>
  (entries ?? []).map((entry) => ({ ...entry, project_id: projectId }) as CreateArticleInput)

/** Stores a result without an effect. The first one of an article stays. */
const keepResult = (ctx: Ctx, { id }: Batch, result: Result) =>
  ctx.batch(
    {
      result: insertWhere(
        articleBatchResults,
        { batchId: id, ...result },
        { if: 'always', onConflict: sql`do nothing` },
      ),
    },
    UNAUDITED,
  )

const end = (ctx: Ctx, { id }: Batch) =>
  ctx.batch(
    {
      ended: ctx.db
        .update(articleBatches)
        .set({ doneAt: ctx.now(), entries: null })
        .where(and(eq(articleBatches.id, id), isNull(articleBatches.doneAt))),
    },
    UNAUDITED,
  )

/**
 * Creates one article of a batch. Its result is stored in the transaction that creates it, and is unique. So of two runs, or of a
 * run after a crash, one creates it.
 */
const createOne = async (ctx: Ctx, batch: Batch, position: number, input: CreateArticleInput): Promise<void> => {
  const about = { position, externalRef: input.external_ref ?? null }
  const keeping: Ctx = {
    ...ctx,
    keepAnswer: (body) => (isMet) => {
      const { article_id: articleId, message } = body as { article_id: number; message: string }
      return insertWhere(
        articleBatchResults,
        { batchId: batch.id, ...about, outcome: 'created', articleId, message },
        { if: isMet },
      )
    },
  }
  try {
    const { status, body } = await createArticle(keeping, input)
    if (status === 200)
      await keepResult(ctx, batch, { ...about, outcome: 'existed', articleId: body.article_id, message: body.message })
  } catch (error) {
    if (!(error instanceof ApiError) || error.retryable) throw error
    const { code, message, extras } = error
    const refusal = { code, ...(extras.details ? { details: extras.details } : {}) }
    await keepResult(ctx, batch, { ...about, outcome: 'refused', message, refusal })
  }
}

/** Creates the articles of a batch for a while, in their order, and comes back until all are handled. */
export const continueBatch = async (ctx: Ctx, id: number): Promise<JobResult> => {
  const { found, results } = await ctx.read((owner) => ({
    found: openBatch(ctx.db, owner, id),
    results: batchResults(ctx.db, id),
  }))
  const [batch] = found
  if (!batch) return { kind: 'done' }
  const handled = new Set(results.map(({ position }) => position))
  const until = ctx.now().getTime() + RUN_MS
  let isFirst = true
  for (const [position, input] of entriesOf(batch).entries()) {
    if (handled.has(position)) continue
    if (!isFirst && (ctx.now().getTime() > until || !hasCallsLeft(CALLS_OF_ARTICLE)))
      return { kind: 'later', at: ctx.now() }
    isFirst = false
    await createOne(ctx, batch, position, input)
  }
  await end(ctx, batch)
  return { kind: 'done' }
}

const GAVE_UP = 'The article was not created, for a reason on our side. Send it again.'

/** Refuses the articles of a batch that are left after its job was given up, with the reason. */
export const giveUpBatch = async (ctx: Ctx, id: number, reason: string): Promise<void> => {
  const [batch] = await ctx.read((owner) => openBatch(ctx.db, owner, id))
  if (!batch) return
  const message = shownReason(reason, GAVE_UP)
  for (const [position, { external_ref: ref }] of entriesOf(batch).entries())
    await keepResult(ctx, batch, {
      position,
      externalRef: ref ?? null,
      outcome: 'refused',
      message,
      refusal: { code: 'internal' },
    })
  await end(ctx, batch)
}
