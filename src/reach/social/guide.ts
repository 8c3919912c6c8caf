import { and, eq, exists, type SQL, sql } from 'drizzle-orm'
import { oneOf } from '../../../schema/columns.ts'
import { socialPosts } from '../../../schema/social.ts'
import type { GuideConfig, GuideStatus, PostStatus } from '../../../schema/values/social.ts'
import { endQuestions } from '../../accounts/approvals/writes.ts'
import { approvalOf, ruleOf } from '../../accounts/policy/parts.ts'
import { askPolicy, obstacleReason, refusalOrQuestion } from '../../accounts/policy/read.ts'
import { askAgainAt, mayPassLater, type Obstacle } from '../../accounts/policy/rules.ts'
import { lockProject } from '../../accounts/projects/writes.ts'
import { audit } from '../../platform/db/writes.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { type JobResult, shownReason } from '../../platform/jobs/job.ts'
import { ApiError, invalidInput } from '../../platform/lib/errors.ts'
import { storableText } from '../../platform/lib/text.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { guideFrom, guideMisfit } from './input-rules.ts'
import { guideJob } from './jobs.ts'
import type { ChangeGuideInput } from './operations.ts'
import type { Got, GuideRule, GuideRules, GuideTarget, Social } from './port.ts'
import { loadPost } from './posts.ts'
import { postShown, postSubject, proposedGuide } from './present.ts'
import { type OwnedPost, type PostToSend, postToSend } from './queries.ts'
import { NETWORKS } from './rules.ts'

const configOf = (post: OwnedPost, input: ChangeGuideInput): GuideConfig => {
  const { comment_for_guide_config: given } = input
  const config = given ? guideFrom(given, post.guide ?? undefined) : post.guide
  if (!config)
    throw invalidInput([{ field: 'comment_for_guide_config', message: 'is required: this post has no rule yet' }])
  const wrong = guideMisfit(post.platform, config)
  if (wrong) throw invalidInput([wrong])
  return config
}

const MESSAGES = {
  scheduled: () => 'The rule is set up after the post is published.',
  pending: (id: number) => `The rule is being set up. GET /social/posts/${id} shows when it is active.`,
  disabled: () => 'Comments are no longer answered.',
}

/** Returns the subject of questions to a person about the rule of a post. */
const guideSubject = (id: number): string => `comment_guide:${id}`

type Change = { guide: GuideConfig; isWanted: boolean }
type Changed = { status: PostStatus; guideStatus: keyof typeof MESSAGES }

/**
 * Sets a post's rule for answering commenters. If the post is out, it queues the job that applies the rule.
 *
 * Returns the states of both, and the rule of the policy that forbids it. The rule of a draft is approved with the post.
 */
const changeGuide = async (
  ctx: Ctx,
  accountId: number,
  { id, projectId, platform }: OwnedPost,
  { guide, isWanted }: Change,
): Promise<{ changed: Changed | undefined; rule: Obstacle | null }> => {
  const now = ctx.now()
  const asked = ruleOf(projectId, {
    activity: 'comment_guide',
    now,
    target: platform,
    isSettled: !isWanted,
    ...approvalOf(ctx, now, guideSubject(id)),
  })
  const which = and(
    eq(socialPosts.id, id),
    eq(socialPosts.accountId, accountId),
    sql`exists (select 1 from (${asked}) policy where policy.rule is null or ${oneOf(socialPosts.status, ['draft', 'failed'])}
      or (${socialPosts.status} <> 'published' and policy.rule <> 'needs_approval'))`,
  )
  const post = (more?: SQL) => ctx.db.select({ id: socialPosts.id }).from(socialPosts).where(and(which, more))
  const canChange = exists(post())
  const guideStatus = isWanted
    ? sql`case when ${socialPosts.status} = 'published' then 'pending' else 'scheduled' end`
    : sql`'disabled'`
  const {
    asked: [policy],
    changed: [changed],
  } = await ctx.batch({
    project: lockProject(ctx.db, projectId),
    post: post().for('no key update'),
    asked,
    guideJob: enqueue(
      guideJob,
      { post_id: id },
      { if: exists(post(eq(socialPosts.status, 'published'))), account: accountId, runAt: now, open: 'move' },
    ),
    endQuestions: endQuestions(ctx, postSubject(id), accountId, canChange),
    audit: audit(ctx, {
      account: accountId,
      action: 'social.comment_for_guide',
      on: ['social_post', id],
      detail: sql`jsonb_build_object('status', ${guideStatus})`,
      from: sql`${socialPosts}`,
      if: sql`${which}`,
    }),
    changed: ctx.db
      .update(socialPosts)
      .set({ guide, guideStatus, guideError: null, updatedAt: now })
      .where(which)
      .returning({ status: socialPosts.status, guideStatus: socialPosts.guideStatus }),
  })
  return { changed: changed as Changed | undefined, rule: policy?.rule ?? null }
}

/**
 * Sets, changes or stops the rule that answers a post's commenters.
 *
 * Throws 400 for a rule that the network does not support, 404, 403, 409 for a post that failed.
 */
export const setGuide = async (ctx: Ctx, id: number, input: ChangeGuideInput) => {
  const post = await loadPost(ctx, id)
  const { is_comment_for_guide: isAsked = true, comment_for_guide_config: given } = input
  const isWanted = isAsked && given?.is_active !== false
  if (isWanted && post.status === 'failed')
    throw new ApiError('invalid_transition', 'A post that failed has no comments to answer.', { status: post.status })
  if (!isAsked && post.guide === null)
    return { post: postShown(post), message: 'The post has no rule. Nothing was changed.' }
  const guide = isAsked || given ? configOf(post, input) : (post.guide as GuideConfig)
  const account = await ctx.account()
  const { projectId, platform } = post
  const { changed, rule } = await changeGuide(ctx, account.id, post, { guide, isWanted })
  if (!changed && rule !== null)
    throw await refusalOrQuestion(ctx, projectId, rule, 'comment_guide', () => ({
      kind: 'comment_guide',
      projectId,
      subject: guideSubject(id),
      target: `${NETWORKS[platform].name}, ${post.socialAccountId}`,
      proposed: proposedGuide(guide, post),
      body: { is_comment_for_guide: true, comment_for_guide_config: guide },
    }))
  if (!changed) throw new ApiError('not_found', 'The post does not exist.')
  const { guideStatus } = changed
  if (changed.status === 'published') ctx.defer(ctx.wakeQueue())
  const shown = { ...post, guide, guideStatus, guideError: null, updatedAt: ctx.now() }
  return { post: postShown(shown), message: MESSAGES[guideStatus](id) }
}

const DONE: JobResult = { kind: 'done' }

type Guided = PostToSend & { guide: NonNullable<PostToSend['guide']> }

type Result = { status: GuideStatus; error: string | null; remoteId: string | null }

/** Records the state of the rule. Returns false if the wanted rule changed since it was read. */
const endGuide = async (
  ctx: Ctx,
  { id, guide, guideStatus }: Pick<Guided, 'id' | 'guide' | 'guideStatus'>,
  { status, error, remoteId }: Result,
): Promise<boolean> => {
  const isAsRead = sql`${socialPosts.guide} = ${JSON.stringify(guide)}::jsonb
    and ${socialPosts.guideStatus} is not distinct from ${guideStatus}`
  const { ended } = await ctx.batch(
    {
      ended: ctx.db
        .update(socialPosts)
        .set({ guideStatus: status, guideError: error, guideRemoteId: remoteId, updatedAt: ctx.now() })
        .where(and(eq(socialPosts.id, id), isAsRead))
        .returning({ id: socialPosts.id }),
    },
    { unaudited: 'asking for the rule was audited' },
  )
  return ended.length > 0
}

const finish = async (ctx: Ctx, post: Guided, result: Result): Promise<JobResult> => {
  // If the wanted rule changed, the job runs again.
  return (await endGuide(ctx, post, result)) ? DONE : { kind: 'later', at: new Date(ctx.now().getTime() + 1_000) }
}

const later = (ctx: Ctx, { reason, retryAfterS }: { reason: string; retryAfterS?: number }): JobResult =>
  retryAfterS === undefined
    ? { kind: 'again', reason: storableText(reason) }
    : { kind: 'later', at: new Date(ctx.now().getTime() + retryAfterS * 1_000) }

const stopRule = async (
  ctx: Ctx,
  rules: GuideRules,
  post: Guided,
  found: GuideRule | undefined,
): Promise<JobResult> => {
  if (found?.isActive) {
    const stopped = await rules.stop(found.id)
    if (stopped.kind === 'refused') {
      if (stopped.retryable) return later(ctx, stopped)
      return await finish(ctx, post, { status: 'failed', error: storableText(stopped.reason), remoteId: found.id })
    }
  }
  return await finish(ctx, post, { status: 'disabled', error: null, remoteId: found?.id ?? null })
}

/** Returns the state of a rule after it was set up. Only a rule that was read back is active. */
const verified = (read: Got<GuideRule | undefined>, id: string): Result => {
  if (read.kind === 'refused')
    return {
      status: 'unverified',
      error: `The rule was set up, but could not be read back: ${storableText(read.reason)}`,
      remoteId: id,
    }
  if (!read.value?.matches)
    return { status: 'unverified', error: 'The rule was set up, but the provider shows another one.', remoteId: id }
  return read.value.isActive
    ? { status: 'active', error: null, remoteId: read.value.id }
    : { status: 'disabled', error: 'The provider has the rule switched off.', remoteId: read.value.id }
}

/**
 * Sets up, changes or stops the rule that answers a post's commenters, and reads it back.
 *
 * It first looks for a rule that an earlier attempt may have left, so that there is never a second one.
 */
export const runGuide = async (ctx: Ctx, social: Social, id: number): Promise<JobResult> => {
  const rows = await ctx.read(() => postToSend(ctx.db, id))
  const post = rows[0]
  if (!post || post.guide === null || post.status !== 'published') return DONE
  const guided: Guided = { ...post, guide: post.guide }
  const { provider } = social
  const { profileId, networkId } = post
  if (!provider || post.route === 'direct' || profileId === null || networkId === null)
    return await finish(ctx, guided, {
      status: post.guideStatus === 'disabled' ? 'disabled' : 'failed',
      error: `Comments of this ${NETWORKS[post.platform].name} account cannot be answered by a rule: connect it through the provider.`,
      remoteId: null,
    })
  const target: GuideTarget = {
    name: `galley-${post.sendKey}`,
    profileId,
    accountId: post.socialAccountId,
    platform: post.platform,
    networkId,
  }
  const { projectId, platform } = post
  const rule = await askPolicy(ctx, projectId, { activity: 'comment_guide', target: platform, isSettled: true })
  if (rule !== null) {
    if (mayPassLater(rule)) return { kind: 'later', at: askAgainAt(ctx.now(), ctx.settings.retryTimeScale) }
    const error = await obstacleReason(ctx, projectId, rule)
    return await finish(ctx, guided, { status: 'failed', error, remoteId: post.guideRemoteId })
  }
  const { guides } = provider
  const found = await guides.find(target, guided.guide)
  if (found.kind === 'refused') {
    if (found.retryable) return later(ctx, found)
    return await finish(ctx, guided, { status: 'failed', error: storableText(found.reason), remoteId: null })
  }
  if (post.guideStatus === 'disabled') return await stopRule(ctx, guides, guided, found.value)
  if (found.value?.matches && found.value.isActive) return await finish(ctx, guided, verified(found, found.value.id))
  const made = found.value ? await guides.change(found.value.id, guided.guide) : await guides.make(target, guided.guide)
  if (made.kind === 'refused') {
    if (made.retryable) return later(ctx, made)
    return await finish(ctx, guided, {
      status: 'failed',
      error: storableText(made.reason),
      remoteId: found.value?.id ?? null,
    })
  }
  return await finish(ctx, guided, verified(await guides.find(target, guided.guide), made.value))
}

/** Records that a rule could not be set up after many attempts, or because its account is closed. */
export const giveUpGuide = async (ctx: Ctx, id: number, reason: string): Promise<void> => {
  const rows = await ctx.read(() => postToSend(ctx.db, id))
  const post = rows[0]
  if (!post?.guide) return
  const error = shownReason(reason, 'Setting up the rule failed many times.')
  await endGuide(ctx, { ...post, guide: post.guide }, { status: 'failed', error, remoteId: post.guideRemoteId })
}
