import { and, eq, type SQL, sql } from 'drizzle-orm'
import { approvals } from '../../../schema/approvals.ts'
import { articles } from '../../../schema/articles.ts'
import { literals } from '../../../schema/columns.ts'
import type { ApprovalKind } from '../../../schema/values/approvals.ts'
import type { ARTICLE_STATUSES } from '../../../schema/values/articles.ts'
import { at } from '../../platform/db/instant.ts'
import { read } from '../../platform/db/read-parts.ts'
import { type Parts, statement } from '../../platform/db/statement.ts'
import { type Changes, update } from '../../platform/db/write-parts.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { approvedJob, callJob } from './jobs.ts'
import { auditDecided, DECIDED, type Decided, isInTime, isOpen } from './parts.ts'
import { HOLDS_MS } from './rules.ts'

/** Kinds whose calls another Worker carries out. */
const OF_REACH = ['social_post', 'comment_guide', 'review_reply', 'crowdwork'] as const satisfies ApprovalKind[]

const PLANNED: (typeof ARTICLE_STATUSES)[number] = 'Planned'

/** End of a question, with the state that its article shows if it is not published. */
type Ended = { to: 'approved' } | { to: 'returned' | 'expired'; error: string }

/** Returns the parts by which the article of a decided question goes on, or shows why it does not. */
export type Follow = (ctx: Pick<Ctx, 'now'>, decided: Decided, ended: Ended) => Parts

/** Holds the article before its approval, as everyone does who needs both. */
const holdArticleOf = (id: number, accountId: number) =>
  read(
    'held_article',
    articles,
    { id: articles.id },
    {
      where: sql`${articles.id} = (select ${approvals.articleId} from ${approvals} where ${and(
        eq(approvals.id, id),
        eq(approvals.accountId, accountId),
      )})`,
      lock: 'no key update',
    },
  )

type Change = { id: number; accountId: number; changes: Changes<typeof approvals>; where: SQL }

const decide = ({ id, accountId, changes, where }: Change) => {
  const held = holdArticleOf(id, accountId)
  const decided = update('decided', approvals, changes, {
    // The count keeps the order of the locks.
    where: sql`${and(eq(approvals.id, id), eq(approvals.accountId, accountId), where)} and (select count(*) from ${held.rows}) >= 0`,
    returning: DECIDED,
  })
  return { held, decided }
}

/** The date of a planned article that is still to come. */
const laterDate = sql`(select ${articles.scheduledAt} from ${articles} where ${articles.id} = ${approvals.articleId} and ${articles.status} = ${PLANNED})`

/** Condition: the decided article goes out on its date, which is still to come. */
export const goesLater = (decided: Decided, now: Date): SQL =>
  sql`(${decided.c.kind} = 'publish' and exists (select 1 from ${articles} where ${and(
    eq(articles.id, decided.c.articleId),
    eq(articles.status, PLANNED),
  )} and ${articles.scheduledAt} > ${at(now)}))`

/** Person who decides: the name that answers show, and the review link if it was one. */
export type Decider = { name: string; tokenHash?: string }

const isByLink = ({ tokenHash }: Decider, now: Date): SQL | undefined =>
  tokenHash === undefined
    ? undefined
    : sql`${eq(approvals.reviewTokenHash, tokenHash)} and ${approvals.reviewExpiresAt} > ${at(now)}`

type Decision = { id: number; accountId: number; by: Decider; comment: string | null }

const approveStatement = (ctx: Ctx, follow: Follow, { id, accountId, by, comment }: Decision): SQL => {
  const now = ctx.now()
  const { held, decided } = decide({
    id,
    accountId,
    changes: {
      status: 'approved',
      comment,
      decidedBy: by.name,
      decidedAt: now,
      // An approved publication may wait for its date, and then for as long as a question.
      expiresAt: sql`greatest(${at(now)}, coalesce(${laterDate}, ${at(now)})) + ${`${HOLDS_MS} milliseconds`}::interval`,
    },
    where: sql`${and(eq(approvals.status, 'awaiting'), isInTime(now), isByLink(by, now))}`,
  })
  const isOfReach = sql`${decided.c.kind} in ${literals(OF_REACH)}`
  const work = {
    from: decided,
    account: accountId,
    payload: { approval_id: decided.c.id },
    runAt: now,
    open: 'keep',
  } as const
  const jobs = [
    approvedJob.enqueue({ ...work, where: sql`not ${isOfReach} and not ${goesLater(decided, now)}` }),
    callJob.enqueue({ ...work, where: isOfReach }),
  ]
  return statement({
    parts: [held, decided, jobs, follow(ctx, decided, { to: 'approved' })],
    audit: auditDecided(ctx, decided, accountId, 'approved', comment ?? undefined),
    answer: { id: decided.c.id },
  })
}

const returnStatement = (
  ctx: Ctx,
  follow: Follow,
  { id, accountId, by, comment, error }: Decision & { error: string },
): SQL => {
  const now = ctx.now()
  const { held, decided } = decide({
    id,
    accountId,
    changes: { status: 'returned', comment, decidedBy: by.name, decidedAt: now },
    where: sql`${and(eq(approvals.status, 'awaiting'), isInTime(now), isByLink(by, now))}`,
  })
  return statement({
    parts: [held, decided, follow(ctx, decided, { to: 'returned', error })],
    audit: auditDecided(ctx, decided, accountId, 'returned', comment ?? undefined),
    answer: { id: decided.c.id },
  })
}

const expireStatement = (ctx: Ctx, follow: Follow, id: number, accountId: number, error: string): SQL => {
  const { held, decided } = decide({
    id,
    accountId,
    changes: { status: 'expired' },
    where: sql`${isOpen()} and not (${isInTime(ctx.now())})`,
  })
  return statement({
    parts: [held, decided, follow(ctx, decided, { to: 'expired', error })],
    audit: auditDecided(ctx, decided, accountId, 'expired'),
    answer: { id: decided.c.id },
  })
}

const notAwaiting = (): ApiError =>
  new ApiError(
    'invalid_transition',
    'It was decided before, its time is over, or the text changed since. Nothing was changed by this.',
  )

const wake = (ctx: Ctx): void => ctx.defer(ctx.wakeQueue())

/** The longest comment, in characters. */
const MAX_COMMENT = 2_000

/** Approves what waits: it goes out at once, or on its date. Throws `invalid_transition` if it waits no more. */
export const approve = async (ctx: Ctx, follow: Follow, id: number, by: Decider, comment = ''): Promise<void> => {
  const account = await ctx.account()
  const decision = { id, accountId: account.id, by, comment: comment.trim().slice(0, MAX_COMMENT) || null }
  const [row] = await ctx.write(approveStatement(ctx, follow, decision))
  if (!row) throw notAwaiting()
  wake(ctx)
}

/** Returns what waits, with a comment for the one who asked. Throws `invalid_transition` if it waits no more. */
export const sendBack = async (ctx: Ctx, follow: Follow, id: number, by: Decider, comment: string): Promise<void> => {
  const said = comment.trim()
  if (said === '' || said.length > MAX_COMMENT) {
    const message = said === '' ? 'say what is to be changed' : `must have at most ${MAX_COMMENT} characters`
    throw new ApiError('invalid_input', `comment: ${message}.`, { details: [{ field: 'comment', message }] })
  }
  const account = await ctx.account()
  const error = `Returned by ${by.name}: ${said}`
  const [row] = await ctx.write(returnStatement(ctx, follow, { id, accountId: account.id, by, comment: said, error }))
  if (!row) throw notAwaiting()
}

/** Ends a question whose time is over. */
export const expire = async (ctx: Ctx, follow: Follow, id: number, error: string): Promise<void> => {
  const account = await ctx.account()
  await ctx.write(expireStatement(ctx, follow, id, account.id, error))
}
