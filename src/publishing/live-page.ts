import { and, eq, isNotNull, ne, or, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../schema/articles.ts'
import { projects } from '../../schema/projects.ts'
import { lookForLinks } from '../content/exchange/writes.ts'
import { articlePage } from '../content/site/writes.ts'
import type { Db } from '../platform/db/client.ts'
import { enqueue } from '../platform/jobs/enqueue.ts'
import type { Statement } from '../platform/runtime/ctx.ts'
import { receiptJob } from './jobs.ts'

/** Delay from publication to the check of the live page, ms. */
const RECEIPT_AFTER_MS = 5_000

type Live = { articleId: number; accountId: number }
type When = { if: SQL; now: Date }

/**
 * Has the live page of an article checked in a moment, at `url` if that is known. Without it, it is after the article's change: an
 * article without an address is looked for in its blog.
 */
export const checkLivePage = (
  { articleId, accountId }: Live,
  url: string | null | undefined,
  { if: condition, now }: When,
) => {
  const hasPlace = sql`exists (select 1 from ${articles} join ${projects} on ${eq(projects.id, articles.projectId)}
    where ${and(eq(articles.id, articleId), or(isNotNull(articles.url), ne(projects.blogRootUrl, '')))})`
  return enqueue(
    receiptJob,
    { article_id: articleId },
    {
      if: url ? condition : sql`${condition} and ${hasPlace}`,
      account: accountId,
      runAt: new Date(now.getTime() + RECEIPT_AFTER_MS),
      open: 'keep',
    },
  )
}

/**
 * Makes a live article a page of its site, and has its links to partners looked for there. If its `url` is not given, it is after the
 * article's change.
 */
export const keepLivePage = (
  db: Db,
  { articleId, accountId }: Live,
  url: string | undefined,
  when: When,
): Statement[] => [...articlePage(db, articleId, url, when), lookForLinks(articleId, accountId, url, when)]
