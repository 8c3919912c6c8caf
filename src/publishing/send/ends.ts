import { and, eq, isNull, lte, ne, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { deliveries } from '../../../schema/deliveries.ts'
import type { PublishState } from '../../../schema/values/articles.ts'
import { endTurn, lockProject } from '../../accounts/projects/writes.ts'
import { isNotHeld, statusAllows } from '../../content/articles/parts.ts'
import { type Move, statusAfter } from '../../content/articles/transitions.ts'
import { type ArticleChanges, releaseArticle } from '../../content/articles/writes.ts'
import { isAnother, takenBack } from '../../insights/effects/writes.ts'
import { at } from '../../platform/db/instant.ts'
import { audit } from '../../platform/db/writes.ts'
import { finishJob, moveJob } from '../../platform/jobs/enqueue.ts'
import type { Ctx, Statement } from '../../platform/runtime/ctx.ts'
import { draftAbout } from '../../reach/social/writes.ts'
import { noteUse } from '../connect/writes.ts'
import {
  type Attempt,
  type Ending,
  endDelivery,
  endLostAttempts,
  endNotedAttempt,
  type HeldAttempt,
  isFree,
  isHeldBy,
} from '../deliveries/writes.ts'
import { deliverJob } from '../jobs.ts'
import { checkLivePage, keepLivePage } from '../live-page.ts'
import { keptPost } from '../remote.ts'
import type { PublishAnswer } from './answers.ts'

/** Facts about the post that the target reported. */
export type ReportedPost = { publishedAt: Date | null; url?: string | undefined; remoteId?: string | undefined }

/** Locks a delivery. */
export const lockDelivery = ({ db }: Ctx, id: number) =>
  db.select({ id: deliveries.id }).from(deliveries).where(eq(deliveries.id, id)).for('no key update')

/**
 * Returns the statements that every end of an attempt shares. The delivery is changed last, so that `isHeld`, the condition that this attempt still holds it,
 * stays true until then. The last statement returns the delivery if the attempt held it.
 */
export const endOf = (ctx: Ctx, attempt: HeldAttempt, ending: Ending) => {
  const { db } = ctx
  const now = ctx.now()
  const { deliveryId, projectId, integrationId } = attempt
  const isHeld = sql`exists (select 1 from ${deliveries} where ${isHeldBy(attempt)})`
  const error = ending.status === 'delivered' ? null : ending.error
  return {
    isHeld,
    locks: [lockProject(db, projectId), lockDelivery(ctx, deliveryId)],
    last: [
      endTurn(db, projectId, deliveryId, { if: isHeld }),
      endNotedAttempt(db, attempt, ending, isHeld),
      noteUse(db, integrationId, error, { if: isHeld, now }),
      ending.nextAt
        ? moveJob(db, deliverJob, deliveryId, { if: isHeld, runAt: ending.nextAt })
        : finishJob(db, deliverJob, deliveryId, { if: isHeld, now }),
      endDelivery(db, attempt, ending, now),
    ],
  }
}

/** True if a batch that ended with `last` of `endOf` found the attempt to hold its delivery. */
export const wasHeld = (results: readonly unknown[]): boolean => (results.at(-1) as unknown[]).length > 0

/** Returns `dueTakenAt` of a failed article: a date that has passed does not send it again, one that is still to come does. */
export const pastDateTaken = (now: Date): SQL =>
  sql`case when ${statusAllows('go_live')} and ${articles.scheduledAt} <= ${at(now)} then coalesce(${articles.dueTakenAt}, ${at(now)}) end`

type Release = {
  state: 'idle' | 'retrying' | 'unknown' | 'failed'
  error: string | null
  /** The move of the state table that was under way. */
  move: Move
  also?: ArticleChanges
  if: SQL
}

/** Releases the article that an attempt held, if it still holds it. */
export const letArticleGo = ({ db }: Ctx, attempt: Attempt, { state, error, move, also, if: condition }: Release) =>
  releaseArticle(
    db,
    state,
    error,
    and(
      sql`${articles.id} = ${attempt.articleId}::int`,
      // An attempt that takes the article over has a later lease.
      lte(articles.publishLeaseUntil, attempt.lease),
      statusAllows(move),
      condition,
    ),
    also,
  )

/** Condition, after `letArticleGo`: the article is live and this attempt let it go. */
export const isLiveBy = ({ articleId, token }: Pick<Attempt, 'articleId' | 'token'>): SQL =>
  sql`exists (select 1 from ${articles} where ${articles.id} = ${articleId}::int and ${articles.publishToken} = ${token}
    and ${statusAllows('sync')} and ${ne(articles.publishState, 'publishing')})`

/** Returns the article at its target: its new state, the post's id and address. */
export const takenArticle = (
  attempt: Pick<Attempt, 'live' | 'integrationId'>,
  taken: ReportedPost,
  now: Date,
): ArticleChanges => ({
  status: statusAfter(attempt.live ? 'publish' : 'send_draft'),
  ...keptPost(attempt.integrationId, taken),
  publishedAt: sql`coalesce(${at(taken.publishedAt)}, ${articles.publishedAt})`,
  dueTakenAt: null,
  receipt: null,
  ...(attempt.live ? {} : { sentAsDraftAt: now }),
  updatedAt: now,
})

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

/** Returns the statements that follow from an article that is live from now on: its page, its partners' links and a post about it. After its change. */
export const nowLive = (
  { db }: Ctx,
  { articleId, accountId, projectId }: { articleId: number | null; accountId: number; projectId: number },
  url: string | undefined,
  when: { if: SQL; now: Date },
): Statement[] => {
  if (articleId === null) return []
  const live = { articleId, accountId, projectId }
  return [checkLivePage(live, url, when), ...keepLivePage(db, live, url, when), draftAbout(live, when)]
}

export const detailOf = ({ number }: Pick<Attempt, 'number'>) => ({ attempt: number })

/**
 * Returns the statements that follow on the article from a replay that went live. A version which readers did not see any more is put back. An article whose
 * last sync failed stands well again if the replay brought what it says to its target.
 */
const afterReplay = (
  { db }: Ctx,
  attempt: Attempt,
  taken: ReportedPost,
  { if: isHeld, now }: { if: SQL; now: Date },
): Statement[] => {
  const { articleId, integrationId, revision } = attempt
  if (articleId === null) return []
  const isBehind = and(
    eq(articles.id, articleId),
    eq(articles.publishState, 'failed'),
    eq(articles.revision, revision),
    statusAllows('sync'),
    isHeld,
  )
  return [
    releaseArticle(db, 'idle', null, isBehind, keptPost(integrationId, taken)),
    ...takenBack(db, { ...attempt, articleId }, { if: sql`${isHeld} and ${isAnother(articleId, revision)}`, now }),
  ]
}

/** Writes that the target has it: article, delivery, the look at the live page and the kept answer. True if the attempt still held it. */
export const endAccepted = async (
  ctx: Ctx,
  attempt: Attempt,
  ending: Ending,
  taken: ReportedPost,
  answer: PublishAnswer,
): Promise<boolean> => {
  const now = ctx.now()
  const { live, replayOf, deliveryId } = attempt
  const { isHeld, locks, last } = endOf(ctx, attempt, ending)
  const sent = sql`(select sent.revision from deliveries sent where sent.id = ${deliveryId}::int)`
  const also = { ...takenArticle(attempt, taken, now), ...standing(sent) }
  const results = await ctx.batch([
    ...locks,
    replayOf === null && letArticleGo(ctx, attempt, { state: 'idle', error: null, move: 'publish', also, if: isHeld }),
    ...(live && replayOf === null
      ? nowLive(ctx, attempt, taken.url, { if: sql`${isHeld} and ${isLiveBy(attempt)}`, now })
      : []),
    ...(live && replayOf !== null ? afterReplay(ctx, attempt, taken, { if: isHeld, now }) : []),
    ctx.keepDone(answer.body, { if: isHeld, status: answer.status }),
    audit(ctx, {
      account: attempt.accountId,
      action: live ? 'article.publish' : 'article.send_as_draft',
      on: ['delivery', deliveryId],
      detail: detailOf(attempt),
      if: isHeld,
    }),
    ...last,
  ])
  return wasHeld(results)
}

type Unaccepted = Ending & { status: 'retrying' | 'unknown' | 'failed' }

/** A receiver that was sent a draft before says that it has no such post: the next publication makes one. */
const isUnknownThere = ({ platform, request }: Attempt, { answer }: Ending): boolean =>
  platform === 'webhook' && request.event === 'update_articles' && [404, 410].includes(answer.httpStatus ?? 0)

/**
 * Writes that the target does not have it, may have, or holds it back: the reason, and when it is tried or asked again. `heldAs`: the id
 * of a post that is held back, which the next publication completes. True if the attempt still held it.
 */
export const endUnaccepted = async (
  ctx: Ctx,
  attempt: Attempt,
  ending: Unaccepted,
  answer: PublishAnswer,
  heldAs?: string,
): Promise<boolean> => {
  const { isHeld, locks, last } = endOf(ctx, attempt, ending)
  const { status: state, error } = ending
  const also = {
    ...(isUnknownThere(attempt, ending) ? { sentAsDraftAt: null } : {}),
    ...(heldAs === undefined ? {} : keptPost(attempt.integrationId, { remoteId: heldAs })),
    // Callers that list articles changed since a time see the failure, too.
    ...(state === 'failed' ? { updatedAt: ctx.now(), dueTakenAt: pastDateTaken(ctx.now()) } : {}),
  }
  const results = await ctx.batch([
    ...locks,
    attempt.replayOf === null && letArticleGo(ctx, attempt, { state, error, move: 'publish', also, if: isHeld }),
    ctx.keepDone(answer.body, { if: isHeld, status: answer.status }),
    audit(ctx, {
      account: attempt.accountId,
      action: 'delivery.attempt_failed',
      on: ['delivery', attempt.deliveryId],
      detail: { attempt: attempt.number, outcome: state },
      if: isHeld,
    }),
    ...last,
  ])
  return wasHeld(results)
}

/** Ends a delivery that can never be sent (its target is gone), unless an attempt is under way. */
export const abandonDelivery = async (ctx: Ctx, id: number, reason: string): Promise<void> => {
  const { db } = ctx
  const now = ctx.now()
  const itself = and(eq(deliveries.id, id), isFree(now))
  const isAbandoned = sql`exists (select 1 from ${deliveries} where ${itself})`
  const ofProject = sql`(select project_id from deliveries where id = ${id}::int)`
  const itsArticle = sql`(select ${deliveries.articleId} from ${deliveries} where ${and(itself, isNull(deliveries.replayOf))})`
  await ctx.batch(
    [
      lockProject(db, ofProject),
      lockDelivery(ctx, id),
      releaseArticle(db, 'failed', reason, and(eq(articles.id, itsArticle), isNotHeld(now)), {
        updatedAt: now,
        dueTakenAt: pastDateTaken(now),
      }),
      endTurn(db, ofProject, id, { if: isAbandoned }),
      endLostAttempts(db, itself),
      db
        .update(deliveries)
        .set({ status: 'failed', error: reason, nextAttemptAt: null, leaseUntil: null, updatedAt: now })
        .where(itself),
    ],
    { unaudited: 'the attempts before are in the audit log; that no other follows is on delivery and article' },
  )
}

/** Ends a replay, or a delivery of an article that is published already, which is not to be sent any more. */
export const callOffDelivery = async (ctx: Ctx, id: number, reason: string): Promise<void> => {
  const { db } = ctx
  const now = ctx.now()
  const itself = and(eq(deliveries.id, id), isFree(now))
  await ctx.batch(
    [
      lockDelivery(ctx, id),
      endLostAttempts(db, itself),
      db
        .update(deliveries)
        .set({ status: 'superseded', error: reason, nextAttemptAt: null, leaseUntil: null, updatedAt: now })
        .where(itself),
    ],
    { unaudited: 'the attempts before are in the audit log; that no other follows is on the delivery' },
  )
}
