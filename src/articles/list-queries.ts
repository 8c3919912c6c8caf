import { and, desc, eq, gte, inArray, lt, lte, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { articles } from '../../schema/articles.ts'
import { oneOf } from '../../schema/columns.ts'
import { projects } from '../../schema/projects.ts'
import { ARTICLE_STATUSES } from '../../schema/values/articles.ts'
import { ownedBy, ownedRows } from '../db/account-rows.ts'
import type { Db } from '../db/client.ts'
import { keptQuery, type Place } from '../db/kept-query.ts'
import { newestIds } from '../db/newest-ids.ts'
import { newestRows } from '../db/newest-rows.ts'
import type { Paging } from '../lib/paging.ts'
import { readTime } from '../lib/time.ts'
import { rowColumns } from './queries.ts'
import type { ListArticlesInput } from './schemas.ts'

const WIDEST_OFFSET = sql`interval '15 hours'`

/** A bound by wall time: the index narrows by instant first, the project's zone decides. Days count as a whole. */
const bound = (column: AnyPgColumn, text: string, after: boolean): SQL => {
  const time = readTime(text)
  if (time.instant) return (after ? gte : lte)(column, time.instant)
  const wholeDay = time.dateOnly && !after
  const wall = wholeDay ? sql`(${time.wall}::timestamp + interval '1 day - 1 ms')` : sql`${time.wall}::timestamp`
  const local = sql`(${column} at time zone ${projects.timezone})`
  const edge = sql`(${wall} at time zone 'UTC')`
  return after
    ? sql`${column} >= ${edge} - ${WIDEST_OFFSET} and ${local} >= ${wall}`
    : sql`${column} <= ${edge} + ${WIDEST_OFFSET} and ${local} <= ${wall}`
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

/** Whether the index of words knows what is looked for: three letters or digits in a row. Other words look at the newest rows only. */
export const isIndexed = (q: string): boolean => /[\p{L}\p{N}]{3}/u.test(q)

/** Whose rows, below which id, and every filter but status, state and words. */
const common = (owner: SQL, input: ListArticlesInput, { beforeId }: Paging): (SQL | undefined)[] => [
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

/** Whether a bound may be a wall time, which only the project's zone makes an instant of. */
const isBounded = (input: ListArticlesInput): boolean =>
  Boolean(input.updated_after || input.scheduled_after || input.scheduled_before)

const rowsWhere = (where: readonly (SQL | undefined)[], withProjects: boolean): SQL =>
  sql`from ${articles} ${withProjects ? sql`inner join ${projects} on ${eq(projects.id, articles.projectId)}` : sql``} where ${and(...where)}`

const NEWEST_FIRST = sql`order by ${articles.id} desc`

/** The newest ids of one combination; its rows from `rowsWhere`. */
const newestOf = (rows: SQL, most: number): SQL =>
  sql`(select ${articles.id} as id ${rows} ${NEWEST_FIRST} limit ${most}::int)`

/**
 * The newest ids of one combination that contain `q`; its rows from `rowsWhere`.
 *
 * First the newest rows are read until enough are found, which ends soon for a common word: a few, then more where so many hits are
 * among the few that more of them are likely to be enough. Only then the index of words is asked, which tells of all that have it.
 */
const newestWith = (q: string, owner: SQL, rows: SQL, most: number): SQL => {
  const among = (looked: SQL): SQL =>
    sql`select a.id from (select ${articles.id} as id, ${articles.searchText}, ${articles.title}, ${articles.mainKeyword}
      ${rows} ${NEWEST_FIRST} limit ${looked}) a where ${contains(q, sql`a`)} order by a.id desc limit ${most}::int`
  if (!isIndexed(q)) return sql`(${among(NEWEST_AT_MOST)})`
  const isLikely = sql`(select count(*) < ${most}::int and count(*) * ${TIMES} >= ${most}::int from near)`
  const isFound = sql`greatest((select count(*) from near), (select count(*) from further)) >= ${most}::int`
  return sql`(with near as materialized (${among(NEWEST)}),
    further as materialized (${among(sql`case when ${isLikely} then ${NEWEST_AT_MOST} else 0 end`)})
    select id from near union select id from further union
    (select ${articles.id} ${rows} and ${articles.accountId} = ${owner} and ${contains(q)} and not ${isFound} ${NEWEST_FIRST} limit ${most}::int))`
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
  const where = common(owner, input, paging)
  const of = combinations(input)
  const rows = db.select(rowColumns).from(articles).innerJoin(projects, eq(projects.id, articles.projectId)).$dynamic()
  if (q === undefined && !isBounded(input))
    return rows.where(inArray(articles.id, newestIds(articles, where, paging, of))).orderBy(desc(articles.id))
  if (of.length <= 1 && q === undefined)
    return rows
      .where(and(...where, ...of))
      .orderBy(desc(articles.id))
      .limit(limit + 1)
      .offset(offset)
  const most = limit + offset + 1
  const newest = (of.length > 0 ? of : [undefined]).map((one) => {
    const from = rowsWhere([...where, one], isBounded(input))
    return q === undefined ? newestOf(from, most) : newestWith(q, owner, from, most)
  })
  const page = sql`(select id from (${sql.join(newest, sql` union all `)}) newest order by id desc limit ${limit + 1}::int offset ${offset}::int)`
  return rows.where(inArray(articles.id, page)).orderBy(desc(articles.id))
}
