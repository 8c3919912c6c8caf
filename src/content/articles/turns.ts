import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import { articles } from '../../../schema/articles.ts'
import { oneOf } from '../../../schema/columns.ts'
import { projects } from '../../../schema/projects.ts'
import type { CreditState } from '../../../schema/values/articles.ts'
import { creditBudget, creditsThisMonth, NO_LIMIT } from '../../accounts/policy/parts.ts'
import { includedCredits, PLANS_WITH_WRITER } from '../../platform/accounts/plans.ts'
import { at } from '../../platform/db/instant.ts'
import { monthStart } from '../../platform/lib/time.ts'
import { isBlankContent, isMoveAllowed } from './parts.ts'
import { OWN_CHARACTERS } from './rules.ts'

/** Most articles of an account that are ranked, the earliest dates first. */
const RANKED = sql.raw('2000')

/**
 * SQL condition: the writer takes the article when its date is near. It is planned, no caller claimed it, and the writer has
 * not written it.
 *
 * Its content is shorter than 2,000 characters and serves as notes. After its date, only an article with nothing to show is
 * taken. Other articles are published as they are.
 */
export const isToWrite = (now: Date): SQL => {
  const { scheduledAt, publishState, dueTakenAt, content } = articles
  const nothing = isBlankContent()
  return sql`${and(isMoveAllowed('write', now), isNull(articles.claimedAt), isNull(articles.writtenAt))}
    and length(${content}) < ${sql.raw(String(OWN_CHARACTERS))} and (${scheduledAt} > ${at(now)} or ${nothing})
    and (${oneOf(publishState, ['idle'])} and ${dueTakenAt} is null or ${oneOf(publishState, ['failed'])} and ${nothing})`
}

/**
 * Selects articles with their turns: `turn` within their project, and `nth` within their account, both in the order of dates.
 *
 * `rows` has `id`, `account_id`, `project_id`, `scheduled_at`, the `month` whose credits pay, and the project's `budget_left` of
 * it. An article over its project's budget uses no credit, so it has no turn before another project's.
 */
export const inTurn = (rows: SQL): SQL => sql`
  select *, row_number() over (partition by account_id, month, is_over_budget order by scheduled_at, id) as nth
  from (select *, turn > budget_left as is_over_budget
    from (select *, row_number() over (partition by project_id, month order by scheduled_at, id) as turn from ${rows} given) placed) judged`

/** Article as if it had a date and were to be written. */
export type Supposed = { id: number; at: Date }

/** Changes to rank with: articles to leave out, and articles as if they had other dates. */
export type Instead = { without?: readonly (number | SQL)[]; supposed?: readonly Supposed[] }

const monthOf = (date: SQL): SQL => sql`date_trunc('month', ${date} at time zone 'UTC')`

const filledTo = sql`${includedCredits(sql`${accounts.plan}`)} * ${accounts.activeProjects}`

/**
 * Begins a query over `turns`: the articles of an account that wait for the writer, with their turns in each month (UTC) and the
 * `credits` of that month.
 *
 * A later month has the credits that it is filled up to. Late articles wait for credits of this month.
 */
export const withTurns = (account: SQL, now: Date, { without = [], supposed = [] }: Instead = {}): SQL => {
  const left = [...without, ...supposed.map(({ id }) => id)].map((id) => sql`${id}::int`)
  const kept = left.length === 0 ? sql`` : sql`and ${articles.id} not in (${sql.join(left, sql`, `)})`
  const columns = sql`${articles.id}, ${articles.accountId}, ${articles.projectId}, ${articles.title}, ${articles.mainKeyword} as keyword`
  const others = supposed.map(
    ({ id, at: date }) => sql`union all (select ${columns}, ${at(date)} from ${articles}
      where ${articles.id} = ${id}::int and ${articles.accountId} = ${account})`,
  )
  const isNow = sql`month = ${monthOf(at(now))}`
  return sql`
    with dated as materialized ((
      select ${columns}, ${articles.scheduledAt} from ${articles}
      where ${articles.accountId} = ${account} and ${articles.scheduledAt} is not null and ${isToWrite(now)} ${kept}
      order by ${articles.scheduledAt}, ${articles.id} limit ${RANKED}) ${sql.join(others, sql` `)}),
    budgets as materialized (
      select ${projects.id}, ${creditBudget} as most, ${creditBudget} - ${creditsThisMonth(now)} as rest from ${projects}
      where ${projects.id} in (select project_id from dated) and ${eq(projects.status, 'Active')}),
    purse as materialized (
      select ${accounts.articleCredits} as rest, greatest(${accounts.articleCredits}, ${filledTo}) as most from ${accounts}
      where ${accounts.id} = ${account} and ${accounts.suspendedAt} is null and ${accounts.plan} in (${PLANS_WITH_WRITER})),
    turns as materialized (${inTurn(sql`(
      select dated.*, month, case when ${isNow} then budgets.rest else budgets.most end as budget_left,
        case when ${isNow} then purse.rest else purse.most end as credits
      from dated cross join lateral (select ${monthOf(sql`greatest(dated.scheduled_at, ${at(now)})`)} as month) of_date
        join budgets on budgets.id = dated.project_id cross join purse)`)})`
}

/** Place of an article in the order of dates: its date (ms) and id. */
type Turn = readonly [at: number, id: number]

/** Credits of an account and a project, and the last articles that they reach. */
export type Reach = {
  /** Article credits of the account that are left this month, and those of each later month. */
  credits: number
  monthly: number
  /** Credits that the project's policy allows a month, and the rest of this month; null: any. */
  budget: number | null
  budget_left: number | null
  /** Articles of the account that the credits of this month reach. */
  taken: number
  /** By month (`YYYY-MM`): the articles that use its last credit, and the last one of the project's budget. */
  ends: Readonly<Record<string, { credits: Turn | null; budget: Turn | null }>>
}

/** SQL expression for the `Reach` of a project, in a query that began with `withTurns`. */
export const reachOf = (project: SQL, now: Date): SQL => {
  const place = sql`array[round(date_part('epoch', scheduled_at) * 1000), id]`
  const limited = (amount: SQL) => sql`case when ${creditBudget} < ${NO_LIMIT} then ${amount} end`
  return sql`(select jsonb_build_object('credits', ${accounts.articleCredits}, 'monthly', greatest(${accounts.articleCredits}, ${filledTo}),
    'budget', ${limited(creditBudget)}, 'budget_left', ${limited(sql`${creditBudget} - ${creditsThisMonth(now)}`)},
    'taken', (select count(*) from turns where month = ${monthOf(at(now))} and not is_over_budget and nth <= credits),
    'ends', (select coalesce(jsonb_object_agg(to_char(month, 'YYYY-MM'), jsonb_build_object('credits', paid, 'budget', allowed)), '{}')
      from (select month, max(${place}) filter (where not is_over_budget and nth = credits) as paid,
        max(${place}) filter (where project_id = ${projects.id} and turn = budget_left) as allowed from turns group by month) ended
      where paid is not null or allowed is not null))
    from ${projects} join ${accounts} on ${accounts.id} = ${projects.accountId} where ${projects.id} = ${project})`
}

const isAfter = (at: number, id: number, turn: Turn | null | undefined): boolean =>
  Boolean(turn && (at > turn[0] || (at === turn[0] && id > turn[1])))

/** Returns whether a credit is left for an article with a date, how many its month has, and if that month is to come. */
export const creditFor = ({ id, at }: Supposed, reach: Reach, now: Date) => {
  const month = monthStart(at > now ? at : now)
  const isLater = month > monthStart(now)
  const [credits, budget] = isLater ? [reach.monthly, reach.budget] : [reach.credits, reach.budget_left]
  const end = reach.ends[month.toISOString().slice(0, 7)]
  const isOver = budget !== null && (budget <= 0 || isAfter(at.getTime(), id, end?.budget))
  const isNone = credits <= 0 || isAfter(at.getTime(), id, end?.credits)
  const state: CreditState = isOver ? 'over_budget' : isNone ? 'none_left' : 'left'
  return { state, credits, isLater }
}

/** Most articles that are listed as out of reach. */
const LISTED = sql.raw('100')

/** Article with a date for which no credit is left. `total`: how many there are. */
export type Unreached = {
  id: number
  title: string
  keyword: string
  scheduled_at: string
  credit: Exclude<CreditState, 'left'>
  total: number
}

/** SQL expression for the first articles of a project for which no credit is left, in a query that began with `withTurns`. */
export const unreachedOf = (project: SQL): SQL<Unreached[]> => sql`(select coalesce(jsonb_agg(unreached), '[]') from (
  select id, title, keyword, to_char(scheduled_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as scheduled_at,
    case when is_over_budget then 'over_budget' else 'none_left' end as credit, count(*) over () as total
  from turns where project_id = ${project} and (is_over_budget or nth > credits)
  order by turns.scheduled_at, id limit ${LISTED}) unreached)`
