import { sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { articleWords } from '../../../schema/statements.ts'
import { insertWhere } from '../../platform/db/writes.ts'
import { enqueue, moveJob } from '../../platform/jobs/enqueue.ts'
import type { JobResult } from '../../platform/jobs/job.ts'
import { lastOf, overRows } from '../../platform/jobs/over-rows.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { wordsJob } from '../jobs.ts'
import { keysIn, readArticle } from './find.ts'
import { articlesToIndex } from './queries.ts'
import { indexKeys } from './words.ts'

/** Articles that are read at once. */
const BATCH = 50

const UNAUDITED = { unaudited: 'an index of the words of articles, which changes none of them' }

/** Enqueues the reading of a project's articles for the index. */
export const enqueueWords = (ctx: Ctx, project: { id: number; accountId: number }) =>
  enqueue(
    wordsJob,
    { project_id: project.id },
    { account: project.accountId, runAt: ctx.now(), open: 'keep', if: 'always' },
  )

/** Indexes articles after one. An article that changed meanwhile stays out of date, and is read again. */
const indexSome = async (ctx: Ctx, projectId: number, after: number): Promise<number | null> => {
  const rows = await articlesToIndex(ctx.db, projectId, after, BATCH)
  const read = rows.map((row) => ({
    id: row.id,
    revision: row.revision,
    read_at: row.updatedAt.toISOString(),
    keys: indexKeys(keysIn(readArticle(row)), projectId),
  }))
  if (read.length > 0)
    await ctx.batch(
      {
        saved: insertWhere(
          articleWords,
          {
            articleId: sql`${articles.id}`,
            revision: sql`one.revision`,
            readAt: sql`one.read_at`,
            keys: sql`array(select jsonb_array_elements_text(one.keys)::int)`,
          },
          {
            from: sql`jsonb_to_recordset(${JSON.stringify(read)}::jsonb)
              as one(id int, revision int, read_at timestamptz, keys jsonb) join ${articles} on ${articles.id} = one.id`,
            if: 'always',
            onConflict: sql`(article_id) do update set revision = excluded.revision, read_at = excluded.read_at, keys = excluded.keys`,
          },
        ),
      },
      UNAUDITED,
    )
  return lastOf(rows, BATCH)
}

/** Reads the articles of a project that the index does not know as they are now. A run lasts some seconds, and the next one continues. */
export const indexWords = async (
  ctx: Ctx,
  { project_id: projectId, after }: { project_id: number; after: number },
): Promise<JobResult> => {
  const parts = { articles: (from: number) => indexSome(ctx, projectId, from) }
  const rest = await overRows(ctx.now, parts, { step: 'articles', after })
  if (!rest) return { kind: 'done' }
  const payload = { project_id: projectId, after: rest.after }
  await ctx.batch(
    { moved: moveJob(ctx.db, wordsJob, projectId, { if: 'always', runAt: ctx.now(), payload }) },
    UNAUDITED,
  )
  return { kind: 'settled' }
}
