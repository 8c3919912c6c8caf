import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import { articles } from '../../../schema/articles.ts'
import { projects } from '../../../schema/projects.ts'
import type { PublishState } from '../../../schema/values/articles.ts'
import { creditBudget, creditsSpent, creditsThisMonth } from '../../accounts/policy/parts.ts'
import { PLANS_WITH_WRITER } from '../../platform/accounts/plans.ts'
import { rowsOf } from '../../platform/db/client.ts'
import { at } from '../../platform/db/instant.ts'
import { audit } from '../../platform/db/writes.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import type { Deps } from '../../platform/runtime/ctx.ts'
import { statusAllows } from '../articles/parts.ts'
import { statusAfter } from '../articles/transitions.ts'
import { inTurn, isToWrite } from '../articles/turns.ts'
import { writeJob } from './jobs.ts'
import { progressOf } from './rules.ts'

/** Time before its date at which the writer may claim an article. */
const WINDOW = sql`interval '72 hours'`
/** Most articles considered, and claimed, in one run, and most articles being written at once in one project. */
const LOOKED_AT = sql.raw('200')
const TAKEN_AT_ONCE = sql.raw('25')
const PER_PROJECT = sql.raw('3')
/** Delay until the next attempt if the account has no credit. */
const WITHOUT_CREDIT = sql`interval '1 hour'`
const NO_CREDIT_LEFT = 'The writer could not begin: the account has no article credit left.'
const NO_CREDIT = `${NO_CREDIT_LEFT} It tries again when there is one; to write the article yourself, save its content with PUT /articles/`

const FAILED: PublishState = 'failed'
const OVER_BUDGET =
  'The writer did not begin: the monthly budget of the project’s policy has no article credit left. It begins when a person raises it, or next month (UTC).'

/** SQL condition: the writer may claim a planned article now. Its date is near, and no delay of it lasts. */
const isOpen = (now: Date): SQL =>
  sql`${isToWrite(now)} and ${articles.scheduledAt} <= ${at(now)} + ${WINDOW}
    and (${articles.writeAfter} is null or ${articles.writeAfter} <= ${at(now)})`

/**
 * Claims planned articles for the writer, with a credit for each, in one statement.
 *
 * The rows of the account, the project and the article are locked in this order, and checked again. So an article is claimed
 * only once.
 *
 * `only` limits it to one article. Articles without a credit of the account or a budget of the project get an error message.
 */
const claimToWrite = (now: Date, only: number | null): SQL<{ taken: number; unpaid: number }> => {
  const byCron = { actor: () => 'cron:minute', now: () => now }
  const isWanted = and(isOpen(now), only === null ? undefined : eq(articles.id, only))
  const isServed = and(eq(accounts.id, articles.accountId), isNull(accounts.suspendedAt))
  const isWaiting = sql`${statusAllows('write')} and ${isNull(articles.writingStartedAt)}`
  const { creditsMonth, creditsUsed } = creditsSpent(now, sql`spent.count`)
  const noCredit = (article: SQL) => sql`${NO_CREDIT}::text || ${article}.id || '.'`
  return sql`
    with open as (
      -- The nearest of each project first.
      select ${articles.id}, ${articles.accountId}, ${articles.projectId}, ${articles.scheduledAt},
        row_number() over (partition by ${articles.projectId} order by ${articles.scheduledAt}, ${articles.id}) as place
      from ${articles} join ${projects} on ${eq(projects.id, articles.projectId)} and ${eq(projects.status, 'Active')}
        join ${accounts} on ${isServed} and ${accounts.plan} in (${PLANS_WITH_WRITER})
      where ${isWanted}),
    near as materialized (
      -- As many as each project may still have written at once.
      select id, account_id, project_id, scheduled_at from open where place <= ${PER_PROJECT} and place + (
        select count(*) from ${articles} where ${articles.projectId} = open.project_id and ${statusAllows('finish_generation')}) <= ${PER_PROJECT}
      order by scheduled_at, id limit ${LOOKED_AT}),
    balances as materialized (
      select id, article_credits as credits from accounts where id in (select account_id from near)
      order by id for no key update skip locked),
    budgets as materialized (
      select ${projects.id}, ${at(creditsMonth)} as month, ${creditsThisMonth(now)} as used, ${creditBudget} as most from ${projects}
      where ${projects.id} in (select project_id from near) and exists (select 1 from balances)
      order by ${projects.id} for no key update of ${projects} skip locked),
    ranked as materialized (
      ${inTurn(sql`(
        select near.*, balances.credits, budgets.month, budgets.most - budgets.used as budget_left
        from near join balances on balances.id = near.account_id join budgets on budgets.id = near.project_id)`)}),
    chosen as materialized (
      select id from ranked where nth <= credits and not is_over_budget order by scheduled_at, id limit ${TAKEN_AT_ONCE}),
    locked as materialized (
      select ${articles.id}, ${articles.content} from ${articles} where ${articles.id} in (select id from chosen) and ${isOpen(now)}
      order by ${articles.id} for no key update of ${articles} skip locked),
    taken as (
      update articles set status = ${statusAfter('write')}, writing_started_at = ${at(now)}, generation_error = null,
        progress = ${JSON.stringify(progressOf(null, 0))}::jsonb, updated_at = ${at(now)}
      from locked where articles.id = locked.id
      returning articles.id, articles.account_id, articles.project_id, locked.content),
    spent as (select project_id, count(*) as count from taken group by project_id),
    budgeted as (
      update projects set credits_month = ${at(creditsMonth)}, credits_used = ${creditsUsed}
      from spent where projects.id = spent.project_id),
    paid as (
      update accounts set article_credits = article_credits - counts.count
      from (select account_id, count(*) as count from taken group by account_id) as counts where accounts.id = counts.account_id),
    begun as (
      -- A new writing each, or the one that was given up before, from its beginning.
      insert into article_writings as w (article_id, kind, notes, credit_taken, started_at, updated_at)
      select id, 'scheduled', content, true, ${at(now)}, ${at(now)} from taken
      on conflict (article_id) do update set kind = excluded.kind, notes = excluded.notes, credit_taken = true, updated_at = excluded.updated_at,
        brief = null, outline = null, sections = '[]', repairs = 0, failures = 0, step = w.step + 1),
    queued as (${enqueue(
      writeJob,
      { article_id: sql`taken.id` },
      { account: sql`taken.account_id`, from: sql`taken`, if: 'always', runAt: now, open: 'move' },
    )}),
    audited as (${audit(byCron, {
      account: sql`taken.account_id`,
      action: 'article.taken_by_writer',
      on: ['article', sql`taken.id`],
      from: sql`taken`,
      if: 'always',
    })}),
    unpaid as (
      -- Articles their account has no credit for say so, and wait.
      update articles set generation_error = ${noCredit(sql`articles`)}, write_after = ${at(now)} + ${WITHOUT_CREDIT}
      where id in (select id from ranked where nth > credits and not is_over_budget) and id not in (select id from locked) and ${isWaiting}
      returning id, account_id),
    audited_unpaid as (${audit(byCron, {
      account: sql`unpaid.account_id`,
      action: 'article.writing_failed',
      on: ['article', sql`unpaid.id`],
      detail: { reason: NO_CREDIT_LEFT },
      from: sql`unpaid`,
      if: sql`not exists (select 1 from articles before where before.id = unpaid.id and before.generation_error = ${noCredit(sql`before`)})`,
    })}),
    over_budget as (
      -- Articles that the monthly budget of their project's policy has no credit for say so, and wait for another month.
      update articles set generation_error = ${OVER_BUDGET}, publish_state = ${FAILED}, publish_error = ${OVER_BUDGET},
        write_after = ${at(now)} + ${WITHOUT_CREDIT}
      where id in (select id from ranked where is_over_budget) and ${isWaiting}
      returning id, account_id),
    audited_over_budget as (${audit(byCron, {
      account: sql`over_budget.account_id`,
      action: 'article.writing_failed',
      on: ['article', sql`over_budget.id`],
      detail: { reason: OVER_BUDGET, rule: 'monthly_budget' },
      from: sql`over_budget`,
      if: sql`not exists (select 1 from articles before where before.id = over_budget.id and before.publish_error = ${OVER_BUDGET})`,
    })})
    select (select count(*)::int from taken) as taken, (select count(*)::int from unpaid) as unpaid`
}

/**
 * Claims planned articles with a near date for the writer, each once, and never an article that a caller claimed.
 *
 * `only` limits it to one article. Returns how many were claimed, and how many had no credit.
 */
export const claimArticlesToWrite = async (
  deps: Pick<Deps, 'db' | 'now'>,
  only: number | null = null,
): Promise<{ taken: number; unpaid: number }> => {
  const [row] = await rowsOf<{ taken: number; unpaid: number }>(deps.db, claimToWrite(deps.now(), only))
  return row ?? { taken: 0, unpaid: 0 }
}

const { scheduledAt, writeAfter } = articles

/** Articles that the writer may claim, with the wording of their index. */
const WRITABLE = sql`${statusAllows('write')} and ${articles.claimedAt} is null and ${articles.writtenAt} is null
  and ${articles.writingStartedAt} is null`

/** Returns queries for the next time the writer has work: when a date comes near, or a delay ends. */
export const nextToWrite = (now: Date): SQL[] => [
  sql`(select min(${scheduledAt}) - ${WINDOW} from ${articles} where ${WRITABLE} and ${scheduledAt} > ${at(now)} + ${WINDOW})`,
  sql`(select min(${writeAfter}) from ${articles}
    where ${WRITABLE} and ${scheduledAt} <= ${at(now)} + ${WINDOW} and ${writeAfter} > ${at(now)})`,
]
