import { and, eq, lte, type SQL, sql } from 'drizzle-orm'
import { reviewReplies } from '../../../schema/profile.ts'
import { approvalOf, policyGate } from '../../accounts/policy/parts.ts'
import { audit } from '../../platform/db/audit.ts'
import { statement } from '../../platform/db/statement.ts'
import { insert, remove, update } from '../../platform/db/write-parts.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'

type Turn = { accountId: number; projectId: number; reviewId: string; lease: Date }

/** Names the reply to a review as a thing that a person is asked about. */
export const replySubject = ({ projectId, reviewId }: Pick<Turn, 'projectId' | 'reviewId'>): string =>
  `review:${projectId}:${reviewId}`

/** Claims the right to reply to a review. Returns no id if the policy forbids the reply or another call has the claim. */
export const claimTurn = (ctx: Ctx, { lease, ...turn }: Turn, activity: 'review_reply' | 'remove_reply'): SQL => {
  const now = ctx.now()
  const approval = approvalOf(ctx, now, replySubject(turn))
  const gate = policyGate(turn.projectId, { activity, now, target: 'googlebusiness', ...approval })
  const taken = insert(
    'taken',
    reviewReplies,
    { ...turn, leaseUntil: lease },
    {
      from: [gate.allowed],
      onConflict: {
        columns: [reviewReplies.projectId, reviewReplies.reviewId],
        set: { leaseUntil: lease },
        setWhere: sql`${lte(reviewReplies.leaseUntil, ctx.now())}`,
      },
      returning: { id: reviewReplies.id },
    },
  )
  return statement({
    unaudited: 'what was said is audited at the end',
    parts: [gate.parts, taken],
    answer: { id: taken.c.id, rule: gate.rule },
    answerFrom: gate.answerBeside(taken),
  })
}

const held = ({ projectId, reviewId, lease }: Turn): SQL =>
  sql`${and(eq(reviewReplies.projectId, projectId), eq(reviewReplies.reviewId, reviewId), eq(reviewReplies.leaseUntil, lease))}`

type Said = { action: 'profile.reply' | 'profile.remove_reply'; detail: Record<string, unknown> }

/** Records the reply before it is sent. Returns no row if the claim was lost. */
export const noteSaid = (ctx: Ctx, turn: Turn, { action, detail }: Said): SQL => {
  const mine = update(
    'mine',
    reviewReplies,
    { leaseUntil: turn.lease },
    { where: held(turn), returning: { id: reviewReplies.id } },
  )
  return statement({
    parts: [mine],
    audit: audit(ctx, {
      of: mine,
      account: turn.accountId,
      action,
      on: ['project', turn.projectId],
      detail: { review_id: turn.reviewId, ...detail },
    }),
    answer: { id: mine.c.id },
  })
}

/** Releases the claim, and keeps `answer` if a reply was sent. */
export const endTurn = (ctx: Ctx, turn: Turn, answer?: object): SQL => {
  const ended = remove('ended', reviewReplies, { where: held(turn), returning: { id: reviewReplies.id } })
  return statement({
    unaudited: 'what was said was written down before it was said',
    parts: [ended, answer && ctx.keep.answer([ended], answer)],
    answer: { id: ended.c.id },
  })
}

/** Records that the reply was refused. */
export const noteRefused = (ctx: Ctx, turn: Turn, reason: string): SQL => {
  const ended = remove('ended', reviewReplies, { where: held(turn), returning: { id: reviewReplies.id } })
  return statement({
    parts: [ended],
    audit: audit(ctx, {
      of: ended,
      account: turn.accountId,
      action: 'profile.reply_refused',
      on: ['project', turn.projectId],
      detail: { review_id: turn.reviewId, reason },
    }),
    answer: { id: ended.c.id },
  })
}
