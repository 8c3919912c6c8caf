import { and, asc, desc, eq, inArray, isNotNull, isNull, not, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { oneOf } from '../../../schema/columns.ts'
import { deliveries } from '../../../schema/deliveries.ts'
import { changeArticle } from '../../content/articles/parts.ts'
import { statusAllows } from '../../content/articles/standing-parts.ts'
import type { AnyPart } from '../../platform/db/part.ts'
import { read, select } from '../../platform/db/read-parts.ts'
import type { Parts } from '../../platform/db/statement.ts'
import { deliverJob, republishJob } from '../jobs.ts'
import { WANTS_TARGET } from '../target/reasons.ts'

/** True if the last delivery of an article was to make it live; true where it never had one. */
const wasLive = (): SQL => {
  const last = and(eq(deliveries.articleId, articles.id), isNull(deliveries.replayOf))
  return sql`coalesce((select ${deliveries.live} from ${deliveries} where ${last} order by ${desc(deliveries.id)} limit 1), true)`
}

/**
 * Parts that resume the publication of a project's articles, now that `made` is its target.
 *
 * Deliveries that wait for a target before it are woken, late articles may be claimed again, and the others that failed for
 * want of a target are published again.
 */
export const putBackOnTheirWay = (projectId: number, made: AnyPart, now: Date): Parts => {
  const waiting = read(
    'waiting',
    deliveries,
    { id: deliveries.id },
    {
      from: [made],
      where: sql`${eq(deliveries.projectId, projectId)} and ${oneOf(deliveries.status, ['retrying', 'unknown'])}`,
    },
  )
  const isTaken = sql`(${and(statusAllows('go_live'), isNotNull(articles.dueTakenAt))})`
  const wanting = read(
    'wanting',
    articles,
    { id: articles.id, accountId: articles.accountId, isTaken, live: wasLive() },
    {
      from: [made],
      where: sql`${and(
        eq(articles.projectId, projectId),
        eq(articles.publishState, 'failed'),
        inArray(articles.publishError, [...WANTS_TARGET]),
        statusAllows('publish'),
      )}`,
      orderBy: asc(articles.id),
      lock: 'no key update',
    },
  )
  const late = changeArticle(
    'late_again',
    { dueTakenAt: null, publishState: 'idle', publishError: null },
    { from: [wanting], where: sql`${eq(articles.id, wanting.c.id)} and ${wanting.c.isTaken}` },
  )
  const others = select(
    'others',
    { id: wanting.c.id, accountId: wanting.c.accountId, live: wanting.c.live },
    sql`from ${wanting.rows} where ${not(wanting.c.isTaken)}`,
  )
  return [
    waiting,
    deliverJob.move(waiting.c.id, now, { from: [waiting] }),
    wanting,
    late,
    others,
    republishJob.enqueue({
      from: others,
      account: others.c.accountId,
      payload: { article_id: others.c.id, live: others.c.live },
      runAt: now,
      open: 'keep',
    }),
  ]
}
