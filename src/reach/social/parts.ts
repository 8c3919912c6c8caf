import { eq, sql } from 'drizzle-orm'
import { approvals } from '../../../schema/approvals.ts'
import { oneOf } from '../../../schema/columns.ts'
import { socialAccounts, socialPosts, socialProfiles } from '../../../schema/social.ts'
import type { Part } from '../../platform/db/part.ts'
import { update } from '../../platform/db/write-parts.ts'
import { draftJob } from './jobs.ts'

export { directAccountsOf, profileOf } from './queries.ts'

/** A part that has posts drafted about articles that went live, where their project has accounts of social networks. */
export const draftAbout = (live: Part<'id' | 'projectId'>, accountId: number, now: Date): Part =>
  draftJob.enqueue({
    from: live,
    account: accountId,
    payload: { article_id: live.c.id },
    runAt: now,
    open: 'keep',
    where: sql`(exists (select 1 from ${socialProfiles} where ${eq(socialProfiles.projectId, live.c.projectId)})
      or exists (select 1 from ${socialAccounts} where ${eq(socialAccounts.projectId, live.c.projectId)} and ${eq(socialAccounts.status, 'Active')}))`,
  })

/** A part that notes on a post which waited for a person that it does not go out, and why. */
export const postLeft = (decided: Part<'id'>, error: string, now: Date): Part =>
  update(
    'left_post',
    socialPosts,
    { status: 'failed', error, updatedAt: now },
    {
      from: [decided],
      where: sql`${socialPosts.id} = (select substring(${approvals.subject} from '^social_post:([0-9]{1,9})$')::int
        from ${approvals} where ${eq(approvals.id, decided.c.id)})
        and ${oneOf(socialPosts.status, ['draft'])} and ${socialPosts.approvalId} is not null`,
    },
  )
