import { desc, eq, type SQL, sql } from 'drizzle-orm'
import { policies, policyVersions } from '../../../schema/policies.ts'
import { projects } from '../../../schema/projects.ts'
import type { Db } from '../../platform/db/client.ts'
import { creditsThisMonth, crowdworkThisMonth, publishedToday } from './parts.ts'

/** Returns a project with its policy, of any account, and what it used of it by now. */
export const projectPolicy = (db: Db, owner: SQL, projectId: number, now: Date) =>
  db
    .select({
      mine: sql<boolean>`coalesce(${projects.accountId} = ${owner}, false)`,
      timezone: projects.timezone,
      policy: policies,
      publications: publishedToday(now) as SQL<number>,
      credits: creditsThisMonth(now) as SQL<number>,
      crowdworkCents: crowdworkThisMonth(now) as SQL<number>,
    })
    .from(projects)
    .leftJoin(policies, eq(policies.projectId, projects.id))
    .where(eq(projects.id, projectId))

/** Returns the newest versions of a project's policy. */
export const policyHistory = (db: Db, projectId: number, most: number) =>
  db
    .select()
    .from(policyVersions)
    .where(eq(policyVersions.projectId, projectId))
    .orderBy(desc(policyVersions.version))
    .limit(most)
