import { and, eq, inArray, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import { approvals } from '../../../schema/approvals.ts'
import { oneOf } from '../../../schema/columns.ts'
import { socialPosts } from '../../../schema/social.ts'
import { askParts } from '../../accounts/approvals/parts.ts'
import type { Proposal } from '../../accounts/approvals/rules.ts'
import { policyGate } from '../../accounts/policy/parts.ts'
import { WAITS } from '../../accounts/policy/rules.ts'
import { audit } from '../../platform/db/audit.ts'
import { at } from '../../platform/db/instant.ts'
import type { Part } from '../../platform/db/part.ts'
import { read as readRows } from '../../platform/db/read-parts.ts'
import type { Parts } from '../../platform/db/statement.ts'
import { statement } from '../../platform/db/statement.ts'
import { type Changes, update } from '../../platform/db/write-parts.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { PostToSend } from './queries.ts'

type Claim = {
  id: number
  lease: Date
  read: Pick<
    PostToSend,
    'projectId' | 'platform' | 'status' | 'scheduledFor' | 'content' | 'attempts' | 'lookups' | 'maybeSent'
  >
}

/** The post as it was read, while no attempt has it. */
const asRead = ({ id, read }: Pick<Claim, 'id' | 'read'>, now: Date): SQL =>
  sql`${and(
    eq(socialPosts.id, id),
    or(isNull(socialPosts.leaseUntil), lte(socialPosts.leaseUntil, now)),
    eq(socialPosts.attempts, read.attempts),
    eq(socialPosts.lookups, read.lookups),
    eq(socialPosts.maybeSent, read.maybeSent),
    eq(socialPosts.status, read.status),
    eq(socialPosts.content, read.content),
  )} and ${socialPosts.scheduledFor} is not distinct from ${at(read.scheduledFor)}`

/** Condition: a person approved the post as it is. */
const isApproved = (id: number): SQL => sql`exists (select 1 from ${socialPosts} approved_post
  join ${approvals} on ${approvals.id} = approved_post.approval_id
  where approved_post.id = ${id}::int and ${oneOf(approvals.status, ['used'])})`

/** Takes a post for one attempt; no id when a rule of the policy forbids it, another has it, or it is not as it was read. From now on it may have gone out. */
export const claimPost = (ctx: Ctx, { id, lease, read }: Claim): SQL => {
  const now = ctx.now()
  const { projectId, platform, maybeSent } = read
  const gate = policyGate(projectId, {
    activity: 'social_post',
    now,
    target: platform,
    isSettled: maybeSent,
    isApproved: isApproved(id),
  })
  const claimed = update(
    'claimed',
    socialPosts,
    {
      status: 'publishing',
      leaseUntil: lease,
      maybeSent: true,
      updatedAt: now,
    },
    {
      from: [gate.allowed],
      where: asRead({ id, read }, now),
      returning: { id: socialPosts.id },
    },
  )
  return statement({
    unaudited: 'what an attempt did is written to the audit log when it ends',
    parts: [gate.parts, claimed],
    answer: { id: claimed.c.id, rule: gate.rule },
    answerFrom: gate.answerBeside(claimed),
  })
}

/** Asks a person whether a post may go out; it is a draft until then. No row: it is not as it was read. */
export const askAboutPost = (ctx: Ctx, proposal: Proposal, { id, read }: Pick<Claim, 'id' | 'read'>): SQL => {
  const now = ctx.now()
  const post = readRows(
    'waiting_post',
    socialPosts,
    { id: socialPosts.id },
    { where: asRead({ id, read }, now), lock: 'no key update' },
  )
  const question = askParts(ctx, proposal, { from: post })
  const waiting = update(
    'left_post',
    socialPosts,
    { status: 'draft', error: WAITS.needs_approval, approvalId: question.id, leaseUntil: null, updatedAt: now },
    { from: [post], where: eq(socialPosts.id, post.c.id) },
  )
  return statement({
    parts: [post, question.parts, waiting],
    audit: question.audit,
    answer: question.answer,
    answerFrom: question.answerFrom,
  })
}

/** The post while the attempt of this lease has it. */
const held = (id: number, lease: Date): SQL => sql`${and(eq(socialPosts.id, id), eq(socialPosts.leaseUntil, lease))}`

type Ending = {
  id: number
  accountId: number
  lease: Date
  changes: Changes<typeof socialPosts>
  action?: string
  detail?: Record<string, unknown>
}

/** Writes how an attempt ended; nothing when another took the post over. `after`: parts that follow from it. */
export const endAttempt = (
  ctx: Ctx,
  { id, accountId, lease, changes, action, detail = {} }: Ending,
  after: (ended: Part<'id' | 'guideStatus'>) => Parts = () => [],
): SQL => {
  const ended = update(
    'ended',
    socialPosts,
    { ...changes, leaseUntil: null, updatedAt: ctx.now() },
    { where: held(id, lease), returning: { id: socialPosts.id, guideStatus: socialPosts.guideStatus } },
  )
  const base = { parts: [ended, after(ended)], answer: { id: ended.c.id } }
  if (action === undefined) return statement({ ...base, unaudited: 'nothing is out, and it is looked at again' })
  return statement({
    ...base,
    audit: audit(ctx, { of: ended, account: accountId, action, on: ['social_post', ended.c.id], detail }),
  })
}

/** Ends a post that can never go out, unless an attempt is under way. */
export const failPost = (ctx: Ctx, id: number, reason: string): SQL => {
  const now = ctx.now()
  const failed = update(
    'failed',
    socialPosts,
    { status: 'failed', error: reason, leaseUntil: null, updatedAt: now },
    {
      where: sql`${and(
        eq(socialPosts.id, id),
        inArray(socialPosts.status, ['scheduled', 'publishing']),
        or(isNull(socialPosts.leaseUntil), lte(socialPosts.leaseUntil, now)),
      )}`,
      returning: { id: socialPosts.id, accountId: socialPosts.accountId },
    },
  )
  return statement({
    parts: [failed],
    audit: audit(ctx, {
      of: failed,
      account: failed.c.accountId,
      action: 'social.failed',
      on: ['social_post', failed.c.id],
      detail: { reason },
    }),
    answer: { id: failed.c.id },
  })
}
