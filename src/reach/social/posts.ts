import type { WantedApproval } from '../../../schema/values/approvals.ts'
import { refusalOrQuestion } from '../../accounts/policy/refusal.ts'
import { refuseArchived } from '../../accounts/projects/archived.ts'
import { readPage } from '../../accounts/projects/scope.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import { ApiError, invalidInput } from '../../platform/lib/errors.ts'
import { dayIn, instantOf } from '../../platform/lib/time.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { Social } from './port.ts'
import { type Gated, removePost, SENDABLE, sendAgain } from './post-statements.ts'
import { onTheirWay, passed, postShown } from './present.ts'
import { type ProposedPost, postSubject, proposedPosts } from './proposal.ts'
import { listPostRows, type OwnedPost, postById } from './queries.ts'
import { misfit } from './rules.ts'
import type { ListPostsInput, PublishPostInput } from './schemas.ts'

const PAGE = { default: 50, max: 200 }

/** The account's posts. Throws 404 and 403 for a project that is not the account's. */
export const listPosts = (ctx: Ctx, input: ListPostsInput) =>
  readPage(ctx, input, PAGE, (owner, paging) => listPostRows(ctx.db, owner, input, paging))

/** A post of the account. Throws 404, 403. */
export const loadPost = async (ctx: Ctx, id: number): Promise<OwnedPost> => {
  const [rows] = await ctx.read((owner) => [postById(ctx.db, owner, id)])
  return owned(rows[0] && { row: rows[0], mine: rows[0].mine }, 'post')
}

/** Returns what a person is asked about a saved post. */
export const wantedPost = (
  post: Omit<ProposedPost, 'account'> & Pick<OwnedPost, 'id' | 'projectId' | 'socialAccountId'>,
  scheduledFor: Date | null,
): WantedApproval => ({
  kind: 'social_post',
  projectId: post.projectId,
  subject: postSubject(post.id),
  ...proposedPosts([{ ...post, account: post.socialAccountId }], scheduledFor),
})

/** Returns the day of a date that was given as a day. The date that answers show, sent back, changes nothing. */
const dayOf = (post: OwnedPost, given: string | null, scheduledFor: Date | null): string | null => {
  if (given === null || scheduledFor === null) return null
  return scheduledFor.getTime() === post.scheduledFor?.getTime() ? (post.scheduledDay ?? dayIn(given)) : dayIn(given)
}

/** `how`: what keeps it, where its state does not say so by itself. */
const moved = (status: string, what: string, how = status): ApiError =>
  new ApiError('invalid_transition', `A post that is ${how} cannot be ${what}.`, { status })

/**
 * Publishes a draft or a scheduled post, or tries a failed one again, now or at a time. Throws 400, 404, 403, 409 for a post
 * that is out or on its way.
 */
export const publishPost = async (ctx: Ctx, social: Social, id: number, input: PublishPostInput) => {
  const post = await loadPost(ctx, id)
  if (!SENDABLE.includes(post.status)) throw moved(post.status, 'published again')
  refuseArchived(post.projectId, post.projectStatus)
  const content = input.content ?? post.content
  const wrong = misfit(post.platform, { content, link: post.link, media: post.mediaFiles })
  if (wrong) throw invalidInput([{ field: 'content', message: wrong }])
  if (input.content !== undefined && post.maybeSent && content !== post.content)
    throw new ApiError(
      'invalid_transition',
      'It is not known whether this post went out, so its text cannot be changed. Publish it as it is; it is looked up first.',
      { status: post.status },
    )
  const now = ctx.now()
  const date = input.scheduled_for ? instantOf(input.scheduled_for, post.timezone, post.publishTime) : null
  const scheduledFor = date && date > now ? date : null
  const scheduledDay = dayOf(post, input.scheduled_for ?? null, scheduledFor)
  // A network that cannot be asked is sent to again: the caller has looked.
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
        ? `${passed(date)}${onTheirWay(post.projectId, [id])}`
        : `The post goes out at ${scheduledFor.toISOString()}.`,
  }
  const account = await ctx.account()
  const sending = {
    accountId: account.id,
    projectId: post.projectId,
    platform: post.platform,
    id,
    read: post,
    content,
    scheduledFor,
    scheduledDay,
    maybeSent: post.maybeSent && canAsk,
    sendKey: content === post.content ? undefined : ctx.newId(),
  }
  const [sent] = await ctx.write<Gated>(sendAgain(ctx, sending, answer))
  if (sent?.rule)
    throw await refusalOrQuestion(ctx, post.projectId, sent.rule, 'social_post', () => ({
      ...wantedPost({ ...post, content }, scheduledFor),
      body: { ...input, content },
    }))
  if (!sent?.id) throw moved('publishing', 'published again', 'on its way')
  ctx.defer(ctx.wakeQueue())
  return answer
}

/** Removes a post that is not out. Throws 404, 403, 409 for one that is out, on its way, or may have gone out. */
export const deletePost = async (ctx: Ctx, id: number) => {
  const post = await loadPost(ctx, id)
  if (!SENDABLE.includes(post.status)) throw moved(post.status, 'removed')
  if (post.maybeSent) throw moved(post.status, 'removed', 'perhaps out')
  const account = await ctx.account()
  const [gone] = await ctx.write(removePost(ctx, account.id, id))
  if (!gone) throw moved('publishing', 'removed', 'on its way')
  return { post_id: id, deleted: true as const, message: 'The post was removed. Nothing of it went out.' }
}
