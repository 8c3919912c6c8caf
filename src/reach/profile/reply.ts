import { and, eq, exists, type SQL, sql } from 'drizzle-orm'
import { reviewReplies as turns } from '../../../schema/profile.ts'
import type { WantedApproval } from '../../../schema/values/approvals.ts'
import type { AuditAction } from '../../../schema/values/audit.ts'
import { approvalOf, policyAllows, ruleOf } from '../../accounts/policy/parts.ts'
import { policyRefusal, refusalOrQuestion } from '../../accounts/policy/read.ts'
import type { Obstacle } from '../../accounts/policy/rules.ts'
import { audit, insertWhere } from '../../platform/db/writes.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { required } from '../../platform/lib/issues.ts'
import { withoutModelMarks } from '../../platform/lib/model-marks.ts'
import { storableText, withStop } from '../../platform/lib/text.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { valueOrThrow } from '../social/accounts.ts'
import { needsProfile, type Open, openProfile, type ProfileDeps } from './connected.ts'
import type { RemoveReplyInput, ReplyInput } from './operations.ts'
import type { ReplyOutcome, Review } from './port.ts'

/** Claim of one call to reply to a review, until its lease ends. */
type Turn = { accountId: number; projectId: number; reviewId: string; lease: Date }

/** Returns the subject of questions to a person about the reply to a review. */
export const replySubject = ({ projectId, reviewId }: Pick<Turn, 'projectId' | 'reviewId'>): string =>
  `review:${projectId}:${reviewId}`

/** Claims the right to reply to a review. `rule` is the rule of the policy that forbids the reply; null if there is none. */
const claimTurn = async (
  ctx: Ctx,
  { lease, ...turn }: Turn,
  activity: 'review_reply' | 'remove_reply',
): Promise<{ isClaimed: boolean; rule: Obstacle | null }> => {
  const now = ctx.now()
  const approval = approvalOf(ctx, now, replySubject(turn))
  const call = { activity, now, target: 'googlebusiness', ...approval }
  const {
    claimed,
    rule: [policy],
  } = await ctx.batch(
    {
      claimed: insertWhere(
        turns,
        { ...turn, leaseUntil: lease },
        {
          if: policyAllows(turn.projectId, call),
          onConflict: sql`(project_id, review_id) do update set lease_until = excluded.lease_until
            where ${turns.leaseUntil} <= ${sql.param(now, turns.leaseUntil)}`,
        },
      ),
      rule: ruleOf(turn.projectId, call),
    },
    { unaudited: 'what was said is audited at the end' },
  )
  return { isClaimed: claimed.length > 0, rule: policy?.rule ?? null }
}

const isHeld = ({ projectId, reviewId, lease }: Turn) =>
  and(eq(turns.projectId, projectId), eq(turns.reviewId, reviewId), eq(turns.leaseUntil, lease))

/** Locks the claim, and returns a row if this call still has it. */
const lockTurn = ({ db }: Ctx, turn: Turn) => db.select({ id: turns.id }).from(turns).where(isHeld(turn)).for('update')

const held = ({ db }: Ctx, turn: Turn): SQL => exists(db.select({ id: turns.id }).from(turns).where(isHeld(turn)))

const auditTurn = (ctx: Ctx, turn: Turn, action: AuditAction, detail: Record<string, unknown>) =>
  audit(ctx, {
    account: turn.accountId,
    action,
    on: ['project', turn.projectId],
    detail: { review_id: turn.reviewId, ...detail },
    if: held(ctx, turn),
  })

/** A public reply or its removal, for the audit log. */
type Said = { action: 'profile.reply' | 'profile.remove_reply'; detail: Record<string, unknown> }

/** Records the reply before it is sent. Returns false if the claim was lost. */
const noteSaid = async (ctx: Ctx, turn: Turn, { action, detail }: Said): Promise<boolean> => {
  const { mine } = await ctx.batch({ mine: lockTurn(ctx, turn), auditTurn: auditTurn(ctx, turn, action, detail) })
  return mine.length > 0
}

/** Releases the claim, and stores `answer` if a reply was sent. */
const endTurn = async (ctx: Ctx, turn: Turn, answer?: object): Promise<void> => {
  await ctx.batch(
    {
      turn: lockTurn(ctx, turn),
      kept: answer && ctx.keepAnswer(answer)(held(ctx, turn)),
      deletedTurns: ctx.db.delete(turns).where(isHeld(turn)),
    },
    { unaudited: 'what was said was written down before it was said' },
  )
}

/** Records that the reply was refused, and releases the claim. */
const noteRefused = async (ctx: Ctx, turn: Turn, reason: string): Promise<void> => {
  await ctx.batch({
    turn: lockTurn(ctx, turn),
    auditTurn: auditTurn(ctx, turn, 'profile.reply_refused', { reason }),
    deletedTurns: ctx.db.delete(turns).where(isHeld(turn)),
  })
}

const GOOGLE = 'Google Business Profile'
/** Longer than the calls of one reply take, ms. */
const LEASE_MS = 90_000

const reviewOf = async ({ profile }: Open, { projectId, reviewId }: Turn): Promise<Review> => {
  const review = valueOrThrow(await profile.review(reviewId), GOOGLE)
  if (review) return review
  throw new ApiError('not_found', 'The review does not exist.', {
    next_calls: [{ method: 'GET', path: `/profile/reviews?project_id=${projectId}`, why: 'Lists the reviews.' }],
  })
}

const busy = (): ApiError =>
  new ApiError('edit_conflict', 'Another reply to this review is being posted. Repeat the call in a moment.', {
    retry_after: 5,
  })

type Change<A> = {
  open: Open
  activity: 'review_reply' | 'remove_reply'
  /** Returns true if the review already has the wanted state. */
  isDone: (review: Review) => boolean
  /** Answer if nothing has to be sent; `answer` is for a change that was sent. */
  nothing: A
  answer: (before: Review) => A
  said: (before: Review) => Said
  send: (profile: Open['profile']) => Promise<ReplyOutcome>
  /** Returns the question to the person who has to approve the change; absent if it needs no approval. */
  wanted?: (before: Review) => WantedApproval
}

/**
 * Changes the reply to a review, one change at a time.
 *
 * The review is read first, so that nothing is sent twice. A public reply is audited before it is sent.
 */
const change = async <A extends object>(ctx: Ctx, turn: Turn, wanted: Change<A>): Promise<A> => {
  const { open, isDone, activity, wanted: asked } = wanted
  const { isClaimed, rule } = await claimTurn(ctx, turn, activity)
  if (!isClaimed && rule !== null)
    throw asked
      ? await refusalOrQuestion(ctx, turn.projectId, rule, activity, async () => asked(await reviewOf(open, turn)))
      : await policyRefusal(ctx, turn.projectId, rule, activity)
  if (!isClaimed) throw busy()
  try {
    const before = await reviewOf(open, turn)
    if (isDone(before)) {
      await endTurn(ctx, turn)
      return wanted.nothing
    }
    if (!(await noteSaid(ctx, turn, wanted.said(before)))) throw busy()
    await concluded(open, turn.reviewId, await wanted.send(open.profile), isDone)
    const answer = wanted.answer(before)
    await endTurn(ctx, turn, answer)
    return answer
  } catch (error) {
    const isRefused = error instanceof ApiError && error.code === 'profile_rejected'
    await (isRefused ? noteRefused(ctx, turn, error.message) : endTurn(ctx, turn))
    throw error
  }
}

/** True if the review has the change now. It is read again after an outcome that was unknown. */
const isThere = async (open: Open, id: string, wanted: (review: Review) => boolean): Promise<boolean> => {
  const review = await open.profile.review(id)
  return review.kind === 'got' && review.value !== undefined && wanted(review.value)
}

/** Returns if the change was made. Throws 422 for a lasting refusal, and 503 otherwise. */
const concluded = async (
  open: Open,
  id: string,
  outcome: ReplyOutcome,
  wanted: (review: Review) => boolean,
): Promise<void> => {
  if (outcome.kind === 'done') return
  if (outcome.kind === 'refused' && !outcome.retryable) {
    const reason = storableText(outcome.reason)
    throw new ApiError('profile_rejected', reason, {
      upstream: { name: GOOGLE, ...(outcome.status === undefined ? {} : { status: outcome.status }), message: reason },
    })
  }
  if (outcome.kind === 'unknown' && (await isThere(open, id, wanted))) return
  throw new ApiError(
    'provider_unavailable',
    outcome.kind === 'unknown'
      ? `${withStop(outcome.reason)} It is not known whether the change arrived. Repeat the call: the review is read before anything is sent.`
      : outcome.reason,
    { retry_after: (outcome.kind === 'refused' ? outcome.retryAfterS : undefined) ?? 30 },
  )
}

/** Returns the question to a person about a reply: the reply, its review, and the reply that it replaces. */
const wantedReply = (
  turn: Turn,
  { account }: Open,
  { reviewer, rating, comment, reply }: Review,
  { message, ...input }: ReplyInput,
): WantedApproval => {
  const fields = {
    Review: comment ?? '',
    By: reviewer,
    Stars: rating === null ? '' : String(rating),
    'Reply now': reply?.message ?? '',
  }
  return {
    kind: 'review_reply',
    projectId: turn.projectId,
    subject: replySubject(turn),
    target: `${GOOGLE}, ${account.name}`,
    proposed: {
      title: `Reply to ${reviewer}`,
      body: message,
      format: 'text',
      fields: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')),
    },
    body: { ...input, message },
  }
}

const turnFor = async (ctx: Ctx, projectId: number, reviewId: string): Promise<Turn> => ({
  accountId: (await ctx.account()).id,
  projectId,
  reviewId,
  lease: new Date(ctx.now().getTime() + LEASE_MS),
})

/**
 * Replies to a review in public, and replaces its present reply. A reply that is there already is not posted again.
 *
 * Throws 404, 403, 400, 409 while another reply is under way, 422 if Google refuses it, 503.
 */
export const replyToReview = async (ctx: Ctx, deps: ProfileDeps, input: ReplyInput) => {
  const { project_id: projectId, review_id: id } = input
  const message = withoutModelMarks(input.message)
  const open = await openProfile(ctx, deps, input)
  if (!open) throw needsProfile(projectId)
  const turn = await turnFor(ctx, projectId, id)
  const base = { project_id: projectId, review_id: id, reply: message }
  type Answered = typeof base & { status: 'posted' | 'already_posted'; message: string }
  return await change<Answered>(ctx, turn, {
    open,
    activity: 'review_reply',
    isDone: (review) => review.reply?.message === message,
    nothing: { ...base, status: 'already_posted', message: 'The review already has this reply. Nothing was sent.' },
    said: ({ reply }) => ({
      action: 'profile.reply',
      detail: { message, ...(reply ? { before: reply.message } : {}) },
    }),
    send: (profile) => profile.reply(id, message),
    wanted: (before) => wantedReply(turn, open, before, { ...input, message, account_id: open.account.id }),
    answer: ({ reply }) => ({
      ...base,
      status: 'posted',
      message: `The reply was ${reply ? 'changed' : 'posted'}. Everybody can read it once Google has checked it.`,
    }),
  })
}

/** Removes the reply to a review. Throws like `replyToReview`. */
export const removeReply = async (ctx: Ctx, deps: ProfileDeps, input: RemoveReplyInput) => {
  const { project_id: projectId, review_id: id } = required(input, ['project_id', 'review_id'])
  const open = await openProfile(ctx, deps, { ...input, project_id: projectId })
  if (!open) throw needsProfile(projectId)
  const turn = await turnFor(ctx, projectId, id)
  const base = { project_id: projectId, review_id: id }
  type Answered = typeof base & { status: 'removed' | 'no_reply'; message: string }
  return await change<Answered>(ctx, turn, {
    open,
    activity: 'remove_reply',
    isDone: (review) => review.reply === null,
    nothing: { ...base, status: 'no_reply', message: 'The review has no reply. Nothing was sent.' },
    said: ({ reply }) => ({ action: 'profile.remove_reply', detail: { before: reply?.message ?? '' } }),
    send: (profile) => profile.removeReply(id),
    answer: () => ({ ...base, status: 'removed', message: 'The reply was deleted.' }),
  })
}
