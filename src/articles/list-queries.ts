import { and, desc, eq, gte, inArray, lt, lte, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { articles } from '../../schema/articles.ts'
import { oneOf } from '../../schema/columns.ts'
import { projects } from '../../schema/projects.ts'
import { ARTICLE_STATUSES } from '../../schema/values/articles.ts'
import { ownedRows } from '../db/account-rows.ts'
import type { Db } from '../db/client.ts'
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

/** Title or keyword contains: the index finds candidates in both at once, each by itself decides. */
const contains = (q: string): SQL => {
  const pattern = sql`lower(${`%${q.replace(/[\\%_]/g, '\\$&')}%`})`
  return sql`${articles.searchText} like ${pattern} and (lower(${articles.title}) like ${pattern} or lower(${articles.mainKeyword}) like ${pattern})`
}

/** Whose rows, below which id, and every filter but status and state. */
const common = (owner: SQL, input: ListArticlesInput, { beforeId }: Paging): (SQL | undefined)[] => [
  ownedRows(articles, owner, input.project_id),
  beforeId === undefined ? undefined : lt(articles.id, beforeId),
  input.q ? contains(input.q) : undefined,
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

/** The ids of a page, from the newest rows of each combination. */
const newestOf = (db: Db, of: readonly SQL[], where: (SQL | undefined)[], { limit, offset }: Paging): SQL => {
  const newest = of.map(
    (one) =>
      sql`(${db
        .select({ id: articles.id })
        .from(articles)
        .innerJoin(projects, eq(projects.id, articles.projectId))
        .where(and(...where, one))
        .orderBy(desc(articles.id))
        .limit(limit + offset + 1)})`,
  )
  return sql`(select id from (${sql.join(newest, sql` union all `)}) newest order by id desc limit ${limit + 1}::int offset ${offset}::int)`
}

/** The caller's articles, newest first, one more than the page shows. */
export const listRows = (db: Db, owner: SQL, input: ListArticlesInput, paging: Paging) => {
  const where = common(owner, input, paging)
  const of = combinations(input)
  const rows = db.select(rowColumns).from(articles).innerJoin(projects, eq(projects.id, articles.projectId)).$dynamic()
  if (of.length > 1) return rows.where(inArray(articles.id, newestOf(db, of, where, paging))).orderBy(desc(articles.id))
  return rows
    .where(and(...where, ...of))
    .orderBy(desc(articles.id))
    .limit(paging.limit + 1)
    .offset(paging.offset)
}
