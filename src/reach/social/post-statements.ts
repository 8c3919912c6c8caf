import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { socialPosts } from '../../../schema/social.ts'
import type { PolicyRule } from '../../../schema/values/policy.ts'
import type { GuideConfig, PostStatus, SocialPlatform } from '../../../schema/values/social.ts'
import { endQuestions } from '../../accounts/approvals/parts.ts'
import { approvalOf, openGate, policyGate } from '../../accounts/policy/parts.ts'
import { postJob } from '../../accounts/projects/jobs.ts'
import { audit } from '../../platform/db/audit.ts'
import type { Part } from '../../platform/db/part.ts'
import { ONE_ROW, statement } from '../../platform/db/statement.ts'
import { insert, type NewRow, remove, update } from '../../platform/db/write-parts.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { postSubject } from './proposal.ts'
import { samePost } from './queries.ts'

type NewPost = Pick<
  NewRow<typeof socialPosts>,
  'route' | 'socialAccountId' | 'content' | 'link' | 'mediaFiles' | 'options' | 'sendKey'
> & { id: number; platform: SocialPlatform; guide: GuideConfig | null; guideStatus: 'scheduled' | 'disabled' | null }

type NewPosts = {
  accountId: number
  projectId: number
  scheduledFor: Date | null
  scheduledDay: string | null
  status: NewStatus
  posts: readonly NewPost[]
  /** The same post may go out twice. */
  allowsSame: boolean
}

/** First state of a post. */
export type NewStatus = 'draft' | 'scheduled' | 'publishing'

const NEW_ACTIONS = { draft: 'social.draft', scheduled: 'social.schedule', publishing: 'social.publish' } as const

/** The status of a post that is to go out, now or on its date. */
export const statusOf = (scheduledFor: Date | null): 'scheduled' | 'publishing' =>
  scheduledFor === null ? 'publishing' : 'scheduled'

/** Parts that have each of these posts published at an instant. */
const bringOut = (made: readonly Part<'id'>[], account: number, runAt: Date) =>
  made.map((of, n) =>
    postJob.enqueue({ from: of, account, payload: { post_id: of.c.id }, runAt, open: 'keep', name: `queued_${n}` }),
  )

/**
 * Returns the part that asks the policy about posts. Those of a later date need a person's approval now, and its other rules are asked
 * on that date.
 */
const postGate = (
  ctx: Ctx,
  projectId: number,
  status: NewStatus,
  target: readonly SocialPlatform[],
  subject?: string,
) => {
  const now = ctx.now()
  if (status === 'draft') return openGate()
  const isLater = status === 'scheduled'
  return policyGate(projectId, { activity: 'social_post', now, target, isLater, ...approvalOf(ctx, now, subject) })
}

/** A claim that answers how it ended: the row's id, and the rule of the policy that forbids it. */
export type Gated = { id: number | null; rule: PolicyRule | null }

/** First key of the advisory lock under which a project's new posts are saved one after the other. */
const NEW_POSTS_OF_PROJECT = sql.raw('1014')

/** Returns the lock that is taken before posts are saved, so that the statement sees the posts of calls before it. */
export const newPostsLock = (projectId: number): SQL[] => [
  sql`select pg_advisory_xact_lock(${NEW_POSTS_OF_PROJECT}, ${projectId}::int)`,
]

/**
 * Saves posts and has each published, now or on its date; drafts wait until they are published by a call.
 *
 * No id if a rule of the policy forbids them now. No id either if one of them was published already, and the call has no
 * Idempotency-Key, which would mean that it is another.
 */
export const savePosts = (
  ctx: Ctx,
  { accountId, projectId, scheduledFor, scheduledDay, status, posts, allowsSame }: NewPosts,
  answer: object,
): SQL => {
  const now = ctx.now()
  const same = samePost(projectId, posts, scheduledFor ?? now, now)
  const isChecked = !allowsSame && !ctx.keep.isAsked() && status !== 'draft'
  const where = isChecked ? { where: sql`not exists (${same})` } : {}
  const gate = postGate(
    ctx,
    projectId,
    status,
    posts.map(({ platform }) => platform),
  )
  const made = posts.map((post, n) => {
    const row = {
      ...post,
      accountId,
      projectId,
      status,
      scheduledFor,
      scheduledDay,
      approvalId: ctx.approval ?? null,
      createdAt: now,
      updatedAt: now,
    }
    return insert(`made_${n}`, socialPosts, row, { from: [gate.allowed], ...where, returning: { id: socialPosts.id } })
  })
  const [first] = made
  if (!first) throw new Error('no post to save')
  const queued = bringOut(made, accountId, scheduledFor ?? now)
  return statement({
    parts: [gate.parts, made, status !== 'draft' && queued, ctx.keep.answer([first], answer)],
    audit: made.map((of, n) =>
      audit(ctx, {
        of,
        account: accountId,
        action: NEW_ACTIONS[status],
        on: ['social_post', of.c.id],
        detail: { platform: posts[n]?.platform ?? '', account: posts[n]?.socialAccountId ?? '' },
        name: `audited_${n}`,
      }),
    ),
    answer: { id: first.c.id, rule: gate.rule },
    answerFrom: gate.answerBeside(first),
  })
}

type Drafts = {
  accountId: number
  projectId: number
  articleId: number
  goesOut: boolean
  posts: readonly Omit<NewPost, 'id' | 'guide' | 'guideStatus'>[]
}

/** Saves posts about an article, those that are not there yet; those that go out at once are published. */
export const saveDrafts = (ctx: Ctx, { accountId, projectId, articleId, goesOut, posts }: Drafts): SQL => {
  const now = ctx.now()
  const made = posts.map((post, n) =>
    insert(
      `made_${n}`,
      socialPosts,
      {
        ...post,
        accountId,
        projectId,
        articleId,
        status: goesOut ? ('publishing' as const) : ('draft' as const),
        createdAt: now,
        updatedAt: now,
      },
      {
        onConflict: { columns: [socialPosts.articleId, socialPosts.socialAccountId] },
        returning: { id: socialPosts.id },
      },
    ),
  )
  const queued = bringOut(made, accountId, now)
  return statement({
    parts: [made, goesOut && queued],
    audit: made.map((of, n) =>
      audit(ctx, {
        of,
        account: accountId,
        action: goesOut ? 'social.publish' : 'social.draft',
        on: ['social_post', of.c.id],
        detail: { article_id: articleId },
        name: `audited_${n}`,
      }),
    ),
    answer: { made: sql`1` },
    answerFrom: ONE_ROW,
  })
}

const ofAccount = (accountId: number, id: number, states: readonly PostStatus[]) =>
  and(eq(socialPosts.id, id), eq(socialPosts.accountId, accountId), inArray(socialPosts.status, [...states]))

/** States a post can be sent from by hand, and those it can be removed in: it is not out, and nothing is under way. */
export const SENDABLE: readonly PostStatus[] = ['draft', 'scheduled', 'failed']

type Sending = {
  accountId: number
  projectId: number
  platform: SocialPlatform
  id: number
  /** The post as it was read. */
  read: { status: PostStatus; maybeSent: boolean }
  content: string
  scheduledFor: Date | null
  scheduledDay: string | null
  /** True if a request may have arrived before: it is looked up first. */
  maybeSent: boolean
  /** Its new name: with other words it is another post, also at a provider that has the one before and would try that again. */
  sendKey: string | undefined
}

/** Sends a post that waits, as if asked for now; no id when a rule of the policy forbids it, or it moved on meanwhile. */
export const sendAgain = (
  ctx: Ctx,
  { accountId, projectId, platform, id, read, content, scheduledFor, scheduledDay, maybeSent, sendKey }: Sending,
  answer: object,
): SQL => {
  const now = ctx.now()
  const status = statusOf(scheduledFor)
  const gate = postGate(ctx, projectId, status, [platform], postSubject(id))
  const sent = update(
    'sent',
    socialPosts,
    {
      content,
      scheduledFor,
      scheduledDay,
      status,
      error: null,
      maybeSent,
      attempts: 0,
      lookups: 0,
      leaseUntil: null,
      approvalId: ctx.approval ?? null,
      updatedAt: now,
      ...(sendKey === undefined ? {} : { sendKey, remoteId: null, networkId: null }),
    },
    {
      from: [gate.allowed],
      where: sql`${and(ofAccount(accountId, id, [read.status]), eq(socialPosts.maybeSent, read.maybeSent))}`,
      returning: { id: socialPosts.id },
    },
  )
  const queued = postJob.enqueue({
    from: sent,
    account: accountId,
    payload: { post_id: sent.c.id },
    runAt: scheduledFor ?? now,
    open: 'move',
  })
  return statement({
    parts: [
      gate.parts,
      sent,
      queued,
      endQuestions(ctx, sent, postSubject(id), accountId),
      ctx.keep.answer([sent], answer),
    ],
    audit: audit(ctx, {
      of: sent,
      account: accountId,
      action: scheduledFor === null ? 'social.publish' : 'social.schedule',
      on: ['social_post', sent.c.id],
    }),
    answer: { id: sent.c.id, rule: gate.rule },
    answerFrom: gate.answerBeside(sent),
  })
}

/** Removes a post that is not out. A request whose outcome is not known keeps it. */
export const removePost = (ctx: Ctx, accountId: number, id: number): SQL => {
  const gone = remove('gone', socialPosts, {
    where: sql`${ofAccount(accountId, id, SENDABLE)} and not ${socialPosts.maybeSent}`,
    returning: { id: socialPosts.id },
  })
  return statement({
    parts: [gone, postJob.finish(gone, ctx.now()), endQuestions(ctx, gone, postSubject(id), accountId)],
    audit: audit(ctx, { of: gone, account: accountId, action: 'social.delete', on: ['social_post', gone.c.id] }),
    answer: { id: gone.c.id },
  })
}
