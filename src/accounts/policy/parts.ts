import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { approvals } from '../../../schema/approvals.ts'
import { articles } from '../../../schema/articles.ts'
import { oneOf } from '../../../schema/columns.ts'
import { crowdworkCampaigns } from '../../../schema/crowdwork.ts'
import { deliveries } from '../../../schema/deliveries.ts'
import { policies } from '../../../schema/policies.ts'
import { projects } from '../../../schema/projects.ts'
import { OPEN_APPROVAL_STATUSES } from '../../../schema/values/approvals.ts'
import type { ARTICLE_STATUSES } from '../../../schema/values/articles.ts'
import { ARRIVED_STATUSES, OPEN_DELIVERY_STATUSES } from '../../../schema/values/publishing.ts'
import { isServed } from '../../platform/accounts/parts.ts'
import type { Db } from '../../platform/db/client.ts'
import { at } from '../../platform/db/instant.ts'
import { monthStart } from '../../platform/lib/time.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { ACTIVITIES, type Activity, isPerson, type Obstacle, WAITS } from './rules.ts'

/** Call that is about to have an effect outside the service. */
export type Outward = {
  activity: Activity
  now: Date
  /** Targets of the call, by names of `POLICY_TARGETS`: one, several, or an expression for one that may be null. */
  target: string | readonly string[] | SQL
  /** Article that the call is about. One to publish is not counted in the publications of the day. */
  articleId?: number | SQL
  /** Cost of a crowdwork campaign. */
  cents?: number
  /** Condition: a person approved the call. */
  isApproved?: SQL
  /** True if the call needs its approval in any case, even if the policy no longer asks for one. */
  isByApproval?: boolean
  /** True if the call takes effect on a future date. Its approval is checked now, the other rules on that date. */
  isLater?: boolean
  /** True if the call makes nothing live, or has begun already. It then needs no approval, and the daily maximum does not apply. */
  isSettled?: boolean
}

/** Rules that make work wait, as a list for `in`. */
export const PASSING: SQL = sql.raw(
  Object.keys(WAITS)
    .map((rule) => `'${rule}'`)
    .join(', '),
)

/** More credits than a project can use: the budget of a project without one. */
export const NO_LIMIT = sql.raw('2147483647')

/** Time zone of the policy. Only people change it, unlike the project's own. */
const zone = sql`coalesce(${policies.timezone}, ${projects.timezone})`

/** Returns the first instant of the policy's day. */
const dayStart = (now: Date): SQL => sql`(date_trunc('day', ${at(now)} at time zone ${zone}) at time zone ${zone})`

/** Condition: the wall clock of the policy is within its quiet hours, which may pass midnight. */
const isQuiet = (now: Date): SQL => {
  const { quietFrom: from, quietTo: to } = policies
  const time = sql`to_char(${at(now)} at time zone ${zone}, 'HH24:MI')`
  return sql`(${from} is not null and case when ${from} < ${to} then ${time} >= ${from} and ${time} < ${to} else ${time} >= ${from} or ${time} < ${to} end)`
}

/** Returns when the quiet hours or the day with its maximum end next, whichever is first; null without such clauses. */
export const nextChance = (now: Date): SQL => {
  const { quietTo, maxPublicationsPerDay } = policies
  const today = sql`date_trunc('day', ${at(now)} at time zone ${zone})`
  const endsOn = (days: number) =>
    sql`((${today} + ${sql.raw(`interval '${days} days'`)} + ${quietTo}::time) at time zone ${zone})`
  return sql`least(
    case when ${maxPublicationsPerDay} is not null then (${today} + interval '1 day') at time zone ${zone} end,
    case when ${quietTo} is not null then case when ${endsOn(0)} > ${at(now)} then ${endsOn(0)} else ${endsOn(1)} end end)`
}

/** Condition: a delivery is to the post that its article has now, or gets next. A detach ends a post. */
const isOfPost = (articleId: number | SQL): SQL =>
  sql`(${deliveries.articleId} = ${articleId}::int and ${deliveries.generation} = (
    select ${articles.generation} from ${articles} where ${articles.id} = ${articleId}::int))`

/**
 * Returns how many posts went live today or are being sent, without that of the article `but`. Failed publications do not
 * count.
 */
export const publishedToday = (now: Date, but: number | SQL | null = null): SQL =>
  sql`(select count(distinct (coalesce(${deliveries.articleId}, -${deliveries.id}), ${deliveries.generation}))::int from ${deliveries}
    where ${deliveries.projectId} = ${projects.id} and ${deliveries.publishes} and ${deliveries.createdAt} >= ${dayStart(now)}
      and ${oneOf(deliveries.status, [...OPEN_DELIVERY_STATUSES, ...ARRIVED_STATUSES])}
      and ${but === null ? sql`true` : sql`${isOfPost(but)} is not true`})`

/** Returns the article credits that the project has used this month. */
export const creditsThisMonth = (now: Date): SQL =>
  sql`(case when ${projects.creditsMonth} = ${at(monthStart(now))} then ${projects.creditsUsed} else 0 end)`

/** Article credits that a project may use in a month. */
export const creditBudget: SQL = sql`coalesce((select ${policies.monthlyArticleCredits} from ${policies}
  where ${policies.projectId} = ${projects.id}), ${NO_LIMIT})`

/** Condition: the project has an article credit left of its monthly budget. */
export const hasCredits = (now: Date): SQL => sql`${creditsThisMonth(now)} < ${creditBudget}`

/** Returns the column changes of a project that has spent `count` more credits. */
export const creditsSpent = (now: Date, count: SQL | number = 1) => ({
  creditsMonth: monthStart(now),
  creditsUsed: sql`${creditsThisMonth(now)} + ${count}`,
})

/** Returns the cents of crowdwork that are reserved or spent this month. */
export const crowdworkThisMonth = (now: Date): SQL =>
  sql`(select coalesce(sum(${crowdworkCampaigns.costCents}), 0)::int from ${crowdworkCampaigns}
    where ${crowdworkCampaigns.projectId} = ${projects.id} and ${oneOf(crowdworkCampaigns.stage, ['making', 'made'])}
      and ${crowdworkCampaigns.chargedAt} >= ${at(monthStart(now))})`

/** Condition: the article's post was live before. After a detach, the next publication makes another post. */
const wasLive = (articleId: number | SQL): SQL =>
  sql`exists (select 1 from ${deliveries} where ${isOfPost(articleId)} and ${deliveries.live}
    and ${oneOf(deliveries.status, ARRIVED_STATUSES)})`

/**
 * Returns how a call is approved: by the person who makes it, or by an approval of exactly this call, which is valid once.
 *
 * `subject` is the subject the approval must have. It is needed if the call alone does not determine its target.
 */
export const approvalOf = ({ actor, approval }: Pick<Ctx, 'actor' | 'approval'>, now: Date, subject?: string) => {
  if (approval === undefined) return { isApproved: sql`${isPerson(actor())}::boolean` }
  const { id, status, result, expiresAt } = approvals
  const isSame = subject === undefined ? sql`true` : eq(approvals.subject, subject)
  const isApproved = sql`exists (select 1 from ${approvals} where ${eq(id, approval)} and ${isSame} and ${result} is null
    and (${oneOf(status, ['used'])} or (${oneOf(status, ['approved'])} and ${expiresAt} > ${at(now)})))`
  return { isApproved, isByApproval: true }
}

/** Condition: the post of an article was at its site before the service knew it. */
const isAdopted = (articleId: Outward['articleId']): SQL =>
  articleId === undefined
    ? sql`false`
    : sql`exists (select 1 from ${articles} where ${articles.id} = ${articleId}::int and ${oneOf(articles.origin, ['adopted'])})`

const needsApproval = ({ activity, articleId, isSettled, isApproved = sql`false`, isByApproval }: Outward): SQL => {
  const { approval } = ACTIVITIES[activity]
  if (approval === 'none' || isSettled) return sql`false`
  if (approval === 'adopted') return sql`(${isAdopted(articleId)} and not ${isApproved})`
  if (isByApproval) return sql`not ${isApproved}`
  const isNew = activity === 'publish' && articleId !== undefined ? sql`not ${wasLive(articleId)}` : sql`true`
  const isFirst = approval === 'change' ? sql`false` : sql`${policies.needsApproval} = 'first' and ${isNew}`
  const isKept = sql`coalesce(${policies.approveAdopted}, true) and ${isAdopted(articleId)}`
  return sql`((${policies.needsApproval} = 'every' or ${isFirst} or ${isKept}) and not ${isApproved})`
}

/** Condition: one of the targets is not allowed. */
const isElsewhere = (target: Outward['target']): SQL => {
  const targets = Array.isArray(target)
    ? sql`${sql.param([...target])}::text[]`
    : sql`array_remove(array[${target}::text], null)`
  return sql`not ${targets} <@ ${policies.allowedTargets}`
}

const IS_CLOSED = sql`not ${isServed(projects.accountId)}`

/**
 * Returns an expression for what forbids a call now: a closed account, or the first rule in the order of `POLICY_RULES`; null
 * if nothing does.
 *
 * The query must have a row of `projects`, left-joined with its `policies`.
 */
export const ruleFor = (outward: Outward): SQL<Obstacle | null> => {
  if (outward.isLater)
    return sql`(case when ${IS_CLOSED} then 'account_inactive' when ${needsApproval(outward)} then 'needs_approval' end)`
  const { activity, now, target, articleId, cents, isSettled } = outward
  const budget =
    cents === undefined
      ? sql`false`
      : sql`(${policies.monthlyCrowdworkCents} is not null and ${cents}::int + ${crowdworkThisMonth(now)} > ${policies.monthlyCrowdworkCents})`
  const isFull =
    activity === 'publish' && !isSettled
      ? sql`(${policies.maxPublicationsPerDay} is not null and ${publishedToday(now, articleId)} >= ${policies.maxPublicationsPerDay})`
      : sql`false`
  return sql`(case when ${IS_CLOSED} then 'account_inactive'
    when ${policies.frozen} then 'frozen'
    when ${isElsewhere(target)} then 'allowed_targets'
    when ${budget} then 'monthly_budget'
    when ${isQuiet(now)} then 'quiet_hours'
    when ${isFull} then 'max_publications_per_day'
    when ${needsApproval(outward)} then 'needs_approval' end)`
}

/** Joins the policy to a query over `projects`. */
export const JOIN_POLICY: SQL = sql`left join ${policies} on ${eq(policies.projectId, projects.id)}`

/** Selects what forbids a call now; `rule` is null if nothing does. */
export const ruleOf = (projectId: number | SQL, outward: Outward): SQL<{ rule: Obstacle | null }> =>
  sql`select ${ruleFor(outward)} as rule from ${projects} ${JOIN_POLICY} where ${eq(projects.id, projectId)}`

/** Condition: the account is served, and no rule of the project's policy forbids a call now. Claims of outward work have it. */
export const policyAllows = (projectId: number | SQL, outward: Outward): SQL =>
  sql`exists (select 1 from ${projects} ${JOIN_POLICY} where ${eq(projects.id, projectId)} and ${ruleFor(outward)} is null)`

const projectOf = (articleId: number): SQL =>
  sql`${projects.id} = (select ${articles.projectId} from ${articles} where ${articles.id} = ${articleId}::int)`

/** Locks the project of an article. Projects are always locked before their articles. */
export const lockProjectOf = (db: Db, articleId: number) =>
  db.select({ id: projects.id }).from(projects).where(projectOf(articleId)).for('no key update')

/** Returns a credit to the monthly budget of an article's project. The project must be locked before. */
export const returnToBudget = (db: Db, articleId: number, now: Date, condition: SQL) =>
  db
    .update(projects)
    .set({ creditsUsed: sql`greatest(${projects.creditsUsed} - 1, 0)` })
    .where(and(projectOf(articleId), eq(projects.creditsMonth, monthStart(now)), condition))

const PLANNED: (typeof ARTICLE_STATUSES)[number] = 'Planned'

/**
 * Condition on the columns of `articles`: readers may see what it says without another decision about it.
 *
 * It is planned, a delivery of it is open, or a person is asked or has agreed to send it. Keys that only draft may not change it.
 */
export const isOnItsWayOut = (): SQL => sql`(${articles.status} = ${PLANNED}
  or exists (select 1 from ${deliveries} where ${eq(deliveries.articleId, articles.id)} and ${oneOf(deliveries.status, OPEN_DELIVERY_STATUSES)})
  or exists (select 1 from ${approvals} where ${eq(approvals.articleId, articles.id)} and ${oneOf(approvals.status, OPEN_APPROVAL_STATUSES)}))`

/** Selects whether an article is on its way out. */
export const onItsWayOut = (db: Db, id: number) =>
  db
    .select({ isGoing: sql<boolean>`${isOnItsWayOut()}` })
    .from(articles)
    .where(eq(articles.id, id))

/** Gives the policy of a project the project's time zone, if it has none of its own. Must come before a change of that zone. */
export const keepPolicyZone = (db: Db, projectId: number, condition: SQL) =>
  db
    .update(policies)
    .set({ timezone: sql`(select ${projects.timezone} from ${projects} where ${eq(projects.id, projectId)})` })
    .where(and(eq(policies.projectId, projectId), isNull(policies.timezone), condition))
