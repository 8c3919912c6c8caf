import { and, eq, exists, inArray, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import { approvals } from '../../../schema/approvals.ts'
import { oneOf } from '../../../schema/columns.ts'
import { socialPosts } from '../../../schema/social.ts'
import type { AuditAction } from '../../../schema/values/audit.ts'
import type { Proposal } from '../../accounts/approvals/rules.ts'
import { askStatements, inTurn, openQuestion } from '../../accounts/approvals/writes.ts'
import { policyAllows, ruleOf } from '../../accounts/policy/parts.ts'
import { type Obstacle, WAITS } from '../../accounts/policy/rules.ts'
import { at } from '../../platform/db/instant.ts'
import { audit } from '../../platform/db/writes.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { guideJob } from './jobs.ts'
import type { PostToSend } from './queries.ts'

const postThat = ({ db }: Ctx, which: SQL | undefined) =>
  db.select({ id: socialPosts.id }).from(socialPosts).where(which)

const isFree = (now: Date) => or(isNull(socialPosts.leaseUntil), lte(socialPosts.leaseUntil, now))

/** Returns a condition: the post is as it was read, and no attempt has it. */
const asRead = (post: PostToSend, now: Date): SQL | undefined =>
  and(
    eq(socialPosts.id, post.id),
    isFree(now),
    eq(socialPosts.attempts, post.attempts),
    eq(socialPosts.lookups, post.lookups),
    eq(socialPosts.maybeSent, post.maybeSent),
    eq(socialPosts.status, post.status),
    eq(socialPosts.content, post.content),
    sql`${socialPosts.scheduledFor} is not distinct from ${at(post.scheduledFor)}`,
  )

/** Returns a condition: a person approved the post as it is. */
const isApproved = (id: number): SQL => sql`exists (select 1 from ${socialPosts} approved_post
  join ${approvals} on ${approvals.id} = approved_post.approval_id
  where approved_post.id = ${id}::int and ${oneOf(approvals.status, ['used'])})`

/**
 * Claims a post for one attempt, until a lease ends. From now on it may have gone out.
 *
 * It is not claimed if a rule of the policy forbids it, another attempt has it, or it changed since it was read.
 */
export const claimPost = async (
  ctx: Ctx,
  post: PostToSend,
  lease: Date,
): Promise<{ isClaimed: boolean; rule: Obstacle | null }> => {
  const now = ctx.now()
  const { id, projectId, platform, maybeSent } = post
  const call = {
    activity: 'social_post',
    now,
    target: platform,
    isSettled: maybeSent,
    isApproved: isApproved(id),
  } as const
  const {
    claimed,
    rule: [policy],
  } = await ctx.batch(
    {
      claimed: ctx.db
        .update(socialPosts)
        .set({ status: 'publishing', leaseUntil: lease, maybeSent: true, updatedAt: now })
        .where(and(asRead(post, now), policyAllows(projectId, call)))
        .returning({ id: socialPosts.id }),
      rule: ruleOf(projectId, call),
    },
    { unaudited: 'what an attempt did is written to the audit log when it ends' },
  )
  return { isClaimed: claimed.length > 0, rule: policy?.rule ?? null }
}

/** Asks a person whether a post may go out; it is a draft until then. Does nothing if the post changed since it was read. */
export const askAboutPost = (ctx: Ctx, proposal: Proposal, post: PostToSend): Promise<unknown> => {
  const now = ctx.now()
  const which = asRead(post, now)
  return inTurn(ctx, () =>
    ctx.batch({
      post: postThat(ctx, which).for('no key update'),
      askStatements: askStatements(ctx, proposal, exists(postThat(ctx, which))),
      changedSocialPosts: ctx.db
        .update(socialPosts)
        .set({
          status: 'draft',
          error: WAITS.needs_approval,
          approvalId: openQuestion(ctx, proposal),
          leaseUntil: null,
          updatedAt: now,
        })
        .where(which),
    }),
  )
}

/** An attempt that has a post until its lease ends. */
export type Attempt = { post: Pick<PostToSend, 'id' | 'accountId'>; lease: Date }

export type Changes = Partial<typeof socialPosts.$inferInsert>

/** Condition: the post has a rule that answers commenters. It is checked when the post is out, not when it was claimed. */
const IS_GUIDED = sql`${socialPosts.guide} is not null and ${socialPosts.guideStatus} <> 'disabled'`

/**
 * Records the outcome of an attempt, unless another one took the post over.
 *
 * If the post is out, it queues the job that sets up the rule for comments.
 */
export const endAttempt = async (
  ctx: Ctx,
  { post: { id, accountId }, lease }: Attempt,
  changes: Changes,
  { action, detail = {} }: { action?: AuditAction; detail?: Record<string, unknown> } = {},
): Promise<void> => {
  const now = ctx.now()
  const which = and(eq(socialPosts.id, id), eq(socialPosts.leaseUntil, lease))
  const isOut = changes.status === 'published'
  const guideStatus = sql`case when ${IS_GUIDED} then 'pending' else ${socialPosts.guideStatus} end`
  await ctx.batch(
    {
      post: postThat(ctx, which).for('no key update'),
      guideJob:
        isOut &&
        enqueue(
          guideJob,
          { post_id: id },
          { if: exists(postThat(ctx, and(which, IS_GUIDED))), account: accountId, runAt: now, open: 'move' },
        ),
      audit:
        action !== undefined &&
        audit(ctx, {
          account: accountId,
          action,
          on: ['social_post', id],
          detail,
          if: exists(postThat(ctx, which)),
        }),
      changedSocialPosts: ctx.db
        .update(socialPosts)
        .set({ ...changes, ...(isOut ? { guideStatus } : {}), leaseUntil: null, updatedAt: now })
        .where(which),
    },
    action === undefined ? { unaudited: 'nothing is out, and it is looked at again' } : undefined,
  )
}

/** Ends a post as failed, because it can never go out. Does nothing while an attempt is under way. */
export const failPost = async (ctx: Ctx, { id, accountId }: Attempt['post'], reason: string): Promise<void> => {
  const now = ctx.now()
  const which = and(eq(socialPosts.id, id), inArray(socialPosts.status, ['scheduled', 'publishing']), isFree(now))
  await ctx.batch({
    post: postThat(ctx, which).for('no key update'),
    audit: audit(ctx, {
      account: accountId,
      action: 'social.failed',
      on: ['social_post', id],
      detail: { reason },
      if: exists(postThat(ctx, which)),
    }),
    changedSocialPosts: ctx.db
      .update(socialPosts)
      .set({ status: 'failed', error: reason, leaseUntil: null, updatedAt: now })
      .where(which),
  })
}
