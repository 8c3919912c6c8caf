import { and, eq, sql } from 'drizzle-orm'
import { socialPosts } from '../../../schema/social.ts'
import type { GuideStatus } from '../../../schema/values/social.ts'
import { askPolicy, readPolicy, reasonOf } from '../../accounts/policy/read.ts'
import { askAgainAt, mayPassLater } from '../../accounts/policy/rules.ts'
import type { JobResult } from '../../platform/jobs/handler.ts'
import { storableText } from '../../platform/lib/text.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { Got, GuideRule, GuideRules, GuideTarget, Social } from './port.ts'
import { type PostToSend, postToSend } from './queries.ts'
import { NETWORKS } from './rules.ts'

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
  const [ended] = await ctx.batch(
    [
      ctx.db
        .update(socialPosts)
        .set({ guideStatus: status, guideError: error, guideRemoteId: remoteId, updatedAt: ctx.now() })
        .where(and(eq(socialPosts.id, id), isAsRead))
        .returning({ id: socialPosts.id }),
    ],
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
  const [rows] = await ctx.read(() => [postToSend(ctx.db, id)])
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
    const error = reasonOf(rule, await readPolicy(ctx, projectId))
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

/** Records that a rule could not be set up after many attempts. */
export const giveUpGuide = async (ctx: Ctx, id: number): Promise<void> => {
  const [rows] = await ctx.read(() => [postToSend(ctx.db, id)])
  const post = rows[0]
  if (!post?.guide) return
  const error = 'The rule could not be set up although it was tried many times.'
  await endGuide(ctx, { ...post, guide: post.guide }, { status: 'failed', error, remoteId: post.guideRemoteId })
}
