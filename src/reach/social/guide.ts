import { and, eq, exists, type SQL, sql } from 'drizzle-orm'
import { oneOf } from '../../../schema/columns.ts'
import { socialPosts } from '../../../schema/social.ts'
import type { PolicyRule } from '../../../schema/values/policy.ts'
import type { GuideConfig, PostStatus } from '../../../schema/values/social.ts'
import { endQuestions } from '../../accounts/approvals/writes.ts'
import { approvalOf, ruleOf } from '../../accounts/policy/parts.ts'
import { refusalOrQuestion } from '../../accounts/policy/read.ts'
import { lockProject } from '../../accounts/projects/writes.ts'
import { audit } from '../../platform/db/writes.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { ApiError, invalidInput } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { guideFrom, guideMisfit } from './input-rules.ts'
import { guideJob } from './jobs.ts'
import type { ChangeGuideInput } from './operations.ts'
import { loadPost } from './posts.ts'
import { postShown, postSubject, proposedGuide } from './present.ts'
import type { OwnedPost } from './queries.ts'
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
  scheduled: () => 'The rule is set up when the post is out.',
  pending: (id: number) => `The rule is being set up. GET /social/posts/${id} says when it is active.`,
  disabled: () => 'Commenters are not answered any more.',
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
): Promise<{ changed: Changed | undefined; rule: PolicyRule | null }> => {
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
  const [, , [policy], , , , , , [changed]] = await ctx.batch([
    lockProject(ctx.db, projectId),
    post().for('no key update'),
    asked,
    enqueue(
      guideJob,
      { post_id: id },
      { if: exists(post(eq(socialPosts.status, 'published'))), account: accountId, runAt: now, open: 'move' },
    ),
    ...endQuestions(ctx, postSubject(id), accountId, canChange),
    audit(ctx, {
      account: accountId,
      action: 'social.comment_for_guide',
      on: ['social_post', id],
      detail: sql`jsonb_build_object('status', ${guideStatus})`,
      from: sql`${socialPosts}`,
      if: sql`${which}`,
    }),
    ctx.db
      .update(socialPosts)
      .set({ guide, guideStatus, guideError: null, updatedAt: now })
      .where(which)
      .returning({ status: socialPosts.status, guideStatus: socialPosts.guideStatus }),
  ])
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
    return { post: postShown(post), message: 'The post has no rule; nothing was changed.' }
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
