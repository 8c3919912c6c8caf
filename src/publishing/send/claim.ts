import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import { articles } from '../../../schema/articles.ts'
import { deliveries, deliveryAttempts } from '../../../schema/deliveries.ts'
import { projects } from '../../../schema/projects.ts'
import { type Gate, isApproved, settleApprovals } from '../../accounts/approvals/writes.ts'
import { approvalOf, policyAllows, ruleOf } from '../../accounts/policy/parts.ts'
import type { Obstacle } from '../../accounts/policy/rules.ts'
import { giveTurn } from '../../accounts/projects/writes.ts'
import { isMoveAllowed, statusAllows } from '../../content/articles/parts.ts'
import {
  type ArticleChanges,
  changeArticle,
  holdArticle,
  isLastClaimedWith,
  keepRevision,
} from '../../content/articles/writes.ts'
import { countPublication } from '../../platform/accounts/parts.ts'
import { at } from '../../platform/db/instant.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { isSentAsDraftTo } from '../remote.ts'
import { TARGET_REPLACED } from '../target/open.ts'
import {
  beginAttempt,
  endLostAttempts,
  isFree,
  isOpen,
  isOpenOf,
  type NewAttempt,
  openDelivery,
  replaceDelivery,
  resumeDelivery,
} from '../writes.ts'
import { PUBLICATIONS_PER_MINUTE } from './rules.ts'

/** Claim of an article and of its project's turn to publish. */
export type Claim = {
  accountId: number
  projectId: number
  articleId: number
  lease: Date
  /** Unique to this claim, and written into the article. */
  token: string
  /** Time from which the project's next article may be sent, even if this one has not ended. */
  turnUntil: Date
  /** The revision that was read. */
  readRevision: number
  /**
   * Optimised columns to save with the claim, including the new revision; only for an article that no agent claimed.
   */
  changes?: ArticleChanges | undefined
  /** True if it is sent because of its date. The claim fails if the date was moved or removed since it was read. */
  onDate: boolean
  /** The target's platform. */
  target: string
  /** True if it needs no approval and does not count toward the daily maximum: a draft, or an open delivery. */
  isSettled: boolean
  /**
   * True if the service itself sends it: on its date, or as a retry. It then waits for the account's per-minute quota;
   * manual publications only count toward it.
   */
  byClock: boolean
  /** Content that the policy may want approved; none for drafts and for an open delivery. */
  gate?: Gate | undefined
}

/**
 * Delivery of a claim: a new one, which may replace an open one with other content or another target, or an open one to
 * resume.
 */
export type Opening =
  | { attempt: NewAttempt; replaces: { id: number; integrationId: number } | null }
  | { resumes: number }

/** Delivery with a started attempt. `attempts` is the number of that attempt. */
type Begun = { id: number; attempts: number }

/** Result of a claim: the delivery if it succeeded, otherwise the obstacle. */
export type Claimed =
  | { begun: Begun }
  | {
      begun: undefined
      /** True if the article cannot be published now: another call has it, or it changed since it was read. */
      isTaken: boolean
      /** True if another article of the project is being published. */
      isBusy: boolean
      /** The rule of the project's policy that forbids it. */
      rule: Obstacle | null
    }

const UNAUDITED = { unaudited: 'what an attempt did is written to the audit log when it ends' }

/** Returns the start of the clock minute. */
const minuteOf = (now: Date): Date => new Date(Math.floor(now.getTime() / 60_000) * 60_000)

/**
 * Returns the condition that no other delivery changed what the request was made from.
 *
 * It fails if the article was sent to this site as a draft since, or if another delivery is open than the one to
 * replace.
 */
const isAsReadBy = ({ articleId, integrationId, request }: NewAttempt, replaces: number | null): SQL =>
  sql`${isSentAsDraftTo(integrationId)} = ${request.event === 'update_articles'}::boolean and not exists (
      select 1 from ${deliveries} where ${isOpenOf(articleId)} and ${deliveries.id} is distinct from ${replaces}::int)`

/**
 * Returns the condition that a delivery is still open. Without it, a claim could hold an article for a delivery that
 * has ended.
 */
const isStillOpen = (id: number): SQL =>
  sql`exists (select 1 from ${deliveries} where ${deliveries.id} = ${id}::int and ${isOpen()})`

/**
 * Claims the article and its project's turn, and starts an attempt of its delivery.
 *
 * Returns undefined if the account, project or article is gone. Two new deliveries at once may violate
 * `deliveries_open_unique`.
 */
export const claimTurn = async (ctx: Ctx, claim: Claim, opening: Opening): Promise<Claimed | undefined> => {
  const { db } = ctx
  const now = ctx.now()
  const { accountId, projectId, articleId, lease, token, target, isSettled, byClock, changes, gate } = claim
  const open = 'resumes' in opening ? opening.resumes : null
  const itsAccount = eq(accounts.id, accountId)
  const itsProject = and(eq(projects.id, projectId), eq(projects.status, 'Active'))
  const itself = and(eq(articles.id, articleId), eq(articles.accountId, accountId))
  const isFull = sql`coalesce(${accounts.publishMinute} = ${at(minuteOf(now))} and ${accounts.publishedInMinute} >= ${PUBLICATIONS_PER_MINUTE}::int, false)`
  // A project that is busy with this very delivery does not block it.
  const isBusy = sql`coalesce(${projects.publishingUntil} > ${at(now)} and ${projects.publishingDeliveryId} is distinct from ${open}::int, false)`
  const isReady = and(
    eq(articles.revision, claim.readRevision),
    changes && isNull(articles.claimedAt),
    isMoveAllowed('publish', now),
    claim.onDate ? and(statusAllows('go_live'), isNotNull(articles.dueTakenAt)) : undefined,
    'resumes' in opening ? isStillOpen(opening.resumes) : isAsReadBy(opening.attempt, opening.replaces?.id ?? null),
  )
  const isItsTurn = sql`exists (select 1 from ${projects} where ${itsProject} and not ${isBusy})
    and exists (select 1 from ${accounts} where ${itsAccount} and not (${isFull} and ${byClock}::boolean))`
  const outward = {
    activity: 'publish',
    now,
    target,
    articleId,
    isSettled,
    isApproved: gate ? isApproved(ctx, gate) : sql`false`,
  } as const
  const holds = isLastClaimedWith(token, articleId)
  const isHeld = and(itself, eq(articles.publishToken, token)) as SQL
  const its = sql`${isOpenOf(articleId)} and ${holds}`
  const { account, project, article, rule, begun } = await ctx.batch(
    {
      account: db.select({ id: accounts.id }).from(accounts).where(itsAccount).for('no key update'),
      project: sql<{
        isBusy: boolean
      }>`select ${isBusy} as "isBusy" from ${projects} where ${itsProject} for no key update`,
      delivery:
        open !== null &&
        db.select({ id: deliveries.id }).from(deliveries).where(eq(deliveries.id, open)).for('no key update'),
      article: sql<{
        isReady: boolean
      }>`select (${isReady}) as "isReady" from ${articles} where ${itself} for no key update`,
      rule: ruleOf(projectId, outward),
      holdArticle: holdArticle(db, { lease, token }, and(itself, isReady, isItsTurn, policyAllows(projectId, outward))),
      // Keep the previous version before the change overwrites it.
      revision: changes && keepRevision({ if: isHeld }),
      changeArticle: changes && changeArticle(db, changes, isHeld),
      settleApprovals: gate && settleApprovals(ctx, gate, { if: holds }),
      deliveryOf: deliveryOf(ctx, claim, opening, its, holds),
      running: ctx.keepRunning(lease, { if: holds }),
      turn: giveTurn(db, projectId, sql`(select ${deliveries.id} from ${deliveries} where ${its})`, claim.turnUntil, {
        if: holds,
      }),
      publicationCount: countPublication(db, accountId, minuteOf(now), { if: holds }),
      begun: beginAttempt(its, { accountId, lease, now }),
    },
    UNAUDITED,
  )
  if (begun.attempt[0]) return { begun: begun.attempt[0] }
  if (!account[0] || !project[0]) return undefined
  return {
    begun: undefined,
    isTaken: !article[0]?.isReady,
    isBusy: project[0].isBusy,
    rule: rule[0]?.rule ?? null,
  }
}

/** Returns the statements that open a claim's delivery or resume it. */
const deliveryOf = ({ db, now }: Ctx, { articleId, lease }: Claim, opening: Opening, its: SQL, holds: SQL) => {
  if ('resumes' in opening) return [endLostAttempts(db, its), resumeDelivery(db, its, lease, now())]
  const { attempt, replaces } = opening
  const isMoved = replaces !== null && replaces.integrationId !== attempt.integrationId
  const reason = isMoved ? TARGET_REPLACED : 'Replaced by a delivery of newer content.'
  return [
    ...(replaces ? replaceDelivery(db, articleId, reason, { if: holds, now: now() }) : []),
    openDelivery(attempt, {
      createdAt: new Date(attempt.request.firstSentAt),
      publishes: attempt.live,
      if: holds,
    }),
  ]
}

/** Returns the name of a replay in approvals: the repeated delivery and the target it is sent to now. */
export const replaySubject = ({ replayOf, integrationId }: Pick<NewAttempt, 'replayOf' | 'integrationId'>): string =>
  `replay:${replayOf}:${integrationId}`

/**
 * Opens a delivery that repeats an earlier one, under an id drawn before. The article does not change.
 *
 * Returns `isMade: false` and the `rule` if the policy forbids it.
 */
export const openReplay = async (ctx: Ctx, id: number, attempt: NewAttempt) => {
  const now = ctx.now()
  const { accountId, lease, projectId, platform } = attempt
  const outward = {
    activity: 'replay',
    now,
    target: platform,
    // Readers do not see a draft, so it needs no approval and does not count toward the daily maximum.
    isSettled: !attempt.live,
    ...approvalOf(ctx, now, replaySubject(attempt)),
  } as const
  const its = eq(deliveries.id, id)
  const isMade = sql`exists (select 1 from ${deliveries} where ${its})`
  const { asked, made } = await ctx.batch(
    {
      asked: ruleOf(projectId, outward),
      made: openDelivery(attempt, { id, createdAt: now, if: policyAllows(projectId, outward) }),
      running: ctx.keepRunning(lease, { if: isMade }),
      begun: beginAttempt(its, { accountId, lease, now }),
    },
    UNAUDITED,
  )
  return { isMade: made.length > 0, rule: asked[0]?.rule ?? null }
}

type Replay = { id: number; accountId: number; projectId: number; target: string; lease: Date }

/**
 * Claims a waiting replay for its next attempt. The article does not change.
 *
 * Returns no `begun` if another attempt has the delivery or the policy's `rule` forbids it.
 */
export const claimReplay = async (ctx: Ctx, { id, accountId, projectId, target, lease }: Replay): Promise<Claimed> => {
  const { db } = ctx
  const now = ctx.now()
  const outward = { activity: 'replay', now, target, isSettled: true } as const
  const isFreeNow = and(eq(deliveries.id, id), isFree(now), policyAllows(projectId, outward))
  // Each started attempt has a row. If the current one has none yet, this batch started it.
  const isBegun = sql`${eq(deliveries.id, id)} and ${eq(deliveries.status, 'sending')} and not exists (select 1 from ${deliveryAttempts}
    where ${eq(deliveryAttempts.deliveryId, deliveries.id)} and ${eq(deliveryAttempts.number, deliveries.attempts)})`
  const { rule, begun } = await ctx.batch(
    {
      rule: ruleOf(projectId, outward),
      resumeDelivery: resumeDelivery(db, isFreeNow, lease, now),
      endLostAttempts: endLostAttempts(db, isBegun),
      begun: beginAttempt(isBegun, { accountId, lease, now }),
    },
    UNAUDITED,
  )
  const [attempt] = begun.attempt
  if (attempt) return { begun: attempt }
  return { begun: undefined, isTaken: true, isBusy: false, rule: rule[0]?.rule ?? null }
}
