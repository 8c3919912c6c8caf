import { eq, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import { articles } from '../../../schema/articles.ts'
import { deliveries } from '../../../schema/deliveries.ts'
import { integrations } from '../../../schema/integrations.ts'
import { policies } from '../../../schema/policies.ts'
import { projects } from '../../../schema/projects.ts'
import { socialPosts } from '../../../schema/social.ts'
import { suggestions } from '../../../schema/suggestions.ts'
import type { Operation } from '../../platform/http/operation.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { creditsThisMonth, JOIN_POLICY, publishedToday, ruleFor } from '../policy/parts.ts'
import type { Way } from '../policy/rules.ts'
import { judgeCalls, type ProjectState } from './judge.ts'
import { type MatchedCall, matchCalls } from './match.ts'
import type { PlanCallsInput } from './schemas.ts'

/** Effect of each operation on the outside. */
const WAY_OF: Readonly<Record<string, Way>> = {
  'articles.publish': 'publish',
  'articles.sync': 'sync',
  'articles.rollback': 'rollback',
  'articles.unpublish': 'unpublish',
  'deliveries.replay': 'replay',
  'suggestions.publish': 'sync',
  'social.publish': 'social_post',
  'social.publish_post': 'social_post',
  'social.comment_for_guide': 'comment_guide',
  'profile.reply': 'review_reply',
  'profile.remove_reply': 'remove_reply',
  'profile.post': 'social_post',
  'crowdwork.create': 'crowdwork',
  'crowdwork.rate': 'crowdwork_rating',
}

/** Returns the way by which a call reaches the outside; undefined if it does not, as a draft of a post. */
const wayOf = ({ op, body }: MatchedCall): Way | undefined => {
  if (body.sync === true) return 'sync'
  return op.wider && !op.wider.needs(body) ? undefined : WAY_OF[op.id]
}

/** Project of what a path names, as an expression. */
const owningProject = ({ op, params, projectId }: MatchedCall): SQL | undefined => {
  if (projectId !== undefined) return sql`${projectId}::int`
  const id = Number(params.id ?? params.post_id)
  if (!Number.isInteger(id)) return undefined
  const by = (prefix: string, table: typeof articles | typeof deliveries | typeof socialPosts | typeof suggestions) =>
    op.path.startsWith(prefix)
      ? sql`(select ${table.projectId} from ${table} where ${table.id} = ${id}::int)`
      : undefined
  return (
    by('/articles/:id', articles) ??
    by('/webhook-deliveries/:id', deliveries) ??
    by('/social/posts/:post_id', socialPosts) ??
    by('/suggestions/:id', suggestions)
  )
}

const ACTIVE_TARGET = sql`(select ${integrations.platform} from ${integrations}
  where ${integrations.projectId} = ${projects.id} and ${integrations.status} = 'Active')`

/** Returns where a call goes: the project's publishing target, the networks of its body, or the crowdwork provider. */
const targetOf = (way: Way, { body }: MatchedCall): SQL | string | string[] => {
  if (way.startsWith('crowdwork')) return 'crowdwork'
  if (['publish', 'sync', 'rollback', 'unpublish', 'replay'].includes(way)) return ACTIVE_TARGET
  return Array.isArray(body.platforms) ? body.platforms.map(String) : sql`null::text`
}

/** Returns the rule of a policy that forbids a call, as an expression. */
const ruleOf = (call: MatchedCall, now: Date): SQL => {
  const way = wayOf(call)
  if (way === undefined) return sql`null::text`
  const { op, params } = call
  const [cost] = op.costs ?? []
  const cents = way === 'crowdwork' ? { cents: Math.round((cost?.amountOf?.(call.body) ?? 0) * 100) } : {}
  const article = op.path.startsWith('/articles/:id') && params.id !== undefined ? { articleId: Number(params.id) } : {}
  return ruleFor({ way, now, target: targetOf(way, call), ...article, ...cents })
}

/** Rows of the projects that calls are for. */
const projectsQuery = (calls: readonly MatchedCall[], owner: SQL, now: Date): SQL => {
  const selects = calls.flatMap((call, n) => {
    const project = owningProject(call)
    if (!project) return []
    return [
      sql`select ${n}::int as n, one.project as "projectId", coalesce(${projects.accountId} = ${owner}, false) as mine,
        ${ruleOf(call, now)} as rule, ${policies.maxPublicationsPerDay} as "maxPublicationsPerDay",
        ${policies.monthlyArticleCredits} as "monthlyCredits", ${publishedToday(now)} as publications, ${creditsThisMonth(now)} as "creditsUsed"
        from (select ${project} as project) one left join ${projects} on ${eq(projects.id, sql`one.project`)} ${JOIN_POLICY}`,
    ]
  })
  return selects.length === 0 ? sql`select null as n where false` : sql.join(selects, sql` union all `)
}

/**
 * Judges intended calls in their order and makes none of them: by the key's scope, the projects' policies, rates, credits and slots. Throws
 * 400 with the path of each entry that is wrong.
 */
export const planCalls = async (
  ctx: Ctx,
  { calls }: PlanCallsInput,
  operationsOf: () => Promise<readonly Operation[]>,
) => {
  const matched = matchCalls(calls, await operationsOf())
  const [[state], found] = await ctx.read((owner) => [
    ctx.db
      .select({
        articleCredits: accounts.articleCredits,
        slotsLeft: sql<number>`${accounts.projectSlots} - ${accounts.activeProjects}`,
      })
      .from(accounts)
      .where(eq(accounts.id, owner)),
    ctx.db.execute<ProjectState & { n: number }>(projectsQuery(matched, owner, ctx.now())),
  ])
  const { plan, key } = await ctx.account()
  const account = {
    scopes: key?.scopes ?? [],
    plan,
    articleCredits: state?.articleCredits ?? 0,
    slotsLeft: Math.max(0, Number(state?.slotsLeft ?? 0)),
  }
  const byPlace = new Map(found.rows.map((row) => [Number(row.n), row]))
  return judgeCalls(matched, account, (n) => byPlace.get(n))
}
