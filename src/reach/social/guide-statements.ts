import { and, eq, type SQL, sql } from 'drizzle-orm'
import { oneOf } from '../../../schema/columns.ts'
import { socialPosts } from '../../../schema/social.ts'
import type { GuideConfig, GuideStatus, SocialPlatform } from '../../../schema/values/social.ts'
import { endQuestions } from '../../accounts/approvals/parts.ts'
import { approvalOf, policyPart } from '../../accounts/policy/parts.ts'
import { audit } from '../../platform/db/audit.ts'
import type { Part } from '../../platform/db/part.ts'
import { statement } from '../../platform/db/statement.ts'
import { update } from '../../platform/db/write-parts.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { guideJob } from './jobs.ts'
import { postSubject } from './proposal.ts'

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

/** Names the rule of a post as a thing that a person is asked about. */
export const guideSubject = (id: number): string => `comment_guide:${id}`

/**
 * Sets what a post's commenters are to be answered; a job brings the rule to it where the post is out by then. Answers how both stand; no
 * status if a rule of the policy forbids it. The rule of a draft is approved with the post.
 */
export const changeGuide = (ctx: Ctx, { accountId, projectId, platform, id, guide, isWanted }: GuideChange): SQL => {
  const now = ctx.now()
  const policy = policyPart(projectId, {
    activity: 'comment_guide',
    now,
    target: platform,
    isSettled: !isWanted,
    ...approvalOf(ctx, now, guideSubject(id)),
  })
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
        and (${policy.c.rule} is null or ${oneOf(socialPosts.status, ['draft', 'failed'])}
          or (${socialPosts.status} <> 'published' and ${policy.c.rule} <> 'needs_approval'))`,
      returning: { id: socialPosts.id, status: socialPosts.status, guideStatus: socialPosts.guideStatus },
    },
  )
  return statement({
    parts: [
      policy,
      changed,
      wakeGuide(changed, accountId, now, sql`${changed.c.status} = 'published'`),
      endQuestions(ctx, changed, postSubject(id), accountId),
    ],
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
