import { eq, sql } from 'drizzle-orm'
import { socialAccounts, socialProfiles } from '../../../schema/social.ts'
import type { Part } from '../../platform/db/part.ts'
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
