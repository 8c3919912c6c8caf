import { and, eq, exists, type SQL, sql } from 'drizzle-orm'
import { reviewReplies as turns } from '../../../schema/profile.ts'
import type { PolicyRule } from '../../../schema/values/policy.ts'
import { approvalOf } from '../../accounts/policy/parts.ts'
import { policyAllows, ruleOf } from '../../accounts/policy/writes.ts'
import { audit, insertWhere } from '../../platform/db/writes.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'

/** The right to reply to a review until a lease ends. One call has it at a time. */
export type Turn = { accountId: number; projectId: number; reviewId: string; lease: Date }

/** Names the reply to a review as a thing that a person is asked about. */
export const replySubject = ({ projectId, reviewId }: Pick<Turn, 'projectId' | 'reviewId'>): string =>
  `review:${projectId}:${reviewId}`

/** Claims the right to reply to a review. `rule`: the rule of the policy that forbids the reply. */
export const claimTurn = async (
  ctx: Ctx,
  { lease, ...turn }: Turn,
  activity: 'review_reply' | 'remove_reply',
): Promise<{ isClaimed: boolean; rule: PolicyRule | null }> => {
  const now = ctx.now()
  const approval = approvalOf(ctx, now, replySubject(turn))
  const call = { activity, now, target: 'googlebusiness', ...approval }
  const [claimed, [policy]] = await ctx.batch(
    [
      insertWhere(
        turns,
        { ...turn, leaseUntil: lease },
        {
          if: policyAllows(turn.projectId, call),
          onConflict: sql`(project_id, review_id) do update set lease_until = excluded.lease_until
            where ${turns.leaseUntil} <= ${sql.param(now, turns.leaseUntil)}`,
        },
      ),
      ruleOf(turn.projectId, call),
    ],
    { unaudited: 'what was said is audited at the end' },
  )
  return { isClaimed: claimed.length > 0, rule: policy?.rule ?? null }
}

const isHeld = ({ projectId, reviewId, lease }: Turn) =>
  and(eq(turns.projectId, projectId), eq(turns.reviewId, reviewId), eq(turns.leaseUntil, lease))

/** Locks the turn while it is held; a row if it is. */
const lockTurn = ({ db }: Ctx, turn: Turn) => db.select({ id: turns.id }).from(turns).where(isHeld(turn)).for('update')

const held = ({ db }: Ctx, turn: Turn): SQL => exists(db.select({ id: turns.id }).from(turns).where(isHeld(turn)))

const auditTurn = (ctx: Ctx, turn: Turn, action: string, detail: Record<string, unknown>) =>
  audit(ctx, {
    account: turn.accountId,
    action,
    on: ['project', turn.projectId],
    detail: { review_id: turn.reviewId, ...detail },
    if: held(ctx, turn),
  })

/** Words in public, for the audit log. */
export type Said = { action: 'profile.reply' | 'profile.remove_reply'; detail: Record<string, unknown> }

/** Records the reply before it is sent. Returns false if the claim was lost. */
export const noteSaid = async (ctx: Ctx, turn: Turn, { action, detail }: Said): Promise<boolean> => {
  const [mine] = await ctx.batch([lockTurn(ctx, turn), auditTurn(ctx, turn, action, detail)])
  return mine.length > 0
}

/** Releases the claim, and keeps `answer` if a reply was sent. */
export const endTurn = async (ctx: Ctx, turn: Turn, answer?: object): Promise<void> => {
  await ctx.batch(
    [
      lockTurn(ctx, turn),
      answer && ctx.keepAnswer(answer, { if: held(ctx, turn) }),
      ctx.db.delete(turns).where(isHeld(turn)),
    ],
    { unaudited: 'what was said was written down before it was said' },
  )
}

/** Records that the reply was refused, and releases the claim. */
export const noteRefused = async (ctx: Ctx, turn: Turn, reason: string): Promise<void> => {
  await ctx.batch([
    lockTurn(ctx, turn),
    auditTurn(ctx, turn, 'profile.reply_refused', { reason }),
    ctx.db.delete(turns).where(isHeld(turn)),
  ])
}
