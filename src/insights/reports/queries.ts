import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import { literals } from '../../../schema/columns.ts'
import { projects } from '../../../schema/projects.ts'
import { monthlyReports } from '../../../schema/reports.ts'
import type { LinkStatus } from '../../../schema/values/exchange.ts'
import type { IndexState } from '../../../schema/values/indexing.ts'
import { ARRIVED_STATUSES } from '../../../schema/values/publishing.ts'
import type { MonthFigures } from '../../../schema/values/reports.ts'
import type { SCAN_STATES } from '../../../schema/values/visibility.ts'
import { statusAllows } from '../../content/articles/parts.ts'
import type { Db } from '../../platform/db/client.ts'
import { at } from '../../platform/db/instant.ts'

/** Most reports in a list: two years. */
const MOST = 24

const NOT_MEASURED = literals(['not_measured'] satisfies IndexState[])
const INDEXED = literals(['indexed'] satisfies IndexState[])
const COMPLETED = literals(['completed'] satisfies (typeof SCAN_STATES)[number][])
const LIVE = literals(['Verified'] satisfies LinkStatus[])

type Found = { month: string; first: string; made_at: string | null; figures: MonthFigures }

/**
 * Selects the report of a month of a project, or else its figures as they are now. `month` is its first day; null: the last month.
 * No row for a month that is not over.
 */
export const monthOf = (db: Db, projectId: number, month: string | null, now: Date) => {
  const inMonth = (column: SQL): SQL => sql`${column} >= m.starts and ${column} < m.ends`
  const days = (rest: SQL): SQL => sql`jsonb_build_object('from', to_char(m.first, 'YYYY-MM-DD'),
    'to', to_char(m.last, 'YYYY-MM-DD'), 'days', count(*), 'of', m.last - m.first + 1, ${rest})`
  return db.execute<Found>(sql`
    with m as materialized (
      select p.id, p.timezone, p.backlinks_network, p.credits_month, p.credits_used, first,
        (first + interval '1 month')::date - 1 as last,
        first::timestamp at time zone p.timezone as starts,
        (first + interval '1 month') at time zone p.timezone as ends
      from projects p cross join lateral (select coalesce(${month}::date,
        (date_trunc('month', ${at(now)} at time zone p.timezone) - interval '1 month')::date) as first) f
      where p.id = ${projectId}::int)
    select to_char(m.first, 'YYYY-MM') as month, to_char(m.first, 'YYYY-MM-DD') as first,
      to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as made_at,
      coalesce(r.figures, jsonb_build_object(
      'from', to_char(m.first, 'YYYY-MM-DD'), 'to', to_char(m.last, 'YYYY-MM-DD'), 'timezone', m.timezone,
      'search', (select case when count(*) > 0 then ${days(
        sql`'clicks', coalesce(sum(d.clicks), 0), 'impressions', coalesce(sum(d.impressions), 0)`,
      )} end from search_days d
        where d.source_id = (select source_id from search_connections where project_id = m.id) and d.day between m.first and m.last),
      'published', (select count(distinct (coalesce(d.article_id, -d.id), d.generation)) from deliveries d
        where d.project_id = m.id and d.publishes and ${inMonth(sql`d.created_at`)} and d.status in ${literals(ARRIVED_STATUSES)}),
      'changed', (select count(distinct coalesce(c.article_id, -c.id)) from page_changes c
        where c.project_id = m.id and ${inMonth(sql`c.changed_at`)}),
      'indexed', (select case when count(*) > 0 then jsonb_build_object(
          'n', count(*), 'indexed', count(*) filter (where x.state in ${INDEXED})) end
        from index_states x join articles a on a.id = x.article_id and a.url = x.url
        where x.project_id = m.id and ${statusAllows('sync', 'a')} and x.state not in ${NOT_MEASURED}),
      'citations', (select case when count(*) > 0 then jsonb_build_object(
          'scans', count(*), 'answers', sum(s.answers), 'cited', sum(s.cited)) end
        from visibility_scans s where s.project_id = m.id and s.state in ${COMPLETED} and ${inMonth(sql`s.finished_at`)}),
      'visits', (select case when count(*) > 0 then ${days(
        sql`'visits', (select coalesce(sum(v.count), 0) from traffic_counts v
          where v.project_id = m.id and v.kind = 'visit' and v.day between m.first and m.last)`,
      )} end from traffic_days t where t.project_id = m.id and t.day between m.first and m.last),
      'links', case when m.backlinks_network then jsonb_build_object(
        'received', (select count(*) from exchange_links l where l.to_project_id = m.id and l.status in ${LIVE}),
        'given', (select count(*) from exchange_links l where l.from_project_id = m.id and l.status in ${LIVE})) end,
      'credits', case when m.credits_month = m.first::timestamp at time zone 'UTC' then m.credits_used
        when coalesce(m.credits_month, '-infinity') < m.first::timestamp at time zone 'UTC' then 0 end
    )) as figures
    from m left join monthly_reports r on r.project_id = m.id and r.month = m.first where m.ends <= ${at(now)}`)
}

/** Selects the newest reports of a project. */
export const reportsOf = (db: Db, projectId: number) =>
  db
    .select()
    .from(monthlyReports)
    .where(eq(monthlyReports.projectId, projectId))
    .orderBy(desc(monthlyReports.month))
    .limit(MOST)

/** Selects the report of a link, unless its account is suspended. */
export const reportByToken = (db: Db, tokenHash: string) =>
  db
    .select({
      month: monthlyReports.month,
      figures: monthlyReports.figures,
      madeAt: monthlyReports.createdAt,
      name: projects.businessName,
      url: projects.websiteUrl,
      color: sql<string | null>`${projects.imagePreferences} ->> 'brand_color'`,
    })
    .from(monthlyReports)
    .innerJoin(projects, eq(projects.id, monthlyReports.projectId))
    .innerJoin(accounts, eq(accounts.id, projects.accountId))
    .where(and(eq(monthlyReports.tokenHash, tokenHash), isNull(accounts.suspendedAt)))
