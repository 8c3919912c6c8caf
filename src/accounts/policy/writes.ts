import { and, eq, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { projects } from '../../../schema/projects.ts'
import type { PolicyRule } from '../../../schema/values/policy.ts'
import type { Db } from '../../platform/db/client.ts'
import { JOIN_POLICY, monthStart, type Outward, ruleFor } from './parts.ts'

/** Selects the rule of the project's policy that forbids a call now; `rule` is null if none does. */
export const ruleOf = (projectId: number | SQL, outward: Outward): SQL<{ rule: PolicyRule | null }> =>
  sql`select ${ruleFor(outward)} as rule from ${projects} ${JOIN_POLICY} where ${eq(projects.id, projectId)}`

/** Condition: no rule of the project's policy forbids a call now. */
export const policyAllows = (projectId: number | SQL, outward: Outward): SQL =>
  sql`exists (select 1 from ${projects} ${JOIN_POLICY} where ${eq(projects.id, projectId)} and ${ruleFor(outward)} is null)`

const projectOf = (articleId: number): SQL =>
  sql`${projects.id} = (select ${articles.projectId} from ${articles} where ${articles.id} = ${articleId}::int)`

/** Locks the project of an article, before the article as everywhere. */
export const lockProjectOf = (db: Db, articleId: number) =>
  db.select({ id: projects.id }).from(projects).where(projectOf(articleId)).for('no key update')

/** Gives a credit back to the monthly budget of the project of an article, which is locked before. */
export const returnToBudget = (db: Db, articleId: number, now: Date, condition: SQL) =>
  db
    .update(projects)
    .set({ creditsUsed: sql`greatest(${projects.creditsUsed} - 1, 0)` })
    .where(and(projectOf(articleId), eq(projects.creditsMonth, monthStart(now)), condition))
