import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { deliveries } from '../../../schema/deliveries.ts'
import { releaseArticle } from '../../articles/parts.ts'
import { isNotHeld } from '../../articles/standing-parts.ts'
import { statusAfter } from '../../articles/transitions.ts'
import { audit } from '../../db/audit.ts'
import { at } from '../../db/instant.ts'
import { select } from '../../db/read-parts.ts'
import { type Parts, statement } from '../../db/statement.ts'
import { update } from '../../db/write-parts.ts'
import { isAnother, takenBack } from '../../effects/parts.ts'
import { endTurn } from '../../projects/parts.ts'
import type { Ctx } from '../../runtime/ctx.ts'
import { draftAbout } from '../../social/parts.ts'
import type { Attempt, Ending } from '../deliveries/attempt.ts'
import { type EndedDelivery, endLostAttempts, isFree } from '../deliveries/parts.ts'
import { keptPost } from '../remote/site-parts.ts'
import type { PublishAnswer } from './answers.ts'
import { articleLives, endAttempt, letArticleGo, lockProject } from './end-parts.ts'
import { checkLivePage } from './receipt-job.ts'

/** What the target told of the post. */
export type Taken = { publishedAt: Date | null; url?: string | undefined; remoteId?: string | undefined }

/** The article at its target: its new state, the post's id and address. */
const takenArticle = (attempt: Attempt, taken: Taken, now: Date) => ({
  status: statusAfter(attempt.live ? 'publish' : 'send_draft'),
  ...keptPost(attempt.integrationId, taken),
  publishedAt: sql`coalesce(${at(taken.publishedAt)}, ${articles.publishedAt})`,
  dueTakenAt: null,
  receipt: null,
  ...(attempt.live ? {} : { sentAsDraftAt: now }),
  updatedAt: now,
})

/** Parts that note that a replay put back a version which readers did not see any more. */
const shownAgain = ({ accountId, projectId, revision }: Attempt, delivery: EndedDelivery, now: Date): Parts => {
  const shown = select(
    'shown_again',
    { id: delivery.c.articleId, projectId: sql`${projectId}::int` },
    sql`from ${delivery.rows} where ${isAnother(delivery.c.articleId, revision)}`,
  )
  return [shown, takenBack(shown, { accountId, now })]
}

/** The target has it: article, delivery, the look at the live page and the kept answer in one statement. */
export const finishAccepted = (
  ctx: Ctx,
  attempt: Attempt,
  ending: Ending,
  taken: Taken,
  answer: PublishAnswer,
): SQL => {
  const now = ctx.now()
  const { delivery, parts } = endAttempt(attempt, ending, now)
  const also = takenArticle(attempt, taken, now)
  const article =
    attempt.replayOf === null
      ? letArticleGo(attempt, delivery, { state: 'idle', error: null, move: 'publish', also })
      : undefined
  const live = attempt.live ? article : undefined
  return statement({
    parts: [
      parts,
      article,
      attempt.replayOf !== null && attempt.live && shownAgain(attempt, delivery, now),
      live && [
        checkLivePage(live, attempt.accountId, now),
        articleLives(live, attempt.accountId, taken.url, now),
        draftAbout(live, attempt.accountId, now),
      ],
      ctx.keep.done(delivery, answer.body, answer.status),
    ],
    audit: audit(ctx, {
      of: delivery,
      account: attempt.accountId,
      action: attempt.live ? 'article.publish' : 'article.send_as_draft',
      on: ['delivery', delivery.c.id],
      detail: { attempt: attempt.number },
    }),
    answer: { id: delivery.c.id },
  })
}

type Unaccepted = Ending & { status: 'retrying' | 'unknown' | 'failed' }

/** The target does not have it, or may have: the reason, and when it is tried or asked again. */
export const finishUnaccepted = (ctx: Ctx, attempt: Attempt, ending: Unaccepted, answer: PublishAnswer): SQL => {
  const { delivery, parts } = endAttempt(attempt, ending, ctx.now())
  const { status: state, error } = ending
  const article = attempt.replayOf === null && letArticleGo(attempt, delivery, { state, error, move: 'publish' })
  return statement({
    parts: [parts, article, ctx.keep.done(delivery, answer.body, answer.status)],
    audit: audit(ctx, {
      of: delivery,
      account: attempt.accountId,
      action: 'delivery.attempt_failed',
      on: ['delivery', delivery.c.id],
      detail: { attempt: attempt.number, outcome: state },
    }),
    answer: { id: delivery.c.id },
  })
}

/** Ends a delivery that can never be sent (its target is gone), unless an attempt is under way. */
export const abandonDelivery = (ctx: Ctx, id: number, reason: string): SQL => {
  const now = ctx.now()
  const project = lockProject(sql`(select ${deliveries.projectId} from ${deliveries} where ${eq(deliveries.id, id)})`)
  const delivery = update(
    'delivery',
    deliveries,
    { status: 'failed', error: reason, nextAttemptAt: null, leaseUntil: null, updatedAt: now },
    {
      where: sql`${eq(deliveries.id, id)} and ${project.hasRows} and ${isFree(now)}`,
      returning: { id: deliveries.id, articleId: deliveries.articleId, replayOf: deliveries.replayOf },
    },
  )
  const waiting = select(
    'waiting',
    { articleId: delivery.c.articleId },
    sql`from ${delivery.rows} where ${isNull(delivery.c.replayOf)}`,
  )
  const article = releaseArticle('failed', reason, {
    from: [waiting],
    where: sql`${and(eq(articles.id, waiting.c.articleId), isNotHeld(now))}`,
  })
  return statement({
    unaudited: 'the attempts before are in the audit log; that no other follows is on delivery and article',
    parts: [project, delivery, endTurn(project, delivery), endLostAttempts(delivery), waiting, article],
    answer: { id: delivery.c.id },
  })
}

/** Ends a replay, or a delivery of an article that is published already, which is not to be sent any more. */
export const callOffDelivery = (ctx: Ctx, id: number, reason: string): SQL => {
  const now = ctx.now()
  const delivery = update(
    'delivery',
    deliveries,
    { status: 'superseded', error: reason, nextAttemptAt: null, leaseUntil: null, updatedAt: now },
    { where: sql`${eq(deliveries.id, id)} and ${isFree(now)}`, returning: { id: deliveries.id } },
  )
  return statement({
    unaudited: 'the attempts before are in the audit log; that no other follows is on the delivery',
    parts: [delivery, endLostAttempts(delivery)],
    answer: { id: delivery.c.id },
  })
}
