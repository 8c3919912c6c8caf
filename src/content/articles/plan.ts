import { sql } from 'drizzle-orm'
import { refillDate } from '../../accounts/projects/read.ts'
import { readWithProject } from '../../accounts/projects/scope.ts'
import { PLAN_INCLUDES } from '../../platform/accounts/plans.ts'
import type { Db } from '../../platform/db/client.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { type Reach, reachOf, type Unreached, unreachedOf, withTurns } from './turns.ts'

type Found = { plan: number | null; reach: Reach; unreached: Unreached[] }

/** Selects a project's article plan, the credits that are left, and the first articles that they do not reach. */
const articlePlanOf = (db: Db, projectId: number, now: Date) =>
  db.execute<Found>(sql`
    ${withTurns(sql`(select account_id from projects where id = ${projectId}::int)`, now)}
    select p.article_plan as plan, ${reachOf(sql`p.id`, now)} as reach,
      ${unreachedOf(sql`p.id`)} as unreached
    from projects p where p.id = ${projectId}::int`)

const NEXT = 'write them yourself, move them to a later month, or ask the user for more credits'

const messageOf = (total: number, hasWriter: boolean): string => {
  if (!hasWriter)
    return 'The account’s plan does not include the writer: nothing is written by itself or uses a credit.'
  if (total === 0) return 'Credits are left for every dated article that the writer is to write.'
  return `No credit is left for ${total === 1 ? '1 dated article' : `${total} dated articles`}: ${NEXT}.`
}

/** Returns a project's article plan, and the dated articles for which no credit is left, by their dates. Throws 404, 403. */
export const readArticlePlan = async (ctx: Ctx, projectId: number) => {
  const now = ctx.now()
  const { results } = await readWithProject(ctx, projectId, { found: articlePlanOf(ctx.db, projectId, now) })
  const { plan } = await ctx.account()
  const [row] = results.found.rows
  const rows = row?.unreached ?? []
  const total = rows[0]?.total ?? 0
  return {
    project_id: projectId,
    plan: row?.plan ?? null,
    article_credits: row?.reach.credits ?? 0,
    credits_refill_on: refillDate(plan, now),
    credits_taken: row?.reach.taken ?? 0,
    budget_left: row?.reach.budget_left ?? null,
    unreached: rows.map(({ id, title, keyword, scheduled_at, credit }) => ({
      article_id: id,
      title,
      keyword,
      ScheduledAt: scheduled_at,
      credit,
    })),
    unreached_total: total,
    message: messageOf(total, PLAN_INCLUDES[plan].writer),
  }
}
