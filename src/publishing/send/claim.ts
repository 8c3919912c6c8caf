import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import { articles } from '../../../schema/articles.ts'
import { deliveries, deliveryAttempts } from '../../../schema/deliveries.ts'
import { projects } from '../../../schema/projects.ts'
import type { PolicyRule } from '../../../schema/values/policy.ts'
import { type Gate, isApproved, settleApprovals } from '../../accounts/approvals/writes.ts'
import { approvalOf, policyAllows, ruleOf } from '../../accounts/policy/parts.ts'
import { giveTurn } from '../../accounts/projects/writes.ts'
import { mayMove, statusAllows } from '../../content/articles/parts.ts'
import {
  type ArticleChanges,
  changeArticle,
  holdArticle,
  isTakenWith,
  keepRevision,
} from '../../content/articles/writes.ts'
import { countPublication } from '../../platform/accounts/parts.ts'
import { at } from '../../platform/db/instant.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
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
} from '../deliveries/writes.ts'
import { isSentAsDraftTo } from '../remote.ts'
import { TARGET_REPLACED } from '../target/open.ts'
import { PUBLICATIONS_PER_MINUTE } from './rules.ts'

/** Claim of a publication: the article as it was read, and its project's turn. */
export type Claim = {
  accountId: number
  projectId: number
  articleId: number
  lease: Date
  /** Written into the article by this claim alone. */
  token: string
  /** Time from which the project's next article may be sent, though this one has not ended. */
  turnUntil: Date
  /** The revision that was read. */
  readRevision: number
  /** Changes by publication of an article nobody claimed, its new revision among them. */
  changes?: ArticleChanges | undefined
  /** True if its date sends it: one that was moved, or taken back, since it was read does not. */
  onDate: boolean
  /** The platform it goes to. */
  target: string
  /** True if no place of the day's publications is taken: nothing goes live, or its place was taken before. */
  isSettled: boolean
  /** True if the clock sends it, which has to wait for the account's next minute; a call by hand is only counted. */
  byClock: boolean
  /** Question to the policy; none for what is under way already, and for drafts. */
  gate?: Gate | undefined
}

/** Delivery of a claim: a new one, instead of one that is open for other content or another target; or the open one with this id. */
export type Opening =
  | { attempt: NewAttempt; replaces: { id: number; integrationId: number } | null }
  | { resumes: number }

/** A delivery whose attempt began. */
type Begun = { id: number; attempts: number }

/** Result of a claim: the delivery if it was made, else the obstacle. */
export type Claimed =
  | { begun: Begun }
  | {
      begun: undefined
      /** The article may not be published now: somebody holds it, or it is not as it was read. */
      isTaken: boolean
      /** Another article of the project is being published. */
      isBusy: boolean
      /** The rule of the project's policy that forbids it. */
      rule: PolicyRule | null
    }

const UNAUDITED = { unaudited: 'what an attempt did is written to the audit log when it ends' }

/** Returns the clock minute of an instant. */
const minuteOf = (now: Date): Date => new Date(Math.floor(now.getTime() / 60_000) * 60_000)

/** Condition: the article is as it was read. Not sent to this site as a draft since, and no delivery came to wait that nobody has seen. */
const isAsReadBy = ({ articleId, integrationId, request }: NewAttempt, replaces: number | null): SQL =>
  sql`${isSentAsDraftTo(integrationId)} = ${request.event === 'update_articles'}::boolean and not exists (
      select 1 from ${deliveries} where ${isOpenOf(articleId)} and ${deliveries.id} is distinct from ${replaces}::int)`

/** Condition: the open delivery has not ended meanwhile, which would leave its article held for nothing. */
const isStillOpen = (id: number): SQL =>
  sql`exists (select 1 from ${deliveries} where ${deliveries.id} = ${id}::int and ${isOpen()})`

/**
 * Claims the article and its project's turn, and begins an attempt at its delivery. Undefined: the account, project or article is gone.
 * Two new deliveries at once may violate `deliveries_open_unique`.
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
  // The open delivery's own turn is no obstacle to it.
  const isBusy = sql`coalesce(${projects.publishingUntil} > ${at(now)} and ${projects.publishingDeliveryId} is distinct from ${open}::int, false)`
  const isReady = and(
    eq(articles.revision, claim.readRevision),
    changes && isNull(articles.claimedAt),
    mayMove('publish', now),
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
  const holds = isTakenWith(token, articleId)
  const isHeld = and(itself, eq(articles.publishToken, token)) as SQL
  const its = sql`${isOpenOf(articleId)} and ${holds}`
  const results = await ctx.batch(
    [
      db.select({ id: accounts.id }).from(accounts).where(itsAccount).for('no key update'),
      sql<{ isBusy: boolean }>`select ${isBusy} as "isBusy" from ${projects} where ${itsProject} for no key update`,
      open !== null &&
        db.select({ id: deliveries.id }).from(deliveries).where(eq(deliveries.id, open)).for('no key update'),
      sql<{ isReady: boolean }>`select (${isReady}) as "isReady" from ${articles} where ${itself} for no key update`,
      ruleOf(projectId, outward),
      holdArticle(db, { lease, token }, and(itself, isReady, isItsTurn, policyAllows(projectId, outward))),
      // The version before is kept while the article still has it.
      changes && keepRevision({ if: isHeld }),
      changes && changeArticle(db, changes, isHeld),
      gate && settleApprovals(ctx, gate, { if: holds }),
      ...deliveryOf(ctx, claim, opening, its, holds),
      ctx.keepRunning(lease, { if: holds }),
      giveTurn(db, projectId, sql`(select ${deliveries.id} from ${deliveries} where ${its})`, claim.turnUntil, {
        if: holds,
      }),
      countPublication(db, accountId, minuteOf(now), { if: holds }),
      ...beginAttempt(its, { accountId, lease, now }),
    ],
    UNAUDITED,
  )
  const [account, project, , article, asked] = results
  const [begun] = results.at(-1) as Begun[]
  if (begun) return { begun }
  if (!account[0] || !project[0]) return undefined
  return {
    begun,
    isTaken: !article[0]?.isReady,
    isBusy: project[0].isBusy,
    rule: asked[0]?.rule ?? null,
  }
}

/** Statements that open the claim's delivery, or take it up again. */
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

/** Names a replay as a thing that a person is asked about: the delivery, and where it goes now. */
export const replaySubject = ({ replayOf, integrationId }: Pick<NewAttempt, 'replayOf' | 'integrationId'>): string =>
  `replay:${replayOf}:${integrationId}`

/** Opens a delivery, under an id drawn before, that repeats an earlier one and leaves the article as it is. Not made: `rule` forbids it. */
export const openReplay = async (ctx: Ctx, id: number, attempt: NewAttempt) => {
  const now = ctx.now()
  const { accountId, lease, projectId, platform } = attempt
  const outward = {
    activity: 'replay',
    now,
    target: platform,
    // No reader sees an article that is sent as a draft.
    isSettled: !attempt.live,
    ...approvalOf(ctx, now, replaySubject(attempt)),
  } as const
  const its = eq(deliveries.id, id)
  const isMade = sql`exists (select 1 from ${deliveries} where ${its})`
  const [asked, made] = await ctx.batch(
    [
      ruleOf(projectId, outward),
      openDelivery(attempt, { id, createdAt: now, if: policyAllows(projectId, outward) }),
      ctx.keepRunning(lease, { if: isMade }),
      ...beginAttempt(its, { accountId, lease, now }),
    ],
    UNAUDITED,
  )
  return { isMade: made.length > 0, rule: asked[0]?.rule ?? null }
}

type Replay = { id: number; accountId: number; projectId: number; target: string; lease: Date }

/** Claims a replay that waits for its next attempt; the article is not touched. Not begun: another attempt holds it, or `rule` forbids it. */
export const claimReplay = async (ctx: Ctx, { id, accountId, projectId, target, lease }: Replay): Promise<Claimed> => {
  const { db } = ctx
  const now = ctx.now()
  const outward = { activity: 'replay', now, target, isSettled: true } as const
  const isFreeNow = and(eq(deliveries.id, id), isFree(now), policyAllows(projectId, outward))
  // Every attempt that others began is noted, so that one which is not was begun by this batch.
  const isBegun = sql`${eq(deliveries.id, id)} and ${eq(deliveries.status, 'sending')} and not exists (select 1 from ${deliveryAttempts}
    where ${eq(deliveryAttempts.deliveryId, deliveries.id)} and ${eq(deliveryAttempts.number, deliveries.attempts)})`
  const results = await ctx.batch(
    [
      ruleOf(projectId, outward),
      resumeDelivery(db, isFreeNow, lease, now),
      endLostAttempts(db, isBegun),
      ...beginAttempt(isBegun, { accountId, lease, now }),
    ],
    UNAUDITED,
  )
  const [begun] = results.at(-1) as Begun[]
  return begun ? { begun } : { begun, isTaken: true, isBusy: false, rule: results[0][0]?.rule ?? null }
}
