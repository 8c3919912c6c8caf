import type { PolicyRule } from '../../../schema/values/policy.ts'
import type { GuideConfig } from '../../../schema/values/social.ts'
import { refusalOrQuestion } from '../../accounts/policy/refusal.ts'
import { ApiError, invalidInput } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { guideFrom, guideMisfit } from './guide-rules.ts'
import { changeGuide, guideSubject } from './guide-statements.ts'
import { loadPost } from './posts.ts'
import { postShown } from './present.ts'
import { proposedGuide } from './proposal.ts'
import type { OwnedPost } from './queries.ts'
import { NETWORKS } from './rules.ts'
import type { ChangeGuideInput } from './schemas.ts'

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

type Changed = { status: OwnedPost['status'] | null; guideStatus: keyof typeof MESSAGES; rule: PolicyRule | null }

/**
 * Sets, changes or stops the rule that answers a post's commenters. Throws 400 for a rule the network cannot have, 404, 403,
 * 409 for a post that failed.
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
  const [changed] = await ctx.write<Changed>(
    changeGuide(ctx, { accountId: account.id, projectId, platform, id, guide, isWanted }),
  )
  if (changed?.status === null && changed.rule)
    throw await refusalOrQuestion(ctx, projectId, changed.rule, 'comment_guide', () => ({
      kind: 'comment_guide',
      projectId,
      subject: guideSubject(id),
      target: `${NETWORKS[platform].name}, ${post.socialAccountId}`,
      proposed: proposedGuide(guide, post),
      body: { is_comment_for_guide: true, comment_for_guide_config: guide },
    }))
  if (!changed?.status) throw new ApiError('not_found', 'The post does not exist.')
  const { guideStatus } = changed
  if (changed.status === 'published') ctx.defer(ctx.wakeQueue())
  const shown = { ...post, guide, guideStatus, guideError: null, updatedAt: ctx.now() }
  return { post: postShown(shown), message: MESSAGES[guideStatus](id) }
}
