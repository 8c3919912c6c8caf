import { and, eq, exists, ne, or, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { literals, oneOf } from '../../../schema/columns.ts'
import { copies } from '../../../schema/copies.ts'
import { integrations } from '../../../schema/integrations.ts'
import type { CopyState } from '../../../schema/values/publishing.ts'
import type { Db } from '../../platform/db/client.ts'
import { insertWhere } from '../../platform/db/writes.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { copyJob } from '../jobs.ts'

/** Attempts in these states may have made a post. They end before the next one begins. */
const UNSETTLED = literals(['sending', 'unknown'] satisfies CopyState[])

/** Address that copies name as their original: the article's own, else that of its page at the home. */
const originalOf = (articleId: number): SQL =>
  sql`(select coalesce(nullif(${articles.canonicalUrl}, ''), ${articles.url}) from ${articles} where ${eq(articles.id, articleId)} and ${articles.url} is not null)`

/** Columns of a copy that begins anew, as another wish. */
const begunAnew = (now: Date) => ({
  wish: sql`${copies.wish} + 1`,
  state: sql`case when ${copies.state} in ${UNSETTLED} then ${copies.state} else 'waiting' end`,
  attempts: sql`case when ${copies.state} in ${UNSETTLED} then ${copies.attempts} else 0 end`,
  lookups: 0,
  error: null,
  nextAttemptAt: null,
  updatedAt: now,
})

const isFollowed = (db: Db) =>
  exists(
    db
      .select({ id: integrations.id })
      .from(integrations)
      .where(and(eq(integrations.id, copies.integrationId), oneOf(integrations.status, ['Following']))),
  )

/** Starts the waiting copies of an article. */
const startWaiting = (articleId: number, now: Date, condition: SQL) =>
  enqueue(
    copyJob,
    { copy_id: sql`${copies.id}` },
    {
      from: sql`${copies}`,
      if: sql`${and(eq(copies.articleId, articleId), oneOf(copies.state, ['waiting']))}
        and (${copies.revision} is not null or ${copies.wants} = 'down') and ${condition}`,
      account: sql`${copies.accountId}`,
      runAt: now,
      open: 'move',
    },
  )

/** Adds a copy of an article for each follower of its project. It waits until readers see the article at the home. */
export const awaitHome = (articleId: number, condition: SQL) =>
  insertWhere(
    copies,
    {
      accountId: sql`${integrations.accountId}`,
      projectId: sql`${integrations.projectId}`,
      articleId,
      integrationId: sql`${integrations.id}`,
    },
    {
      from: sql`${integrations}`,
      if: sql`${integrations.projectId} = (select project_id from articles where id = ${articleId}::int)
        and ${oneOf(integrations.status, ['Following'])} and ${condition}`,
      onConflict: sql`do nothing`,
    },
  )

/**
 * Returns the statements that send the copies of an article whose revision readers see at the home, unless they have that revision and
 * its address already. They must run after a change of the address.
 */
export const sendCopies = (
  { db, now: clock }: Pick<Ctx, 'db' | 'now'>,
  articleId: number,
  revision: number | SQL,
  condition: SQL,
) => {
  const now = clock()
  const [wanted, original] = [sql`(${revision})::int`, originalOf(articleId)]
  const isOther = or(
    ne(copies.wants, 'live'),
    sql`${copies.revision} is distinct from ${wanted}`,
    sql`${copies.canonical} is distinct from ${original}`,
  )
  return [
    db
      .update(copies)
      .set({ ...begunAnew(now), wants: 'live', revision: wanted, canonical: original })
      .where(and(eq(copies.articleId, articleId), sql`${original} is not null`, isOther, isFollowed(db), condition)),
    startWaiting(articleId, now, condition),
  ] as const
}

/** Returns the statements that take the copies of an article down. */
export const takeCopiesDown = ({ db, now: clock }: Pick<Ctx, 'db' | 'now'>, articleId: number) => {
  const now = clock()
  return (condition: SQL) =>
    [
      db
        .update(copies)
        .set({ ...begunAnew(now), wants: 'down' })
        .where(and(eq(copies.articleId, articleId), ne(copies.wants, 'down'), isFollowed(db), condition)),
      startWaiting(articleId, now, condition),
    ] as const
}

/** Returns the statements that begin the failed copies of an article anew. */
export const repeatCopies = ({ db, now: clock }: Pick<Ctx, 'db' | 'now'>, articleId: number, condition: SQL) => {
  const now = clock()
  return [
    db
      .update(copies)
      .set(begunAnew(now))
      .where(and(eq(copies.articleId, articleId), oneOf(copies.state, ['failed']), isFollowed(db), condition)),
    startWaiting(articleId, now, condition),
  ] as const
}
