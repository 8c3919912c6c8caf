import { and, type Column, eq, gt, inArray, not, notExists, type SQL, sql } from 'drizzle-orm'
import { approvals } from '../../../schema/approvals.ts'
import { oneOf } from '../../../schema/columns.ts'
import { type ApprovalKind, type ApprovalStatus, OPEN_APPROVAL_STATUSES } from '../../../schema/values/approvals.ts'
import { violatedUnique } from '../../platform/db/client.ts'
import { at } from '../../platform/db/instant.ts'
import type { Statement } from '../../platform/db/steps.ts'
import { AuditStatement, audit, type If, insertWhere } from '../../platform/db/writes.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { isPerson } from '../policy/rules.ts'
import { approvedJob, followJob } from './jobs.ts'
import { type Asked, HOLDS_MS, type Proposal } from './rules.ts'

/** Condition: the approval waits for a decision, or is approved and not used yet. */
export const isOpen = (): SQL => oneOf(approvals.status, OPEN_APPROVAL_STATUSES)

/** Approval that a claim needs: its subject, and the hash of content and target. */
export type Gate = Pick<Proposal, 'subject' | 'hash'>

/** Columns of a decided approval. */
export const DECIDED = { id: approvals.id, kind: approvals.kind, articleId: approvals.articleId }

/** Condition: now is before the end of an approval. */
export const isInTime = (now: Date): SQL => sql`${approvals.expiresAt} > ${at(now)}`

type Acting = Pick<Ctx, 'actor' | 'now'>

/**
 * Writes audit entries about a change of approvals, which also appear in the feed of events. With the default `from`, it must come
 * before the statement that changes them.
 *
 * `which`: condition on the rows of `approvals`, or on the rows to which `from` gives that name.
 */
export const auditDecision = (
  ctx: Acting,
  which: If,
  accountId: number | Column,
  status: Exclude<ApprovalStatus, 'awaiting'>,
  {
    comment,
    deputyOf,
    from = sql`${approvals}`,
  }: { comment?: string | undefined; deputyOf?: string | undefined; from?: SQL } = {},
) =>
  audit(ctx, {
    account: accountId,
    action: `approval.${status}`,
    on: ['approval', approvals.id],
    detail: sql`jsonb_build_object('kind', ${approvals.kind}, 'article_id', ${approvals.articleId}${comment === undefined ? sql`` : sql`, 'comment', ${comment}::text`}${deputyOf === undefined ? sql`` : sql`, 'as_deputy_of', ${deputyOf}::text`})`,
    from,
    if: which,
  })

/** Kinds of approvals that a change of an article's text makes void. */
const OF_TEXT = ['publish', 'sync', 'suggestion'] as const satisfies ApprovalKind[]

/**
 * Returns the statements that end the open approvals of an article whose text changes, or which is no longer to be published.
 *
 * `asksAgain` also queues the job that asks about the publication again, with the article as it is then.
 */
export const supersedeApprovals = (
  ctx: Pick<Ctx, 'actor' | 'now' | 'db'>,
  articleId: number,
  accountId: number,
  { if: condition, asksAgain }: { if: SQL; asksAgain: boolean },
): Statement[] => {
  const which = sql`${and(eq(approvals.articleId, articleId), isOpen(), inArray(approvals.kind, [...OF_TEXT]))} and ${condition}`
  return [
    ctx.db.select({ id: approvals.id }).from(approvals).where(which).for('no key update'),
    auditDecision(ctx, which, accountId, 'superseded'),
    asksAgain &&
      enqueue(
        approvedJob,
        { approval_id: sql`${approvals.id}` },
        {
          account: accountId,
          from: sql`${approvals}`,
          if: sql`${which} and ${eq(approvals.kind, 'publish')}`,
          runAt: ctx.now(),
          // A run that began before the change may have read the old text, so the job runs again.
          open: 'move',
        },
      ),
    ctx.db.update(approvals).set({ status: 'superseded' }).where(which),
  ]
}

/**
 * Returns the statements that ask a person about exactly this content and target, if a condition is met. `question` selects the
 * question.
 *
 * An open question about the same content stays, and one about other content ends. Two batches at once may violate
 * `approvals_open_unique`.
 */
export const askStatements = (ctx: Acting & Pick<Ctx, 'db'>, proposal: Proposal, condition: SQL) => {
  const now = ctx.now()
  const { hash, call, ...asked } = proposal
  const { accountId, kind, articleId } = asked
  const open = and(eq(approvals.subject, asked.subject), eq(approvals.accountId, accountId), isOpen())
  const isSame = and(eq(approvals.contentHash, hash), gt(approvals.expiresAt, now)) as SQL
  const isOther = sql`${and(open, not(isSame), condition)}`
  const question = insertWhere(
    approvals,
    {
      ...asked,
      contentHash: hash,
      call: call ?? null,
      requestedBy: ctx.actor(),
      expiresAt: new Date(now.getTime() + HOLDS_MS),
      createdAt: now,
    },
    {
      if: sql`${and(condition, notExists(ctx.db.select({ id: approvals.id }).from(approvals).where(open)))}`,
      returning: { id: approvals.id },
    },
  )
  const noted = audit(ctx, {
    account: accountId,
    action: 'approval.requested',
    on: ['approval', sql`asked.id`],
    detail: { kind, article_id: articleId },
    from: sql`asked`,
    if: 'always',
  })
  const follow = enqueue(
    followJob,
    { approval_id: sql`asked.id` },
    { from: sql`asked`, if: 'always', account: accountId, runAt: now, open: 'keep' },
  )
  return {
    open: ctx.db.select({ id: approvals.id }).from(approvals).where(open).for('no key update'),
    audit: auditDecision(ctx, isOther, accountId, 'superseded'),
    superseded: ctx.db.update(approvals).set({ status: 'superseded' }).where(isOther),
    // One statement: only the insert knows the id of the new question.
    asked: sql`with asked as (${question}), noted as (${noted}) ${follow}`,
    question: ctx.db
      .select({ id: approvals.id, expiresAt: approvals.expiresAt })
      .from(approvals)
      .where(and(open, condition)),
  }
}

/** Returns a subquery for the id of the open question about a subject. There is at most one. */
export const openQuestion = ({ db }: Pick<Ctx, 'db'>, { subject, accountId }: Proposal): SQL => {
  const open = and(eq(approvals.subject, subject), eq(approvals.accountId, accountId), isOpen())
  return sql`${db.select({ id: approvals.id }).from(approvals).where(open)}`
}

/** Returns the statements that end the open questions about a subject, if a condition is met. They must come before its change. */
export const endQuestions = (
  ctx: Acting & Pick<Ctx, 'db' | 'approval'>,
  subject: string,
  accountId: number,
  condition: SQL,
) => {
  // An approved call uses up its own question, so it must not end it here.
  const isOurs = ctx.approval === undefined
  const which = sql`${and(eq(approvals.subject, subject), eq(approvals.accountId, accountId), isOpen(), condition)}`
  return [
    isOurs && ctx.db.select({ id: approvals.id }).from(approvals).where(which).for('no key update'),
    isOurs && auditDecision(ctx, which, accountId, 'superseded'),
    isOurs && ctx.db.update(approvals).set({ status: 'superseded' }).where(which),
  ] as const
}

/** Condition: a person approved exactly this content and target, or is the actor. Must come before `settleApprovals`. */
export const isApproved = (ctx: Pick<Ctx, 'actor' | 'now'>, { subject, hash }: Gate): SQL => {
  if (isPerson(ctx.actor())) return sql`true`
  const { expiresAt, status, contentHash } = approvals
  return sql`exists (select 1 from ${approvals} where ${and(
    eq(approvals.subject, subject),
    eq(contentHash, hash),
    eq(status, 'approved'),
    gt(expiresAt, ctx.now()),
  )})`
}

/** Returns the statement that uses up the approval of a claim, ends other questions about its subject, and audits both. */
export const settleApprovals =
  (ctx: Acting & Pick<Ctx, 'db'>, { subject, hash }: Gate) =>
  (isMet: SQL): AuditStatement => {
    const lets = isPerson(ctx.actor()) ? isOpen() : eq(approvals.status, 'approved')
    const settled = ctx.db
      .update(approvals)
      .set({
        status: sql`case when ${eq(approvals.contentHash, hash)} and ${lets} then ${'used'}::text else ${'superseded'}::text end`,
      })
      .where(and(eq(approvals.subject, subject), isOpen(), isMet))
      .returning({ ...DECIDED, status: approvals.status, accountId: approvals.accountId })
    const noted = (status: 'used' | 'superseded') =>
      auditDecision(ctx, sql`${approvals.status} = ${status}::text`, approvals.accountId, status, {
        from: sql`settled as ${approvals}`,
      })
    // One statement: only the update knows which of them it used up.
    return new AuditStatement(
      sql`with settled as ${settled}, noted as (${noted('used')}) ${noted('superseded')}`.queryChunks,
    )
  }

/** Attempts of a call that asks at the same time as others: one of them makes the question, and the others find it. */
const TRIES = 3

/** Runs `send`, and repeats it if another call asked about the same subject at the same moment. */
export const inTurn = async <T>(ctx: Ctx, send: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const result = await send()
      ctx.defer(ctx.wakeQueue())
      return result
    } catch (error) {
      if (violatedUnique(error) !== 'approvals_open_unique' || attempt === TRIES) throw error
    }
  }
}

/** Asks a person about exactly this content and target. Returns the question; undefined if the condition is not met. */
export const askPerson = (ctx: Ctx, proposal: Proposal, condition: SQL): Promise<Asked | undefined> =>
  inTurn(ctx, async () => {
    const { question } = await ctx.batch(askStatements(ctx, proposal, condition))
    return question[0]
  })
