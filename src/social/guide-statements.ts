import { and, eq, type SQL, sql } from 'drizzle-orm'
import { socialPosts } from '../../schema/social.ts'
import type { GuideConfig, GuideStatus } from '../../schema/values/social.ts'
import { audit } from '../db/audit.ts'
import type { AnyPart } from '../db/part.ts'
import { statement } from '../db/statement.ts'
import { update } from '../db/write-parts.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { guideJob } from './job.ts'

type GuideChange = { accountId: number; id: number; guide: GuideConfig; status: GuideStatus; wakes: boolean }

/** Sets what a post's commenters are to be answered; a job brings the rule to it where the post is out. */
export const changeGuide = (ctx: Ctx, { accountId, id, guide, status, wakes }: GuideChange): SQL => {
  const now = ctx.now()
  const changed = update(
    'changed',
    socialPosts,
    { guide, guideStatus: status, guideError: null, updatedAt: now },
    {
      where: sql`${and(eq(socialPosts.id, id), eq(socialPosts.accountId, accountId))}`,
      returning: { id: socialPosts.id },
    },
  )
  return statement({
    parts: [changed, wakes && wakeGuide(changed, accountId, now)],
    audit: audit(ctx, {
      of: changed,
      account: accountId,
      action: 'social.comment_for_guide',
      on: ['social_post', changed.c.id],
      detail: { status },
    }),
    answer: { id: changed.c.id },
  })
}

/** A part that has the rule of posts brought to what is asked for. */
export const wakeGuide = (of: AnyPart & { c: { id: SQL } }, accountId: number, now: Date) =>
  guideJob.enqueue({ from: of, account: accountId, payload: { post_id: of.c.id }, runAt: now, open: 'move' })

/** What was asked for when it was read: the rule, and whether it was to be set up or stopped. */
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
