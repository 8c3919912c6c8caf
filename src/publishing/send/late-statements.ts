import { and, eq, isNull, ne, not, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { oneOf } from '../../../schema/columns.ts'
import { deliveries } from '../../../schema/deliveries.ts'
import type { PublishState } from '../../../schema/values/articles.ts'
import { releaseArticle } from '../../content/articles/parts.ts'
import { isNotHeld, statusAllows } from '../../content/articles/standing-parts.ts'
import { audit } from '../../platform/db/audit.ts'
import { at } from '../../platform/db/instant.ts'
import { read } from '../../platform/db/read-parts.ts'
import { countOf, ONE_ROW, statement } from '../../platform/db/statement.ts'
import { update } from '../../platform/db/write-parts.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { Attempt, Ending } from '../deliveries/attempt.ts'
import { endNotedAttempt } from '../deliveries/parts.ts'
import { deliverJob } from '../jobs.ts'
import type { PublishAnswer } from './answers.ts'
import { lockProject } from './end-parts.ts'
import { detailOf, nowLive, type ReportedPost, standing, takenArticle } from './end-statements.ts'

/** True if what a late attempt brought was written down; `busy`: not while somebody else holds the article. */
export type LateRow = { recorded: boolean; busy: boolean }

/**
 * The target took an attempt that did not hold its delivery any more. Where the article is not published and nobody holds it, that is
 * how it stands: another attempt was refused meanwhile, or waits to be made again. Answers a `LateRow`.
 */
export const recordLate = (
  ctx: Ctx,
  attempt: Attempt,
  ending: Ending,
  taken: ReportedPost,
  answer: PublishAnswer,
): SQL => {
  const now = ctx.now()
  const { accountId, deliveryId, live, revision } = attempt
  const project = lockProject(attempt.projectId)
  const own = read(
    'own',
    deliveries,
    { id: deliveries.id, waits: oneOf(deliveries.status, ['retrying', 'unknown']) },
    { from: [project], where: eq(deliveries.id, deliveryId), lock: 'no key update' },
  )
  // What waits for another version goes out by itself, and says then how the article stands.
  const isAtRest = sql`(${oneOf(articles.publishState, ['idle', 'failed'])} or (${oneOf(articles.publishState, ['retrying', 'unknown'])} and ${own.c.waits}))`
  const seen = read(
    'seen',
    articles,
    {
      id: articles.id,
      free: sql`${and(statusAllows('publish'), isNull(articles.writingStartedAt), isAtRest)}`,
      busy: sql`${not(isNotHeld(now))}`,
    },
    { from: [own], where: sql`${articles.id} = ${attempt.articleId}::int`, lock: 'no key update' },
  )
  const article = releaseArticle('idle', null, {
    from: [seen],
    where: sql`${eq(articles.id, seen.c.id)} and ${seen.c.free}`,
    also: { ...takenArticle(attempt, taken, now), ...standing(sql`${revision}::int`) },
  })
  const delivery = update(
    'delivery',
    deliveries,
    {
      status: ending.status,
      error: null,
      warnings: ending.warnings,
      nextAttemptAt: null,
      leaseUntil: null,
      updatedAt: now,
    },
    {
      from: [article],
      where: sql`${eq(deliveries.id, deliveryId)} and ${eq(deliveries.articleId, article.c.id)}`,
      returning: { id: deliveries.id, articleId: deliveries.articleId },
    },
  )
  return statement({
    parts: [
      project,
      own,
      seen,
      article,
      delivery,
      endNotedAttempt(attempt, delivery, ending),
      deliverJob.finish(delivery, now),
      live && nowLive(article, accountId, taken.url, now),
      ctx.keep.done(delivery, answer.body, answer.status),
    ],
    audit: audit(ctx, {
      of: delivery,
      account: accountId,
      action: live ? 'article.publish' : 'article.send_as_draft',
      on: ['delivery', delivery.c.id],
      detail: detailOf(attempt),
    }),
    answer: {
      recorded: sql`${countOf(delivery)} > 0`,
      busy: sql`coalesce((select ${seen.c.busy} from ${seen.rows}), false)`,
    },
    answerFrom: ONE_ROW,
  })
}

const AT_REST: PublishState = 'idle'

/**
 * Tells on an article that older words may be what readers see now, where the late attempt was answered (`answeredAt`) after a newer
 * one had begun.
 */
export const noteOlderWords = (attempt: Attempt, answeredAt: Date): SQL => {
  const { articleId } = attempt
  const isOvertaken = sql`exists (select 1 from deliveries newer join delivery_attempts sent on sent.delivery_id = newer.id
    where newer.article_id = ${articleId}::int and newer.id > ${attempt.deliveryId}::int and newer.replay_of is null
      and sent.started_at <= ${at(answeredAt)})`
  const article = releaseArticle(
    'failed',
    `A process that was held up sent an older version after the newer one, so the site may show the older one. Send the saved version with POST /articles/${articleId}/sync.`,
    {
      where: sql`${and(
        sql`${articles.id} = ${articleId}::int`,
        eq(articles.publishState, AT_REST),
        ne(articles.revision, attempt.revision),
        statusAllows('sync'),
        isOvertaken,
      )}`,
    },
  )
  return statement({
    unaudited: 'what reached the target is on the deliveries; nothing was changed by anybody',
    parts: [article],
    answer: { id: article.c.id },
  })
}
