import { and, desc, gte, inArray, lt, lte, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { articleSpan, articles } from '../../schema/articles.ts'
import { oneOf } from '../../schema/columns.ts'
import { ARTICLE_STATUSES } from '../../schema/values/articles.ts'
import { ownedBy, ownedRows } from '../db/account-rows.ts'
import type { Db } from '../db/client.ts'
import { keptQuery, type Place } from '../db/kept-query.ts'
import { newestIds } from '../db/newest-ids.ts'
import { newestRows } from '../db/newest-rows.ts'
import type { Paging } from '../lib/paging.ts'
import { DAY_MS, readTime } from '../lib/time.ts'
import { rowColumns } from './queries.ts'
import type { ListArticlesInput } from './schemas.ts'

/** More than any clock is ahead of UTC or behind it. */
const WIDEST_OFFSET_MS = 15 * 3_600_000
/**
 * A bound by wall time, by the clock of each article's project. Days count as a whole.
 *
 * The index narrows by instant first. What lies further inside than any clock is off needs no zone: it is asked for near the bound only.
 */
const bound = (column: AnyPgColumn, text: string, after: boolean): SQL => {
  const time = readTime(text)
  const inside = after ? gte : lte
  if (time.instant) return inside(column, time.instant)
  const wallMs = Date.parse(`${time.wall}Z`) + (time.dateOnly && !after ? DAY_MS - 1 : 0)
  const inward = after ? WIDEST_OFFSET_MS : -WIDEST_OFFSET_MS
  const local = sql`(${column} at time zone (select timezone from projects where projects.id = articles.project_id))`
  const wall = sql`${new Date(wallMs).toISOString().slice(0, -1)}::timestamp`
  return sql`${inside(column, new Date(wallMs - inward))}
    and (${inside(column, new Date(wallMs + inward))} or ${local} ${sql.raw(after ? '>=' : '<=')} ${wall})`
}

/**
 * Title or keyword contains: `search_text` is both with a space between, and has an index.
 *
 * What has no space in it stands in one of the two wherever it is found; what has one is looked for in each by itself too.
 */
const contains = (q: string, row: SQL = sql`articles`): SQL => {
  const pattern = sql`lower(${`%${q.replace(/[\\%_]/g, '\\$&')}%`})`
  const either = sql`${row}.search_text like ${pattern}`
  if (!q.includes(' ')) return either
  return sql`${either} and (lower(${row}.title) like ${pattern} or lower(${row}.main_keyword) like ${pattern})`
}

/** How many of the newest rows are looked at one by one first. */
const NEWEST = sql.raw('1000')
/** How many where that is likely to be enough, or where the index does not know the word. */
const NEWEST_AT_MOST = sql.raw('20000')
/** As many rows as `NEWEST_AT_MOST` are likely to have so many times as many hits. */
const TIMES = sql.raw('20')
/** How many spans of ids the index of words is asked for before it is asked for all. */
const SPANS = sql.raw('8')
/** It is asked for them where the newest rows lie within so many ids: then they are likely to have many times as many rows. */
const DENSE = sql.raw('16384')

/** Whether the index of words knows what is looked for: three letters or digits in a row. Other words look at the newest rows only. */
export const isIndexed = (q: string): boolean => /[\p{L}\p{N}]{3}/u.test(q)

/** Whose rows, below which id, and every filter but status, state and words. */
const filters = (owner: SQL, input: ListArticlesInput, { beforeId }: Paging): (SQL | undefined)[] => [
  ownedRows(articles, owner, input.project_id),
  beforeId === undefined ? undefined : lt(articles.id, beforeId),
  input.updated_after ? bound(articles.updatedAt, input.updated_after, true) : undefined,
  input.scheduled_after ? bound(articles.scheduledAt, input.scheduled_after, true) : undefined,
  input.scheduled_before ? bound(articles.scheduledAt, input.scheduled_before, false) : undefined,
]

/**
 * A condition for each combination of the statuses and states asked for. Each has an index that holds its rows by id, so
 * the newest of a combination are found without reading past others.
 */
const combinations = ({ status, publish_state: states }: ListArticlesInput): SQL[] => {
  if (!states) return (status ?? []).map((one) => oneOf(articles.status, [one]))
  return (status ?? ARTICLE_STATUSES).flatMap((one) =>
    states.map((state) => sql`${oneOf(articles.status, [one])} and ${oneOf(articles.publishState, [state])}`),
  )
}

/** A select's rows: all articles that pass, or those of a source that has an article's columns. */
type Rows = (source?: SQL) => SQL

const rowsWhere =
  (where: readonly (SQL | undefined)[]): Rows =>
  (source = sql`${articles}`) =>
    sql`from ${source} where ${and(...where)}`

const NEWEST_FIRST = sql`order by ${articles.id} desc`

/**
 * The ids with `q` from the newest spans of the account, newest first, while `unless` does not hold.
 *
 * Span by span the index of words is asked for, until enough are found. Each search goes by that index alone, and what else is asked
 * for is looked at afterwards (`offset 0`): else another index might seem cheaper.
 */
const inSpans = (q: string, owner: SQL, rows: Rows, most: number, unless: SQL): SQL => {
  const spans = sql`select ${articleSpan(owner, sql`first.id`)} - step as span
    from near first, near last, generate_series(0, ${SPANS} - 1) step
    where not ${unless} and first.n = 1 and last.n = ${NEWEST} and first.id - last.id < ${DENSE} order by 1 desc`
  const ofOne = sql`(select * from ${articles} where ${articleSpan(articles.accountId, articles.id)} = spans.span and ${contains(q)} offset 0) articles`
  return sql`select a.id from (${spans}) spans, lateral (select ${articles.id} as id ${rows(ofOne)}) a
    order by spans.span desc, a.id desc limit ${most}::int`
}

/**
 * The newest ids of one combination that contain `q`.
 *
 * First the newest rows are read until enough are found, which ends soon for a common word: a few, then more where so many hits are
 * among the few that more of them are likely to be enough. Then the index of words is asked for the newest spans, and only where they
 * are not enough for all that have it; where there are no more rows than the few (`near` has the first and the last of them, hit or
 * not) it is not asked at all.
 */
const newestWith = (q: string, owner: SQL, rows: Rows, most: number): SQL => {
  const looked = (length: SQL): SQL =>
    sql`(select ${articles.id} as id, ${articles.searchText}, ${articles.title}, ${articles.mainKeyword} ${rows()} ${NEWEST_FIRST} limit ${length})`
  const among = (length: SQL): SQL =>
    sql`select a.id from ${looked(length)} a where ${contains(q, sql`a`)} order by a.id desc limit ${most}::int`
  if (!isIndexed(q)) return sql`(${among(NEWEST_AT_MOST)})`
  const near = sql`select id, n, is_hit from
      (select a.id, row_number() over (order by a.id desc) as n, ${contains(q, sql`a`)} as is_hit from ${looked(NEWEST)} a) a
    where is_hit or n = 1 or n = ${NEWEST} order by id desc limit ${most + 1}::int`
  const hits = sql`(select count(*) from near where is_hit)`
  const further = among(
    sql`case when ${hits} < ${most}::int and ${hits} * ${TIMES} >= ${most}::int then ${NEWEST_AT_MOST} else 0 end`,
  )
  const isFull = (...steps: readonly string[]): SQL =>
    sql`greatest(${hits}, ${sql.raw(steps.map((step) => `(select count(*) from ${step})`).join(', '))}) >= ${most}::int`
  return sql`(with near as materialized (${near}),
    further as materialized (${further}),
    spanned as materialized (${inSpans(q, owner, rows, most, isFull('further'))})
    select id from near where is_hit union select id from further union select id from spanned union
    (select ${articles.id} ${rows()} and ${articles.accountId} = ${owner} and ${contains(q)}
      and not ${isFull('further', 'spanned')} and exists (select from near where n = ${NEWEST}) ${NEWEST_FIRST} limit ${most}::int))`
}

type PagePlaces = { projectId?: Place; beforeId?: Place; limit: Place; offset?: Place }

const zoned = {
  ...rowColumns,
  timezone: sql<string>`(select timezone from projects where projects.id = articles.project_id)`,
}

/** A page without any filter but these, as almost every list is asked for; ids first, as in `newestIds`, only where rows are skipped. */
const plainPage = keptQuery((db, { projectId, beforeId, limit, offset }: PagePlaces, owner) => {
  const of = ownedBy(articles, owner, projectId)
  const { where, order } = newestRows(articles, of, { limit, beforeId })
  if (!offset) return db.select(zoned).from(articles).where(where).orderBy(order)
  const ids = sql`(select ${articles.id} from ${articles} where ${where} order by ${order} offset ${offset}::int)`
  return db.select(zoned).from(articles).where(inArray(articles.id, ids)).orderBy(desc(articles.id))
})

const PLAIN: readonly string[] = ['limit', 'offset', 'before_id', 'project_id']

/** Whether a list is asked for by nothing but project and page. */
const isPlain = (input: ListArticlesInput): boolean =>
  Object.entries(input).every(([name, value]) => value === undefined || PLAIN.includes(name))

/** The caller's articles, newest first, one more than the page shows. */
export const listRows = (db: Db, owner: SQL, input: ListArticlesInput, paging: Paging) => {
  if (isPlain(input)) {
    const { limit, offset, beforeId } = paging
    return plainPage(
      db,
      { projectId: input.project_id, beforeId, limit: limit + 1, offset: offset || undefined },
      owner,
    )
  }
  return filteredRows(db, owner, input, paging)
}

const filteredRows = (db: Db, owner: SQL, input: ListArticlesInput, paging: Paging) => {
  const { limit, offset } = paging
  const q = input.q || undefined
  const shown = (ids: SQL) =>
    db.select(zoned).from(articles).where(inArray(articles.id, ids)).orderBy(desc(articles.id))
  const of = combinations(input)
  if (q === undefined) return shown(newestIds(articles, filters(owner, input, paging), paging, of))
  const asking = sql`(select account_id from asking)`
  const where = filters(asking, input, paging)
  const most = limit + offset + 1
  const newest = (of.length > 0 ? of : [undefined]).map((one) =>
    newestWith(q, asking, rowsWhere([...where, one]), most),
  )
  // Who asks is found once: each place where it stood would be planned by itself.
  return shown(sql`(with asking as materialized (select ${owner} as account_id)
    select id from (${sql.join(newest, sql` union all `)}) newest order by id desc limit ${limit + 1}::int offset ${offset}::int)`)
}
