import { sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { clicksAround, knownDaysAround } from '../search/parts.ts'

/** Days on each side that a change of the same page spoils the comparison of. */
const APART = sql.raw("interval '29 days'")
/** Pages it is compared with, those most like it. */
const MAX_CONTROLS = 100

/** The day of a change, as Search Console counts days. */
const day = sql.raw("(c.changed_at at time zone 'America/Los_Angeles')::date")

export type ChangeRow = {
  changed_at: string
  measured: boolean
  live: boolean
  published_on_day: number | null
  taken_back: boolean
  changed_again: boolean
  connected: boolean
  known_days: number
}

/** A change, and what stands in the way of measuring it. `published_on_day`: how many days before it the article was published. */
export const changeById = (db: Db, id: number) =>
  db.execute<ChangeRow>(sql`
    select to_char(c.changed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as changed_at,
      c.measured_at is not null as measured, coalesce(a.status = 'Published', false) as live,
      extract(day from c.changed_at - a.published_at)::int as published_on_day,
      exists (select 1 from page_changes o where o.article_id = c.article_id and o.id > c.id and o.kind = 'rollback'
        and o.changed_at < c.changed_at + ${APART}) as taken_back,
      exists (select 1 from page_changes o where o.article_id = c.article_id and o.id <> c.id
        and o.changed_at > c.changed_at - ${APART} and o.changed_at < c.changed_at + ${APART}) as changed_again,
      s.source_id is not null as connected,
      (select count(*)::int from (${knownDaysAround(sql.raw('s.source_id'), day)}) k) as known_days
    from page_changes c left join articles a on a.id = c.article_id
      left join search_connections s on s.project_id = c.project_id
    where c.id = ${id}::int`)

export type ClicksRow = { own: boolean; prior: number; before: number; after: number }

/**
 * Clicks of the changed page, then those of the pages most like it in clicks that nobody touched: no change of theirs from 56 days
 * before it to 28 after, and none of them new then.
 */
export const clicksOfChange = (db: Db, id: number) =>
  db.execute<ClicksRow>(sql`
    with c as (select project_id, article_id, ${day} as day from page_changes c where id = ${id}::int),
    sums as materialized (${clicksAround(sql`(select project_id from c)`, sql`(select day from c)`)}),
    pages as (
      select s.*, p.article_id, coalesce(p.article_id = c.article_id, false) as own
      from c cross join sums s left join site_pages p on p.project_id = c.project_id and p.url_key = s.page_key),
    mine as (select coalesce(sum(prior), 0)::int as prior, coalesce(sum(before), 0)::int as before,
      coalesce(sum(after), 0)::int as after from pages where own)
    (select true as own, prior, before, after from mine)
    union all
    (select false, p.prior, p.before, p.after from pages p cross join mine cross join c left join articles a on a.id = p.article_id
      where not p.own and p.prior > 0 and p.before > 0 and (a.published_at is null or a.published_at < c.day - 56)
        and not exists (select 1 from page_changes o where o.article_id = p.article_id
          and o.changed_at > c.day - 57 and o.changed_at < c.day + 30)
      order by abs(ln(p.before + 1) - ln(mine.before + 1)), p.page_key limit ${MAX_CONTROLS}::int)`)
