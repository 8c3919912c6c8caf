import { and, eq, gt, inArray, not, type SQL, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { approvals } from '../../../schema/approvals.ts'
import { articles } from '../../../schema/articles.ts'
import { isDeputyNow } from '../../../schema/policies.ts'
import type { ApprovalKind } from '../../../schema/values/approvals.ts'
import type { ARTICLE_STATUSES } from '../../../schema/values/articles.ts'
import { at } from '../../platform/db/instant.ts'
import type { Statement } from '../../platform/db/steps.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { clip } from '../../platform/lib/text.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { approvedJob, callJob } from './jobs.ts'
import { HOLDS_MS, returnedError } from './rules.ts'
import { auditDecision, isInTime, isOpen } from './writes.ts'

/** Kinds whose calls are carried out by `callJob`, in another Worker. */
const OF_REACH = ['social_post', 'comment_guide', 'review_reply', 'crowdwork'] as const satisfies ApprovalKind[]

const PLANNED: (typeof ARTICLE_STATUSES)[number] = 'Planned'

/** Outcome of a question, with the error that its article shows if it is not published. */
type Ended = { to: 'approved' } | { to: 'returned' | 'expired'; error: string }

/** Returns the statements by which the articles of decided questions continue or show an error. `which`: condition on `approvals`. */
export type Follow = (ctx: Pick<Ctx, 'now' | 'db'>, which: SQL, ended: Ended) => Statement[]

/** Date of the question's article, if the article is planned. */
const laterDate = sql`(select ${articles.scheduledAt} from ${articles} where ${articles.id} = ${approvals.articleId} and ${articles.status} = ${PLANNED})`

/** Condition on a question: it is about the publication of an article whose date is in the future. */
export const isScheduledLater = (now: Date): SQL =>
  sql`(${approvals.kind} = 'publish' and coalesce(${laterDate} > ${at(now)}, false))`

/**
 * Person who decides: the name for answers, and the hash of the review link's token if they use one. A person whose role may not
 * decide is a deputy: their id, and the owner who is away.
 */
export type Decider = { name: string; tokenHash?: string; deputy?: { id: string; of: string } }

/** Returns the name of the person who decides, with the owner for whom a deputy does. */
const calledDecider = ({ name, deputy }: Decider): string => (deputy ? `${name}, as deputy of ${deputy.of}` : name)

/** Condition: this person can decide the question now. */
const isFor = ({ tokenHash, deputy }: Decider, now: Date): SQL | undefined =>
  and(
    eq(approvals.status, 'awaiting'),
    isInTime(now),
    tokenHash === undefined ? undefined : eq(approvals.reviewTokenHash, tokenHash),
    tokenHash === undefined ? undefined : gt(approvals.reviewExpiresAt, now),
    deputy && isDeputyNow(sql`${deputy.id}`, approvals.projectId),
  )

/** Returns the statements that queue the jobs for approved questions. */
const sendStatements = (which: SQL, accountId: number, now: Date): Statement[] => {
  const isOfReach = inArray(approvals.kind, OF_REACH)
  const approval = { approval_id: sql`${approvals.id}` }
  const work = { from: sql`${approvals}`, account: accountId, runAt: now, open: 'keep' } as const
  return [
    enqueue(approvedJob, approval, { ...work, if: sql`${and(which, not(isOfReach), not(isScheduledLater(now)))}` }),
    enqueue(callJob, approval, { ...work, if: sql`${and(which, isOfReach)}` }),
  ]
}

type Decision = {
  where: SQL | undefined
  ended: Ended
  changes?: PgUpdateSetSource<typeof approvals>
  comment?: string | undefined
  /** Owner for whom a deputy decides. */
  deputyOf?: string | undefined
}

/** Decides a question if it meets a condition. Returns true if it did. Locks the article before the question, as everywhere. */
const decide = async (
  ctx: Ctx,
  follow: Follow,
  id: number,
  { where, ended, changes, comment, deputyOf }: Decision,
): Promise<boolean> => {
  const { id: accountId } = await ctx.account()
  const mine = and(eq(approvals.id, id), eq(approvals.accountId, accountId))
  const which = sql`${and(mine, where)}`
  const article = ctx.db.select({ id: approvals.articleId }).from(approvals).where(mine)
  const { held } = await ctx.batch({
    article: ctx.db
      .select({ id: articles.id })
      .from(articles)
      .where(inArray(articles.id, article))
      .for('no key update'),
    held: ctx.db.select({ id: approvals.id }).from(approvals).where(which).for('no key update'),
    auditDecision: auditDecision(ctx, which, accountId, ended.to, { comment, deputyOf }),
    sendStatements: ended.to === 'approved' ? sendStatements(which, accountId, ctx.now()) : [],
    follow: follow(ctx, which, ended),
    changedApprovals: ctx.db
      .update(approvals)
      .set({ ...changes, status: ended.to })
      .where(which),
  })
  return held.length > 0
}

const notAwaiting = (): ApiError =>
  new ApiError(
    'invalid_transition',
    'The approval was already decided or has expired, or its text has changed. Your decision was not saved. Open the approval again.',
  )

/** The longest comment, in characters. */
const MAX_COMMENT = 2_000

/** Approves a question: its content goes out at once or on its date. Throws `invalid_transition` if it no longer waits. */
export const approve = async (ctx: Ctx, follow: Follow, id: number, by: Decider, comment = ''): Promise<void> => {
  const now = ctx.now()
  const said = clip(comment.trim(), MAX_COMMENT)
  const changes = {
    comment: said || null,
    decidedBy: calledDecider(by),
    decidedAt: now,
    // An approved publication stays valid until its date, and then as long as a question.
    expiresAt: sql`greatest(${at(now)}, coalesce(${laterDate}, ${at(now)})) + ${`${HOLDS_MS} milliseconds`}::interval`,
  }
  const decision = {
    where: isFor(by, now),
    ended: { to: 'approved' },
    changes,
    comment: said || undefined,
    deputyOf: by.deputy?.of,
  } as const
  if (!(await decide(ctx, follow, id, decision))) throw notAwaiting()
  ctx.defer(ctx.wakeQueue())
}

/** Returns the comment with which a question is sent back. Throws `invalid_input` if it is empty or too long. */
export const checkComment = (comment: string): string => {
  const said = comment.trim()
  if (said === '' || said.length > MAX_COMMENT) {
    const message = said === '' ? 'is required' : `must have at most ${MAX_COMMENT} characters`
    const sentence = said === '' ? 'Say in the comment what to change.' : `The comment ${message}.`
    throw new ApiError('invalid_input', `${sentence} Nothing was decided.`, {
      details: [{ field: 'comment', message }],
    })
  }
  return said
}

/** Sends a question back with a comment for its author. Throws `invalid_input` for the comment, or `invalid_transition`. */
export const returnForChanges = async (
  ctx: Ctx,
  follow: Follow,
  id: number,
  by: Decider,
  comment: string,
): Promise<void> => {
  const said = checkComment(comment)
  const now = ctx.now()
  const changes = { comment: said, decidedBy: calledDecider(by), decidedAt: now }
  const ended = { to: 'returned', error: returnedError(calledDecider(by), said) } as const
  const decision = { where: isFor(by, now), ended, changes, comment: said, deputyOf: by.deputy?.of }
  if (!(await decide(ctx, follow, id, decision))) throw notAwaiting()
}

/** Expires a question whose time is over. */
export const expire = async (ctx: Ctx, follow: Follow, id: number, error: string): Promise<void> => {
  const where = and(isOpen(), not(isInTime(ctx.now())))
  await decide(ctx, follow, id, { where, ended: { to: 'expired', error } })
}
