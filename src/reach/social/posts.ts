import { and, eq, exists, inArray, type SQL } from 'drizzle-orm'
import { socialPosts } from '../../../schema/social.ts'
import type { WantedApproval } from '../../../schema/values/approvals.ts'
import type { PostStatus } from '../../../schema/values/social.ts'
import { endQuestions } from '../../accounts/approvals/writes.ts'
import { approvalOf, policyAllows, ruleOf } from '../../accounts/policy/parts.ts'
import { refusalOrQuestion } from '../../accounts/policy/read.ts'
import type { Obstacle } from '../../accounts/policy/rules.ts'
import { postJob } from '../../accounts/projects/jobs.ts'
import { readPage, refuseArchived } from '../../accounts/projects/scope.ts'
import { lockProject } from '../../accounts/projects/writes.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import { when } from '../../platform/db/steps.ts'
import { audit } from '../../platform/db/writes.ts'
import { enqueue, finishJob } from '../../platform/jobs/enqueue.ts'
import { ApiError, invalidInput } from '../../platform/lib/errors.ts'
import { strippedOfMarks } from '../../platform/lib/model-marks.ts'
import { dayIn, instantOf } from '../../platform/lib/time.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { statusOf } from './new-posts.ts'
import type { ListPostsInput, PublishPostInput } from './operations.ts'
import type { Social } from './port.ts'
import {
  dateInWords,
  type ProposedPost,
  passed,
  pendingPostsText,
  postShown,
  postSubject,
  proposedPosts,
} from './present.ts'
import { listPostRows, type OwnedPost, postById } from './queries.ts'
import { misfit } from './rules.ts'

const PAGE = { default: 50, max: 200 }

/** States in which a post can be sent by hand or removed: it is not out, and no attempt is under way. */
const SENDABLE: readonly PostStatus[] = ['draft', 'scheduled', 'failed']

/** Returns the account's posts. Throws 404 and 403 for a project that is not the account's. */
export const listPosts = (ctx: Ctx, input: ListPostsInput) =>
  readPage(ctx, input, PAGE, (owner, paging) => listPostRows(ctx.db, owner, input, paging))

/** Returns a post of the account. Throws 404, 403. */
export const loadPost = async (ctx: Ctx, id: number): Promise<OwnedPost> => {
  const rows = await ctx.read((owner) => postById(ctx.db, owner, id))
  return owned(rows[0] && { row: rows[0], mine: rows[0].mine }, 'post')
}

/** Returns the question to a person about a saved post. */
export const wantedPost = (
  post: Omit<ProposedPost, 'account'> & Pick<OwnedPost, 'id' | 'projectId' | 'socialAccountId'>,
  goesOut: string | null,
): WantedApproval => ({
  kind: 'social_post',
  projectId: post.projectId,
  subject: postSubject(post.id),
  ...proposedPosts([{ ...post, account: post.socialAccountId }], goesOut),
})

/** Returns the day of a date that was given as a day. Sending back the date of an answer changes nothing. */
const dayOf = (post: OwnedPost, given: string | null, scheduledFor: Date | null): string | null => {
  if (given === null || scheduledFor === null) return null
  return scheduledFor.getTime() === post.scheduledFor?.getTime() ? (post.scheduledDay ?? dayIn(given)) : dayIn(given)
}

/** Returns the error for a post whose state does not allow a change. `how` gives the reason if the state does not show it. */
const moved = (status: string, what: string, how = status): ApiError =>
  new ApiError('invalid_transition', `A post that is ${how} cannot be ${what}.`, { status })

const postThat = ({ db }: Ctx, which: SQL | undefined) =>
  db.select({ id: socialPosts.id }).from(socialPosts).where(which)

/** Changes of a post that is sent again. A new text makes it another post, also at a provider that has the earlier one. */
type Sending = {
  content: string
  scheduledFor: Date | null
  scheduledDay: string | null
  maybeSent: boolean
  sendKey?: string | undefined
  remoteId?: null | undefined
  networkId?: null | undefined
}

/** Sends a waiting post like a new one. It is not sent if a rule of the policy forbids it, or it changed since it was read. */
const sendAgain = async (
  ctx: Ctx,
  accountId: number,
  { id, projectId, platform, ...read }: OwnedPost,
  changes: Sending,
  answer: object,
): Promise<{ isSent: boolean; rule: Obstacle | null }> => {
  const now = ctx.now()
  const { approval } = ctx
  const { scheduledFor } = changes
  const status = statusOf(scheduledFor)
  // For a later date, a person approves the post now, and the other rules are checked on that date.
  const call = {
    activity: 'social_post',
    now,
    target: platform,
    isLater: status === 'scheduled',
    ...approvalOf(ctx, now, postSubject(id)),
  } as const
  const asRead = and(
    eq(socialPosts.id, id),
    eq(socialPosts.accountId, accountId),
    eq(socialPosts.status, read.status),
    eq(socialPosts.maybeSent, read.maybeSent),
    policyAllows(projectId, call),
  )
  const canSend = exists(postThat(ctx, asRead))
  // Storing the answer of an approved call uses up the approval, which the change needs. So the answer is stored after the
  // change.
  const isApproved = approval !== undefined
  const isSent = exists(
    postThat(
      ctx,
      and(eq(socialPosts.id, id), eq(socialPosts.status, status), eq(socialPosts.approvalId, approval ?? 0)),
    ),
  )
  const kept = ctx.keepAnswer(answer)(isApproved ? isSent : canSend)
  const {
    post: [ready],
    rule: [policy],
  } = await ctx.batch({
    project: lockProject(ctx.db, projectId),
    post: postThat(ctx, asRead).for('no key update'),
    rule: ruleOf(projectId, call),
    ...when(canSend, {
      postJob: enqueue(postJob, { post_id: id }, { account: accountId, runAt: scheduledFor ?? now, open: 'move' }),
      audit: audit(ctx, {
        account: accountId,
        action: scheduledFor === null ? 'social.publish' : 'social.schedule',
        on: ['social_post', id],
      }),
      endQuestions: (isMet) => endQuestions(ctx, postSubject(id), accountId, isMet),
    }),
    keptBefore: !isApproved && kept,
    changed: ctx.db
      .update(socialPosts)
      .set({
        ...changes,
        status,
        error: null,
        attempts: 0,
        lookups: 0,
        leaseUntil: null,
        approvalId: approval ?? null,
        updatedAt: now,
      })
      .where(asRead),
    keptAfter: isApproved && kept,
  })
  return { isSent: ready !== undefined, rule: policy?.rule ?? null }
}

/**
 * Publishes a draft or a scheduled post, or tries a failed one again, now or at a time.
 *
 * Throws 400, 404, 403, 409 for a post that is out or on its way.
 */
export const publishPost = async (ctx: Ctx, social: Social, id: number, input: PublishPostInput) => {
  const post = await loadPost(ctx, id)
  if (!SENDABLE.includes(post.status)) throw moved(post.status, 'published again')
  refuseArchived(post.projectId, post.projectStatus)
  const { text: content, removed } = strippedOfMarks(input.content ?? post.content)
  const wrong = misfit(post.platform, { content, link: post.link, media: post.mediaFiles })
  if (wrong) throw invalidInput([{ field: 'content', message: wrong }])
  if (input.content !== undefined && post.maybeSent && content !== post.content)
    throw new ApiError(
      'invalid_transition',
      'It is not known whether this post went out, so its text cannot be changed. Publish it unchanged; the service looks it up first.',
      { status: post.status },
    )
  const now = ctx.now()
  const date = input.scheduled_for ? instantOf(input.scheduled_for, post.timezone, post.publishTime) : null
  const scheduledFor = date && date > now ? date : null
  const scheduledDay = dayOf(post, input.scheduled_for ?? null, scheduledFor)
  // If the network has no look-up, the post is sent again: the caller has checked that it is not out.
  const canAsk = post.route === 'provider' || social.direct[post.platform]?.find !== undefined
  const changed: OwnedPost = {
    ...post,
    content,
    scheduledFor,
    scheduledDay,
    status: scheduledFor === null ? 'publishing' : 'scheduled',
    error: null,
    updatedAt: now,
  }
  const answer = {
    post: postShown(changed),
    message:
      scheduledFor === null
        ? `${passed(date)}${pendingPostsText(post.projectId, [id])}`
        : `The post goes out at ${scheduledFor.toISOString()}.`,
    ...(removed.length > 0 ? { removed } : {}),
  }
  const account = await ctx.account()
  const renewed = content === post.content ? {} : { sendKey: ctx.newId(), remoteId: null, networkId: null }
  const changes = { content, scheduledFor, scheduledDay, maybeSent: post.maybeSent && canAsk, ...renewed }
  const { isSent, rule } = await sendAgain(ctx, account.id, post, changes, answer)
  if (!isSent && rule !== null)
    throw await refusalOrQuestion(ctx, post.projectId, rule, 'social_post', () => ({
      ...wantedPost({ ...post, content }, dateInWords(scheduledFor, post.timezone)),
      body: { ...input, content },
    }))
  if (!isSent) throw moved('publishing', 'published again', 'on its way')
  ctx.defer(ctx.wakeQueue())
  return answer
}

/** Removes a post that is not out. Throws 404, 403, 409 for one that is out, on its way, or may have gone out. */
export const deletePost = async (ctx: Ctx, id: number) => {
  const post = await loadPost(ctx, id)
  if (!SENDABLE.includes(post.status)) throw moved(post.status, 'removed')
  if (post.maybeSent) throw moved(post.status, 'removed', 'perhaps out')
  const { id: accountId } = await ctx.account()
  const isRemovable = and(
    eq(socialPosts.id, id),
    eq(socialPosts.accountId, accountId),
    inArray(socialPosts.status, [...SENDABLE]),
    eq(socialPosts.maybeSent, false),
  )
  const canRemove = exists(postThat(ctx, isRemovable))
  const { found } = await ctx.batch({
    found: postThat(ctx, isRemovable).for('update'),
    ...when(canRemove, {
      endedPostJob: finishJob(ctx.db, postJob, id, { now: ctx.now() }),
      endQuestions: (isMet) => endQuestions(ctx, postSubject(id), accountId, isMet),
      audit: audit(ctx, { account: accountId, action: 'social.delete', on: ['social_post', id] }),
    }),
    deletedSocialPosts: ctx.db.delete(socialPosts).where(isRemovable),
  })
  if (found.length === 0) throw moved('publishing', 'removed', 'on its way')
  return { post_id: id, deleted: true as const, message: 'The post was removed. Nothing of it went out.' }
}
