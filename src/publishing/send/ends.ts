import { and, eq, isNull, lte, ne, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { deliveries } from '../../../schema/deliveries.ts'
import type { PublishState } from '../../../schema/values/articles.ts'
import { isArrived } from '../../../schema/values/publishing.ts'
import { endTurn, lockProject } from '../../accounts/projects/writes.ts'
import { isNotHeld, statusAllows } from '../../content/articles/parts.ts'
import { type Move, statusAfter } from '../../content/articles/transitions.ts'
import { type ArticleChanges, releaseArticle } from '../../content/articles/writes.ts'
import { isAnother, markUndone } from '../../insights/effects/writes.ts'
import { at } from '../../platform/db/instant.ts'
import { type Statement, when } from '../../platform/db/steps.ts'
import { audit } from '../../platform/db/writes.ts'
import { finishJob, moveJob } from '../../platform/jobs/enqueue.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { draftAbout } from '../../reach/social/jobs.ts'
import { noteUse } from '../connect/writes.ts'
import { awaitHome } from '../copies/writes.ts'
import { deliverJob } from '../jobs.ts'
import { checkLivePage, keepLivePage } from '../live-page.ts'
import { keptPost } from '../remote.ts'
import { CMS_FIELDS } from '../target/cms-adapter.ts'
import {
  type Attempt,
  type Ending,
  endDelivery,
  endLostAttempts,
  endNotedAttempt,
  type HeldAttempt,
  isFree,
  isHeldBy,
} from '../writes.ts'
import type { PublishAnswer } from './answers.ts'

/** Data about a post that its target reported. */
export type ReportedPost = { publishedAt: Date | null; url?: string | undefined; remoteId?: string | undefined }

/** Returns the statement that locks a delivery. */
export const lockDelivery = ({ db }: Ctx, id: number) =>
  db.select({ id: deliveries.id }).from(deliveries).where(eq(deliveries.id, id)).for('no key update')

/**
 * Returns the statements with which every attempt ends. `last` returns the delivery if the attempt still had its lease.
 *
 * `isHeld` is the condition that the attempt has the lease. It stays true until `last`, because the delivery is changed
 * last.
 */
export const endOf = (ctx: Ctx, attempt: HeldAttempt, ending: Ending) => {
  const { db } = ctx
  const now = ctx.now()
  const { deliveryId, projectId, integrationId } = attempt
  const isHeld = sql`exists (select 1 from ${deliveries} where ${isHeldBy(attempt)})`
  const error = isArrived(ending.status) ? null : ending.error
  return {
    isHeld,
    locks: [lockProject(db, projectId), lockDelivery(ctx, deliveryId)],
    last: {
      ...when(isHeld, {
        turn: endTurn(db, projectId, deliveryId),
        attempt: (isMet) => endNotedAttempt(db, attempt, ending, isMet),
        use: noteUse(db, integrationId, error, now),
        job: ending.nextAt
          ? moveJob(db, deliverJob, deliveryId, { runAt: ending.nextAt })
          : finishJob(db, deliverJob, deliveryId, { now }),
      }),
      delivery: endDelivery(db, attempt, ending, now),
    },
  }
}

/** True if the attempt still had its lease, by the results of `last` of `endOf`. */
export const wasStillClaimed = ({ delivery }: { delivery: readonly unknown[] }): boolean => delivery.length > 0

/**
 * Returns `dueTakenAt` of a failed article: set if its date has passed, so that the clock does not send it again by
 * itself.
 */
export const pastDateTaken = (now: Date): SQL =>
  sql`case when ${statusAllows('go_live')} and ${articles.scheduledAt} <= ${at(now)} then coalesce(${articles.dueTakenAt}, ${at(now)}) end`

type Release = {
  state: 'idle' | 'retrying' | 'unknown' | 'awaiting_merge' | 'failed'
  error: string | null
  /** The move that the attempt was making. */
  move: Move
  also?: ArticleChanges
  if: SQL
}

/** Returns the statement that releases an attempt's article, if the attempt still has it. */
export const releaseClaim = ({ db }: Ctx, attempt: Attempt, { state, error, move, also, if: condition }: Release) =>
  releaseArticle(
    db,
    state,
    error,
    and(
      sql`${articles.id} = ${attempt.articleId}::int`,
      // If another attempt took the article over, the lease is later.
      lte(articles.publishLeaseUntil, attempt.lease),
      statusAllows(move),
      condition,
    ),
    also,
  )

/** Returns the condition that the article is live and that this attempt released it. Use it after `releaseClaim`. */
export const isLiveBy = ({ articleId, token }: Pick<Attempt, 'articleId' | 'token'>): SQL =>
  sql`exists (select 1 from ${articles} where ${articles.id} = ${articleId}::int and ${articles.publishToken} = ${token}
    and ${statusAllows('sync')} and ${ne(articles.publishState, 'publishing')})`

/** Returns the columns of an article that its target accepted: status, post id, address and dates. */
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

/** All parts of a post, for an article whose site may show another version of any of them. */
export const ALL_PARTS = sql`array[${sql.join(
  CMS_FIELDS.map((field) => sql`${field}`),
  sql`, `,
)}]::text[]`

/**
 * Returns the publish state of a published article after the revision `sent` reached its target.
 *
 * It is `failed` if the article has a newer revision, saved while the attempt ran past its lease. The next sync sends
 * that.
 */
export const publishStateAfter = (sent: SQL) => {
  const isBehind = sql`${articles.revision} > ${sent}`
  return {
    publishState: sql`case when ${isBehind} then ${BEHIND} else ${SENT} end`,
    publishError: sql`case when ${isBehind} then 'The article was saved while it was being sent, and the newer words did not go out. Send them with POST /articles/'
      || ${articles.id} || '/sync.' end`,
    siteLacks: sql`case when ${isBehind} then ${ALL_PARTS} else '{}' end`,
  }
}

/**
 * Returns the statements for an article that went live: check its page, look for its links, draft social posts, prepare its copies. Run
 * them after its change.
 */
export const nowLive = (
  { db }: Ctx,
  { articleId, accountId, projectId }: { articleId: number | null; accountId: number; projectId: number },
  url: string | undefined,
  when: { if: SQL; now: Date },
): Statement[] => {
  if (articleId === null) return []
  const live = { articleId, accountId, projectId }
  return [
    checkLivePage(live, url, when),
    ...keepLivePage(db, live, url, when),
    draftAbout(live, when),
    awaitHome(articleId, when.if),
  ]
}

/** Returns the detail of the audit entry of an accepted attempt. It names an unclear answer. */
export const detailOf = ({ number }: Pick<Attempt, 'number'>, { status }: Ending) => ({
  attempt: number,
  ...(status === 'unclear' ? { outcome: status } : {}),
})

/**
 * Returns the statements for an article after a replay that went live.
 *
 * If its last sync failed and the replay sent the same revision, the article's error is cleared. If the replay changed
 * what readers see, earlier changes no longer count for effects.
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
    releaseArticle(db, 'idle', null, isBehind, { ...keptPost(integrationId, taken), siteLacks: [] }),
    ...markUndone(db, { ...attempt, articleId }, { if: sql`${isHeld} and ${isAnother(articleId, revision)}`, now }),
  ]
}

/**
 * Records that the target accepted an attempt. Returns true if the attempt still had its lease; nothing changes
 * otherwise.
 */
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
  const also = { ...takenArticle(attempt, taken, now), ...publishStateAfter(sent) }
  const { ended } = await ctx.batch({
    locks,
    releaseClaim:
      replayOf === null &&
      releaseClaim(ctx, attempt, { state: 'idle', error: null, move: 'publish', also, if: isHeld }),
    nowLive:
      live && replayOf === null
        ? nowLive(ctx, attempt, taken.url, { if: sql`${isHeld} and ${isLiveBy(attempt)}`, now })
        : [],
    afterReplay: live && replayOf !== null ? afterReplay(ctx, attempt, taken, { if: isHeld, now }) : [],
    ...when(isHeld, {
      kept: ctx.keepDone(answer.body, { status: answer.status }),
      audit: audit(ctx, {
        account: attempt.accountId,
        action: live ? 'article.publish' : 'article.send_as_draft',
        on: ['delivery', deliveryId],
        detail: detailOf(attempt, ending),
      }),
    }),
    ended: last,
  })
  return wasStillClaimed(ended)
}

type Unaccepted = Ending & { status: 'retrying' | 'unknown' | 'awaiting_merge' | 'failed' }

/**
 * True if a receiver that was sent a draft does not know the post any more. The next publication then makes a new one.
 */
const isUnknownThere = ({ platform, request }: Attempt, { answer }: Ending): boolean =>
  platform === 'webhook' && request.event === 'update_articles' && [404, 410].includes(answer.httpStatus ?? 0)

/**
 * Records that an attempt was not accepted: the reason, and when it is retried or looked up.
 *
 * `heldAs`: id of a post that the site holds back; the next publication completes that post. Returns true if the
 * attempt still had its lease; nothing changes otherwise.
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
    // Callers that list articles changed since a time must see the failure.
    ...(state === 'failed' ? { updatedAt: ctx.now(), dueTakenAt: pastDateTaken(ctx.now()) } : {}),
  }
  const { ended } = await ctx.batch({
    locks,
    ...when(isHeld, {
      releaseClaim:
        attempt.replayOf === null &&
        ((isMet) => releaseClaim(ctx, attempt, { state, error, move: 'publish', also, if: isMet })),
      kept: ctx.keepDone(answer.body, { status: answer.status }),
      audit: audit(ctx, {
        account: attempt.accountId,
        action: state === 'awaiting_merge' ? 'article.propose' : 'delivery.attempt_failed',
        on: ['delivery', attempt.deliveryId],
        detail: { attempt: attempt.number, outcome: state },
      }),
    }),
    ended: last,
  })
  return wasStillClaimed(ended)
}

/**
 * Fails a delivery that can never be sent, for example because its target is gone. Does nothing while an attempt has
 * it.
 */
export const abandonDelivery = async (ctx: Ctx, id: number, reason: string): Promise<void> => {
  const { db } = ctx
  const now = ctx.now()
  const itself = and(eq(deliveries.id, id), isFree(now))
  const isAbandoned = sql`exists (select 1 from ${deliveries} where ${itself})`
  const ofProject = sql`(select project_id from deliveries where id = ${id}::int)`
  const itsArticle = sql`(select ${deliveries.articleId} from ${deliveries} where ${and(itself, isNull(deliveries.replayOf))})`
  await ctx.batch(
    {
      project: lockProject(db, ofProject),
      delivery: lockDelivery(ctx, id),
      releaseArticle: releaseArticle(db, 'failed', reason, and(eq(articles.id, itsArticle), isNotHeld(now)), {
        updatedAt: now,
        dueTakenAt: pastDateTaken(now),
      }),
      turn: endTurn(db, ofProject, id)(isAbandoned),
      endLostAttempts: endLostAttempts(db, itself),
      changedDeliveries: db
        .update(deliveries)
        .set({ status: 'failed', error: reason, nextAttemptAt: null, leaseUntil: null, updatedAt: now })
        .where(itself),
    },
    { unaudited: 'the attempts before are in the audit log; that no other follows is on delivery and article' },
  )
}

/** Calls off a replay, or a delivery of an article that is already published. The article does not change. */
export const callOffDelivery = async (ctx: Ctx, id: number, reason: string): Promise<void> => {
  const { db } = ctx
  const now = ctx.now()
  const itself = and(eq(deliveries.id, id), isFree(now))
  await ctx.batch(
    {
      delivery: lockDelivery(ctx, id),
      endLostAttempts: endLostAttempts(db, itself),
      changedDeliveries: db
        .update(deliveries)
        .set({ status: 'superseded', error: reason, nextAttemptAt: null, leaseUntil: null, updatedAt: now })
        .where(itself),
    },
    { unaudited: 'the attempts before are in the audit log; that no other follows is on the delivery' },
  )
}
