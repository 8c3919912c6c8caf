import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { deliveries } from '../../../schema/deliveries.ts'
import type { PublishState } from '../../../schema/values/articles.ts'
import { endTurn } from '../../accounts/projects/parts.ts'
import { releaseArticle } from '../../content/articles/parts.ts'
import { isNotHeld, statusAllows } from '../../content/articles/standing-parts.ts'
import { statusAfter } from '../../content/articles/transitions.ts'
import { isAnother, takenBack } from '../../insights/effects/parts.ts'
import { audit } from '../../platform/db/audit.ts'
import { at } from '../../platform/db/instant.ts'
import type { Part } from '../../platform/db/part.ts'
import { select } from '../../platform/db/read-parts.ts'
import { type Parts, statement } from '../../platform/db/statement.ts'
import { update } from '../../platform/db/write-parts.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { draftAbout } from '../../reach/social/parts.ts'
import type { Attempt, Ending, HeldAttempt } from '../deliveries/attempt.ts'
import { type EndedDelivery, endLostAttempts, isFree } from '../deliveries/parts.ts'
import { checkLivePage } from '../jobs.ts'
import { keptPost } from '../remote/site-parts.ts'
import type { PublishAnswer } from './answers.ts'
import { articleLives, endAttempt, type LiveArticle, letArticleGo, lockProject } from './end-parts.ts'

/** Facts about the post that the target reported. */
export type ReportedPost = { publishedAt: Date | null; url?: string | undefined; remoteId?: string | undefined }

/** Attempt fields needed to record its outcome. */
type Ended = HeldAttempt & Pick<Attempt, 'live' | 'replayOf' | 'revision'>

/** The article at its target: its new state, the post's id and address. */
export const takenArticle = (attempt: Ended, taken: ReportedPost, now: Date) => ({
  status: statusAfter(attempt.live ? 'publish' : 'send_draft'),
  ...keptPost(attempt.integrationId, taken),
  publishedAt: sql`coalesce(${at(taken.publishedAt)}, ${articles.publishedAt})`,
  dueTakenAt: null,
  receipt: null,
  ...(attempt.live ? {} : { sentAsDraftAt: now }),
  updatedAt: now,
})

/** Parts that note that a replay put back a version which readers did not see any more. */
const shownAgain = ({ accountId, projectId, revision }: Ended, delivery: EndedDelivery, now: Date): Parts => {
  const shown = select(
    'shown_again',
    { id: delivery.c.articleId, projectId: sql`${projectId}::int` },
    sql`from ${delivery.rows} where ${isAnother(delivery.c.articleId, revision)}`,
  )
  return [shown, takenBack(shown, { accountId, now })]
}

/** A part by which an article whose last sync failed stands well again: a replay brought what it says to its target. */
const wellAgain = ({ integrationId, revision }: Ended, delivery: EndedDelivery, taken: ReportedPost): Part =>
  releaseArticle(
    'idle',
    null,
    {
      from: [delivery],
      where: sql`${and(
        eq(articles.id, delivery.c.articleId),
        eq(articles.publishState, 'failed'),
        eq(articles.revision, revision),
        statusAllows('sync'),
      )}`,
      also: keptPost(integrationId, taken),
    },
    'well_article',
  )

const SENT: PublishState = 'idle'
const BEHIND: PublishState = 'failed'

/**
 * Returns the state of a published article at the revision `sent`.
 *
 * Words that were saved while its process was held past its lease were not sent: the state reports that, and they are sent with
 * the next sync.
 */
export const standing = (sent: SQL) => {
  const isBehind = sql`${articles.revision} > ${sent}`
  return {
    publishState: sql`case when ${isBehind} then ${BEHIND} else ${SENT} end`,
    publishError: sql`case when ${isBehind} then 'The article was saved while it was being sent, and the newer words did not go out. Send them with POST /articles/'
      || ${articles.id} || '/sync.' end`,
  }
}

/** Parts that follow from an article that is live from now on: its page, its partners' links and a post about it. */
export const nowLive = (live: LiveArticle, accountId: number, url: string | undefined, now: Date): Parts => [
  checkLivePage(live, accountId, now),
  articleLives(live, accountId, url, now),
  draftAbout(live, accountId, now),
]

export const detailOf = ({ number }: Pick<Attempt, 'number'>) => ({ attempt: number })

/** The target has it: article, delivery, the look at the live page and the kept answer in one statement. */
export const finishAccepted = (
  ctx: Ctx,
  attempt: Attempt,
  ending: Ending,
  taken: ReportedPost,
  answer: PublishAnswer,
): SQL => {
  const now = ctx.now()
  const { delivery, parts } = endAttempt(attempt, ending, now)
  const sent = sql`(select sent.revision from deliveries sent where sent.id = ${delivery.c.id})`
  const also = { ...takenArticle(attempt, taken, now), ...standing(sent) }
  const article =
    attempt.replayOf === null
      ? letArticleGo(attempt, delivery, { state: 'idle', error: null, move: 'publish', also })
      : undefined
  const live = attempt.live ? article : undefined
  return statement({
    parts: [
      parts,
      article ?? (attempt.live && wellAgain(attempt, delivery, taken)),
      attempt.replayOf !== null && attempt.live && shownAgain(attempt, delivery, now),
      live && nowLive(live, attempt.accountId, taken.url, now),
      ctx.keep.done(delivery, answer.body, answer.status),
    ],
    audit: audit(ctx, {
      of: delivery,
      account: attempt.accountId,
      action: attempt.live ? 'article.publish' : 'article.send_as_draft',
      on: ['delivery', delivery.c.id],
      detail: detailOf(attempt),
    }),
    answer: { id: delivery.c.id },
  })
}

type Unaccepted = Ending & { status: 'retrying' | 'unknown' | 'failed' }

/** A receiver that was sent a draft before says that it has no such post: the next publication makes one. */
const isUnknownThere = ({ platform, request }: Attempt, { answer }: Ending): boolean =>
  platform === 'webhook' && request.event === 'update_articles' && [404, 410].includes(answer.httpStatus ?? 0)

/**
 * The target does not have it, may have, or holds it back: the reason, and when it is tried or asked again. `heldAs`: the id of a
 * post that is held back, which the next publication completes.
 */
export const finishUnaccepted = (
  ctx: Ctx,
  attempt: Attempt,
  ending: Unaccepted,
  answer: PublishAnswer,
  heldAs?: string,
): SQL => {
  const now = ctx.now()
  const { delivery, parts } = endAttempt(attempt, ending, now)
  const { status: state, error } = ending
  const also = {
    ...(isUnknownThere(attempt, ending) ? { sentAsDraftAt: null } : {}),
    ...(heldAs === undefined ? {} : keptPost(attempt.integrationId, { remoteId: heldAs })),
    // Who asks for what was changed since is told of it, too.
    ...(state === 'failed' ? { updatedAt: now } : {}),
  }
  const article = attempt.replayOf === null && letArticleGo(attempt, delivery, { state, error, move: 'publish', also })
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
    also: { updatedAt: now },
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
