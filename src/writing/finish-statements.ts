import { and, eq, ne, type SQL, sql } from 'drizzle-orm'
import { articles, articleWritings } from '../../schema/articles.ts'
import type { Assessment } from '../articles/assess.ts'
import { changeArticle, keepRevision } from '../articles/parts.ts'
import { audit } from '../db/audit.ts'
import { statement } from '../db/statement.ts'
import { remove } from '../db/write-parts.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { AT_REST, heldAt, type Step, statusAfterWriting } from './held.ts'
import { writeJob } from './write-job.ts'

export type Finished = { title: string; metaDescription: string; html: string }

/** Publication that was given up because the article was empty begins again. */
const unlessFailed = (column: typeof articles.publishError | typeof articles.dueTakenAt): SQL =>
  sql`case when ${articles.publishState} = 'failed' then null else ${column} end`

/**
 * Hands a written article over: a generated one becomes a draft, a planned one is planned again and, where it was given up
 * for being empty, due again. The version before is kept. No row: another run was faster.
 */
export const finishWriting = (ctx: Ctx, s: Step, made: Finished, derived: Assessment): SQL => {
  const now = ctx.now()
  const { old, held } = heldAt(s)
  const ended = remove('ended', articleWritings, {
    from: [held],
    where: eq(articleWritings.articleId, held.c.articleId),
    returning: { articleId: articleWritings.articleId },
  })
  const written = changeArticle(
    'written',
    {
      ...AT_REST,
      status: statusAfterWriting(held),
      title: made.title,
      metaDescription: made.metaDescription,
      content: made.html,
      generationError: null,
      writeAfter: null,
      writtenAt: now,
      revision: sql`${articles.revision} + case when ${old.c.content} = '' then 0 else 1 end`,
      updatedAt: now,
      publishState: sql`case when ${articles.publishState} = 'failed' then 'idle' else ${articles.publishState} end`,
      publishError: unlessFailed(articles.publishError),
      dueTakenAt: unlessFailed(articles.dueTakenAt),
      ...derived.changes,
    },
    {
      from: [old, held, ended],
      where: sql`${and(
        eq(articles.id, old.c.id),
        eq(articles.id, held.c.articleId),
        eq(articles.id, ended.c.articleId),
      )}`,
      returning: { accountId: articles.accountId },
    },
  )
  return statement({
    parts: [
      old,
      held,
      ended,
      written,
      keepRevision(old, written, ne(old.c.content, '')),
      writeJob.finish(s.articleId, now, { where: written.hasRows }),
      derived.parts(written),
    ],
    audit: audit(ctx, {
      of: written,
      account: written.c.accountId,
      action: 'article.written',
      on: ['article', written.c.id],
    }),
    answer: { id: written.c.id },
  })
}
