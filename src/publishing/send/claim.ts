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
import type { Db } from '../../platform/db/client.ts'
import { at } from '../../platform/db/instant.ts'
import { when } from '../../platform/db/steps.ts'
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
import { lockDelivery } from './ends.ts'
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

type Replacing = { attempt: NewAttempt; replaces: { id: number; integrationId: number } }

const isReplacing = (opening: Opening): opening is Replacing => 'replaces' in opening && opening.replaces !== null

/** Returns why an open delivery ends for the new one. */
const reasonOf = ({ attempt, replaces }: Replacing): string =>
  replaces.integrationId !== attempt.integrationId ? TARGET_REPLACED : 'Replaced by a delivery of newer content.'

const firstSend = ({ request, live }: NewAttempt) => ({ createdAt: new Date(request.firstSentAt), publishes: live })

/** Returns the statements that start the next attempt of a delivery whose last one crashed. */
const resume = (db: Db, which: SQL, lease: Date, now: Date) => ({
  lost: endLostAttempts(db, which),
  delivery: resumeDelivery(db, which, lease, now),
})

type IsBusy = { isBusy: boolean }
type IsReady = { isReady: boolean }

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
  const isAccount = eq(accounts.id, accountId)
  const isProject = and(eq(projects.id, projectId), eq(projects.status, 'Active'))
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
  const hasTurn = sql`exists (select 1 from ${projects} where ${isProject} and not ${isBusy})
    and exists (select 1 from ${accounts} where ${isAccount} and not (${isFull} and ${byClock}::boolean))`
  const outward = {
    activity: 'publish',
    now,
    target,
    articleId,
    isSettled,
    isApproved: gate ? isApproved(ctx, gate) : sql`false`,
  } as const
  const isClaimed = isLastClaimedWith(token, articleId)
  const openDeliveryId = sql`(select ${deliveries.id} from ${deliveries} where ${isOpenOf(articleId)})`
  const { account, project, article, rule, begun } = await ctx.batch(
    {
      account: db.select({ id: accounts.id }).from(accounts).where(isAccount).for('no key update'),
      project: sql<IsBusy>`select ${isBusy} as "isBusy" from ${projects} where ${isProject} for no key update`,
      delivery: open !== null && lockDelivery(ctx, open),
      article: sql<IsReady>`select (${isReady}) as "isReady" from ${articles} where ${itself} for no key update`,
      rule: ruleOf(projectId, outward),
      claim: holdArticle(db, { lease, token }, and(itself, isReady, hasTurn, policyAllows(projectId, outward))),
      ...when(isClaimed, {
        // Keep the previous version before the change overwrites it.
        revision: changes && ((isMet) => keepRevision({ if: sql`${itself} and ${isMet}` })),
        changed: changes && ((isMet) => changeArticle(db, changes, and(itself, isMet))),
        approval: gate && settleApprovals(ctx, gate),
        replaced: isReplacing(opening) && replaceDelivery(db, articleId, reasonOf(opening), now),
        resumed: 'resumes' in opening && ((isMet) => resume(db, sql`${isOpenOf(articleId)} and ${isMet}`, lease, now)),
        opened: 'attempt' in opening && openDelivery(opening.attempt, firstSend(opening.attempt)),
        running: ctx.keepRunning(lease),
        turn: giveTurn(db, projectId, openDeliveryId, claim.turnUntil),
        publications: countPublication(db, accountId, minuteOf(now)),
        begun: (isMet) => beginAttempt(sql`${isOpenOf(articleId)} and ${isMet}`, { accountId, lease, now }),
      }),
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
  const itself = eq(deliveries.id, id)
  const isMade = sql`exists (select 1 from ${deliveries} where ${itself})`
  const { asked, made } = await ctx.batch(
    {
      asked: ruleOf(projectId, outward),
      made: openDelivery(attempt, { id, createdAt: now })(policyAllows(projectId, outward)),
      running: ctx.keepRunning(lease)(isMade),
      begun: beginAttempt(itself, { accountId, lease, now }),
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
      resumed: resumeDelivery(db, isFreeNow, lease, now),
      ...when(isBegun, {
        lost: (isMet) => endLostAttempts(db, isMet),
        begun: (isMet) => beginAttempt(isMet, { accountId, lease, now }),
      }),
    },
    UNAUDITED,
  )
  const [attempt] = begun.attempt
  if (attempt) return { begun: attempt }
  return { begun: undefined, isTaken: true, isBusy: false, rule: rule[0]?.rule ?? null }
}
