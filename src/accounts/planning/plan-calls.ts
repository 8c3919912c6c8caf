import { eq, type SQL, sql } from 'drizzle-orm'
import { accounts, apiKeys } from '../../../schema/accounts.ts'
import { articles } from '../../../schema/articles.ts'
import { changeSets } from '../../../schema/changes.ts'
import { deliveries } from '../../../schema/deliveries.ts'
import { integrations } from '../../../schema/integrations.ts'
import { policies } from '../../../schema/policies.ts'
import { projects } from '../../../schema/projects.ts'
import { socialPosts } from '../../../schema/social.ts'
import { suggestions } from '../../../schema/suggestions.ts'
import type { ARTICLE_STATUSES } from '../../../schema/values/articles.ts'
import { budgetsShown, keyBudgets, NO_BUDGETS } from '../../platform/accounts/key-budget.ts'
import { providerDollars } from '../../platform/accounts/provider-dollars.ts'
import { at } from '../../platform/db/instant.ts'
import { accountRateOf, rateIdOf, rateOf } from '../../platform/http/admission.ts'
import type { HttpDeps } from '../../platform/http/deps.ts'
import type { Operation } from '../../platform/http/operation.ts'
import { readTime } from '../../platform/lib/time.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import {
  creditsThisMonth,
  crowdworkThisMonth,
  isOnItsWayOut,
  JOIN_POLICY,
  publishedToday,
  ruleFor,
} from '../policy/parts.ts'
import type { Activity } from '../policy/rules.ts'
import { type CallState, centsOf, judgeCalls } from './judge.ts'
import { type MatchedCall, matchCalls } from './match.ts'
import type { PlanCallsInput } from './operations.ts'

/** Activity of each operation that has an effect outside the service. */
export const ACTIVITY_OF: Readonly<Record<string, Activity>> = {
  'articles.publish': 'publish',
  'articles.sync': 'sync',
  'articles.update': 'sync',
  'articles.restore': 'sync',
  'articles.rollback': 'rollback',
  'articles.unpublish': 'unpublish',
  'changes.release': 'sync',
  'changes.revert': 'sync',
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

/** Operations that change an article here, and at its site only with `sync`. */
const WITH_SYNC: ReadonlySet<string> = new Set(['articles.update', 'articles.restore'])

/** Returns the activity of a call; undefined if it has no effect outside the service, such as a draft of a post. */
const activityOf = ({ op, body }: Pick<MatchedCall, 'op' | 'body'>): Activity | undefined => {
  if (WITH_SYNC.has(op.id)) return body.sync === true ? ACTIVITY_OF[op.id] : undefined
  return op.wider && !op.wider.needs(body) ? undefined : ACTIVITY_OF[op.id]
}

/** Returns the date that a call sets for a post; undefined if it sets none. */
const dateOfPost = ({ op, body }: Pick<MatchedCall, 'op' | 'body'>): string | undefined => {
  const date = body.scheduled_for ?? body.scheduled_date
  return ACTIVITY_OF[op.id] === 'social_post' && typeof date === 'string' ? date : undefined
}

/** True if a call only ends something, which needs no approval: it switches off a rule that answers comments. */
const isSettled = ({ op, body }: Pick<MatchedCall, 'op' | 'body'>): boolean => {
  const { is_active } = (body.comment_for_guide_config ?? {}) as { is_active?: boolean }
  return op.id === 'social.comment_for_guide' && (body.is_comment_for_guide === false || is_active === false)
}

const LIVE: (typeof ARTICLE_STATUSES)[number] = 'Published'

/** Returns an expression for the project of a call; undefined if the call names none. */
const owningProject = ({ op, params, projectId }: MatchedCall): SQL | undefined => {
  if (projectId !== undefined) return sql`${projectId}::int`
  const id = Number(params.id ?? params.post_id)
  if (!Number.isInteger(id)) return undefined
  const by = (
    prefix: string,
    table: typeof articles | typeof changeSets | typeof deliveries | typeof socialPosts | typeof suggestions,
  ) =>
    op.path.startsWith(prefix)
      ? sql`(select ${table.projectId} from ${table} where ${table.id} = ${id}::int)`
      : undefined
  return (
    by('/articles/:id', articles) ??
    by('/changes/:id', changeSets) ??
    by('/webhook-deliveries/:id', deliveries) ??
    by('/social/posts/:post_id', socialPosts) ??
    by('/suggestions/:id', suggestions)
  )
}

const ACTIVE_TARGET = sql`(select ${integrations.platform} from ${integrations}
  where ${integrations.projectId} = ${projects.id} and ${integrations.status} = 'Active')`

/** Returns the targets of a call: the project's publishing target, the networks of its post, or the crowdwork provider. */
const targetOf = (activity: Activity, { op, params, body }: MatchedCall): SQL | string | string[] => {
  if (activity.startsWith('crowdwork')) return 'crowdwork'
  if (['publish', 'sync', 'rollback', 'unpublish', 'replay'].includes(activity)) return ACTIVE_TARGET
  if (op.id.startsWith('profile.')) return 'googlebusiness'
  if (params.post_id !== undefined)
    return sql`(select ${socialPosts.platform} from ${socialPosts} where ${socialPosts.id} = ${Number(params.post_id)}::int)`
  const { platforms } = body as { platforms?: (string | { platform: string })[] }
  return platforms?.map((one) => (typeof one === 'string' ? one : one.platform)) ?? sql`null::text`
}

/** Condition: the date of a post is in the future. As in the call itself, a date without an offset is in the project's zone. */
const isToCome = (date: string, now: Date): SQL => {
  const { instant, wall, dateOnly } = readTime(date)
  if (instant) return sql`${instant > now}::boolean`
  const time = dateOnly ? sql`(${wall}::timestamp + ${projects.publishTime}::time)` : sql`${wall}::timestamp`
  return sql`coalesce(${time} at time zone ${projects.timezone} > ${at(now)}, false)`
}

/** Returns an expression for the article of a call; null if it has none, or names only its operation. */
const articleOf = ({ op, params: { id } }: MatchedCall): SQL => {
  if (id !== undefined && op.path.startsWith('/articles/:id')) return sql`${Number(id)}::int`
  if (id !== undefined && op.id === 'deliveries.replay')
    return sql`(select ${deliveries.articleId} from ${deliveries} where ${deliveries.id} = ${Number(id)}::int)`
  return sql`null::int`
}

/** Condition: the article is published. */
const isLive = (article: SQL): SQL =>
  sql`exists (select 1 from ${articles} where ${articles.id} = ${article} and ${eq(articles.status, LIVE)})`

/**
 * Returns an expression for the policy rule that forbids a call; null if none does.
 *
 * No rule applies to publishing an article that is live, since nothing is sent. A replay for an article that is not live is judged
 * as its publication.
 */
const ruleOf = (call: MatchedCall, now: Date): SQL => {
  const activity = activityOf(call)
  if (activity === undefined) return sql`null::text`
  const [cost] = call.op.costs ?? []
  const cents = activity === 'crowdwork' ? { cents: centsOf(cost?.amountOf?.(call.body)) } : {}
  const article = articleOf(call)
  const asked = {
    activity,
    now,
    target: targetOf(activity, call),
    articleId: article,
    ...cents,
    ...(isSettled(call) ? { isSettled: true } : {}),
  }
  const date = dateOfPost(call)
  // For a future date, the approval of a post is checked now, and the other rules on that date.
  const later = date === undefined ? undefined : isToCome(date, now)
  const rule = later
    ? sql`case when ${later} then ${ruleFor({ ...asked, isLater: true })} else ${ruleFor(asked)} end`
    : ruleFor(asked)
  if (activity === 'publish') return sql`case when ${isLive(article)} then null else ${rule} end`
  return activity === 'replay'
    ? sql`case when ${isLive(article)} then ${rule} else ${ruleFor({ ...asked, activity: 'publish' })} end`
    : rule
}

/** Condition: a call counts toward the daily maximum of publications. */
const takesPlace = (call: MatchedCall): SQL => {
  const activity = activityOf(call)
  return activity === 'publish' || activity === 'replay' ? sql`not ${isLive(articleOf(call))}` : sql`false`
}

/** Condition: a call changes an article that is on its way out. */
const changesOutgoing = (call: MatchedCall): SQL =>
  WITH_SYNC.has(call.op.id)
    ? sql`exists (select 1 from ${articles} where ${articles.id} = ${articleOf(call)} and ${isOnItsWayOut()})`
    : sql`false`

const usedToday = ({ op }: MatchedCall, owner: SQL, project: SQL, now: Date): SQL =>
  op.daily ? op.daily.used(op.daily.per === 'project' ? project : owner, now) : sql`0`

/** Returns a query with a row for each call: the state of its project and of its quota. */
const callsQuery = (calls: readonly MatchedCall[], owner: SQL, now: Date): SQL => {
  const selects = calls.map((call, n) => {
    const project = owningProject(call) ?? sql`null::int`
    const article = articleOf(call)
    return sql`select ${n}::int as n, one.project as "projectId", ${owningProject(call) !== undefined}::boolean as "isNamed",
      coalesce(${projects.accountId} = ${owner}, false) as mine,
      ${ruleOf(call, now)} as rule, ${policies.maxPublicationsPerDay} as "maxPublicationsPerDay",
      ${article} as "articleId", ${changesOutgoing(call)} as "changesOutgoing", ${takesPlace(call)} as "takesPlace",
      ${policies.monthlyArticleCredits} as "monthlyCredits", ${publishedToday(now, article)} as publications, ${creditsThisMonth(now)} as "creditsUsed",
      ${policies.monthlyCrowdworkCents} as "monthlyCents", ${crowdworkThisMonth(now)} as "centsUsed",
      ${usedToday(call, owner, sql`one.project`, now)} as "usedToday",
      ${call.op.mostUsd?.(sql`one.project`, call.body) ?? sql`0::float8`} as usd
      from (select ${project} as project) one left join ${projects} on ${eq(projects.id, sql`one.project`)} ${JOIN_POLICY}`
  })
  return sql.join(selects, sql` union all `)
}

/** Rate limiter, with the known callers and the settings. */
type Rates = Pick<HttpDeps, 'limiter' | 'callers' | 'settings'>

type Left = [operation: string, count: number | undefined]

/** Returns the number of calls to each operation that a key has left in this minute. */
const leftOfKey = ({ limiter }: Rates, operations: readonly Operation[], keyHash: string): Promise<Left[]> =>
  Promise.all(operations.map(async (op): Promise<Left> => [op.id, await limiter.left(rateOf(op), rateIdOf(keyHash))]))

/** Returns the same for all keys of an account together, for operations with a shared limit. */
const leftOfAccount = ({ limiter, settings }: Rates, operations: readonly Operation[], id: number): Promise<Left[]> =>
  Promise.all(
    operations
      .filter(({ isShared }) => isShared)
      .map(
        async (op): Promise<Left> => [
          op.id,
          await limiter.left(accountRateOf(op, settings.accountRateFactor), String(id)),
        ],
      ),
  )

/** Returns the lowest count of each operation. */
const lowest = (counts: readonly Left[]): ReadonlyMap<string, number> => {
  const least = new Map<string, number>()
  for (const [operation, count = Number.POSITIVE_INFINITY] of counts)
    least.set(operation, Math.min(count, least.get(operation) ?? Number.POSITIVE_INFINITY))
  return least
}

/**
 * Judges intended calls in their order, without making them. Throws 400 with the path of each entry that is wrong.
 *
 * Checks rate limits and quotas, the key's scope and budget, the policies of the projects, credits and slots.
 */
export const planCalls = async (
  ctx: Ctx,
  rates: Rates,
  { calls }: PlanCallsInput,
  operationsOf: () => Promise<readonly Operation[]>,
) => {
  const matched = matchCalls(calls, await operationsOf())
  const operations = [...new Set(matched.map(({ op }) => op))]
  let ofKey: Promise<Left[]> | undefined
  let ofAccount: Promise<Left[]> | undefined
  const {
    state: [state],
    budget: [budget],
    dollars: [dollars],
    found,
  } = await ctx.read((owner, keyHash = '') => {
    // Sent at the same time as the database query. The account's count needs a known caller.
    const known = rates.callers.of(keyHash)
    ofKey = leftOfKey(rates, operations, keyHash)
    ofAccount = known === undefined ? undefined : leftOfAccount(rates, operations, known)
    return {
      state: ctx.db
        .select({
          articleCredits: accounts.articleCredits,
          slotsLeft: sql<number>`${accounts.projectSlots} - ${accounts.activeProjects}`,
        })
        .from(accounts)
        .where(eq(accounts.id, owner)),
      budget: keyBudgets(ctx.db, eq(apiKeys.keyHash, keyHash), ctx.now()),
      dollars: providerDollars(ctx.db, owner, ctx.now()),
      found: ctx.db.execute<CallState & { n: number }>(callsQuery(matched, owner, ctx.now())),
    }
  })
  const { id, plan, key } = await ctx.account()
  const counts = await Promise.all([ofKey, ofAccount ?? leftOfAccount(rates, operations, id)])
  const account = {
    scopes: key?.scopes ?? [],
    plan,
    articleCredits: state?.articleCredits ?? 0,
    slotsLeft: Math.max(0, Number(state?.slotsLeft ?? 0)),
    budgets: budget ? budgetsShown(budget) : NO_BUDGETS,
    dollars: dollars ?? { used: 0, limit: 0 },
    callsLeft: lowest(counts.flatMap((count) => count ?? [])),
  }
  const states = found.rows.toSorted((a, b) => Number(a.n) - Number(b.n))
  return judgeCalls(matched, account, states)
}
