import { and, eq, type SQL, sql } from 'drizzle-orm'
import { socialPosts } from '../../../schema/social.ts'
import type { GuideConfig, GuideStatus, SocialPlatform } from '../../../schema/values/social.ts'
import { policyPart } from '../../accounts/policy/parts.ts'
import { audit } from '../../platform/db/audit.ts'
import type { Part } from '../../platform/db/part.ts'
import { statement } from '../../platform/db/statement.ts'
import { update } from '../../platform/db/write-parts.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { guideJob } from './jobs.ts'

/**
 * State of a rule once its post is published: to be set up, unless it is no longer wanted.
 *
 * It is read at that time, not when the post was claimed.
 */
export const GUIDE_DUE = sql`case when ${socialPosts.guide} is null or ${socialPosts.guideStatus} = 'disabled'
  then ${socialPosts.guideStatus} else 'pending' end`

type GuideChange = {
  accountId: number
  projectId: number
  platform: SocialPlatform
  id: number
  guide: GuideConfig
  isWanted: boolean
}

/** Sets what a post's commenters are to be answered; a job brings the rule to it where the post is out by then. Answers how both stand; no
 * status if a rule of the policy forbids it. */
export const changeGuide = (ctx: Ctx, { accountId, projectId, platform, id, guide, isWanted }: GuideChange): SQL => {
  const now = ctx.now()
  const policy = policyPart(projectId, { way: 'comment_guide', now, target: platform, isSettled: !isWanted })
  const guideStatus = isWanted
    ? sql`case when ${socialPosts.status} = 'published' then 'pending' else 'scheduled' end`
    : ('disabled' as const)
  const changed = update(
    'changed',
    socialPosts,
    { guide, guideStatus, guideError: null, updatedAt: now },
    {
      from: [policy],
      where: sql`${and(eq(socialPosts.id, id), eq(socialPosts.accountId, accountId))}
        and (${policy.c.rule} is null or ${socialPosts.status} <> 'published')`,
      returning: { id: socialPosts.id, status: socialPosts.status, guideStatus: socialPosts.guideStatus },
    },
  )
  return statement({
    parts: [policy, changed, wakeGuide(changed, accountId, now, sql`${changed.c.status} = 'published'`)],
    audit: audit(ctx, {
      of: changed,
      account: accountId,
      action: 'social.comment_for_guide',
      on: ['social_post', changed.c.id],
      detail: sql`jsonb_build_object('status', ${changed.c.guideStatus})`,
    }),
    answer: { status: changed.c.status, guideStatus: changed.c.guideStatus, rule: policy.c.rule },
    answerFrom: sql`${policy.rows} left join ${changed.rows} on true`,
  })
}

/** A part that has the rule of posts brought to what is asked for. */
export const wakeGuide = (of: Part<'id'>, accountId: number, now: Date, where: SQL) =>
  guideJob.enqueue({ from: of, account: accountId, payload: { post_id: of.c.id }, runAt: now, open: 'move', where })

/** Rule as it was read, and if it was to be set up or stopped. */
type GuideRead = { guide: GuideConfig; guideStatus: GuideStatus | null }

type GuideEnd = { id: number; read: GuideRead; status: GuideStatus; error: string | null; remoteId: string | null }

/** Writes how the rule stands, if what is asked for is still what was read. */
export const endGuide = (ctx: Ctx, { id, read, status, error, remoteId }: GuideEnd): SQL => {
  const ended = update(
    'ended',
    socialPosts,
    { guideStatus: status, guideError: error, guideRemoteId: remoteId, updatedAt: ctx.now() },
    {
      where: sql`${eq(socialPosts.id, id)} and ${socialPosts.guide} = ${JSON.stringify(read.guide)}::jsonb
        and ${socialPosts.guideStatus} is not distinct from ${read.guideStatus}`,
      returning: { id: socialPosts.id },
    },
  )
  return statement({ unaudited: 'asking for the rule was audited', parts: [ended], answer: ended.c })
}
