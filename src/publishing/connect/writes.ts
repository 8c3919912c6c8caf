import { and, asc, eq, inArray, isNotNull, ne, not, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { oneOf } from '../../../schema/columns.ts'
import { deliveries } from '../../../schema/deliveries.ts'
import { integrations } from '../../../schema/integrations.ts'
import { CONNECTED_STATUSES } from '../../../schema/values/publishing.ts'
import { statusAllows } from '../../content/articles/parts.ts'
import type { Db } from '../../platform/db/client.ts'
import { enqueue, moveJob } from '../../platform/jobs/enqueue.ts'
import { deliverJob, republishJob } from '../jobs.ts'
import { WANTS_TARGET } from '../target/open.ts'

/** Returns the statement that disconnects the matching targets, homes and followers, and deletes their secrets. */
export const disconnectTargets = (db: Db, which: SQL | undefined, now: Date) =>
  db
    .update(integrations)
    .set({ status: 'Disconnected', sealedSecrets: '', updatedAt: now })
    .where(and(which, oneOf(integrations.status, CONNECTED_STATUSES)))
    .returning({ id: integrations.id })

/** Returns the statement that records a use of a target, with its error or null. */
export const noteUse = (db: Db, integrationId: number, error: string | null, now: Date) => (isMet: SQL) =>
  db
    .update(integrations)
    .set({ lastUsedAt: now, lastError: error })
    .where(and(eq(integrations.id, integrationId), isMet))

/** Returns the statement after which a receiver is asked again what it does with an update of a post that it does not have, if its answer was wrong. */
export const askUnknownAgain = (db: Db, integrationId: number) =>
  db
    .update(integrations)
    .set({ unknownStatus: null, unknownAskedAt: null })
    .where(and(eq(integrations.id, integrationId), ne(integrations.unknownStatus, 404)))

/** True if the last delivery of an article was live, or if it has none. */
const wasLive = sql`coalesce((select last.live from ${deliveries} last where last.article_id = ${articles.id}
  and last.replay_of is null order by last.id desc limit 1), true)`

/**
 * Returns the statements that resume publications after a project got a new target.
 *
 * Waiting deliveries run now, and the clock takes late articles again. Other articles that failed because of a missing
 * target are published.
 */
export const resumePublications = (
  db: Db,
  { accountId, projectId }: { accountId: number; projectId: number },
  now: Date,
) => {
  const waiting = sql`select ${deliveries.id} from ${deliveries}
    where ${eq(deliveries.projectId, projectId)} and ${oneOf(deliveries.status, ['retrying', 'unknown', 'awaiting_merge'])}`
  const wantsTarget = and(
    eq(articles.projectId, projectId),
    eq(articles.publishState, 'failed'),
    inArray(articles.publishError, [...WANTS_TARGET]),
    statusAllows('publish'),
  )
  const isTaken = sql`(${and(statusAllows('go_live'), isNotNull(articles.dueTakenAt))})`
  return [
    db.select({ id: articles.id }).from(articles).where(wantsTarget).orderBy(asc(articles.id)).for('no key update'),
    moveJob(db, deliverJob, waiting, { if: 'always', runAt: now }),
    enqueue(
      republishJob,
      { article_id: sql`${articles.id}`, live: wasLive },
      {
        from: sql`${articles}`,
        if: sql`${and(wantsTarget, not(isTaken))}`,
        account: accountId,
        runAt: now,
        open: 'keep',
      },
    ),
    db
      .update(articles)
      .set({ dueTakenAt: null, publishState: 'idle', publishError: null })
      .where(and(wantsTarget, isTaken)),
  ] as const
}
