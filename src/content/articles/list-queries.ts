import { and, desc, eq, gte, inArray, lt, lte, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { articles } from '../../../schema/articles.ts'
import { oneOf } from '../../../schema/columns.ts'
import { projects } from '../../../schema/projects.ts'
import { ARTICLE_STATUSES } from '../../../schema/values/articles.ts'
import { isNotImporting } from '../../accounts/projects/scope.ts'
import { accountOfKey } from '../../platform/accounts/key-owner.ts'
import { type Db, preparedOnce } from '../../platform/db/client.ts'
import { newestPage, newestRows, ownedBy, type Paging } from '../../platform/db/paging.ts'
import { DAY_MS, readTime } from '../../platform/lib/time.ts'
import type { ListArticlesInput } from './operations.ts'
import { rowColumns } from './queries.ts'

/** More than any clock is ahead of UTC or behind it. */
const WIDEST_OFFSET_MS = 15 * 3_600_000
/**
 * Returns a bound by wall time, by the clock of each article's project. Days count as a whole.
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
 * Returns the condition that title or keyword contains a text: `search_text` is both with a space between, and has an index.
 *
 * A text without a space is found in one of the two. A text with a space could match across them, so each is compared by itself too.
 */
const contains = (q: string, row: SQL = sql`articles`): SQL => {
  const pattern = sql`lower(${`%${q.replace(/[\\%_]/g, '\\$&')}%`})`
  const either = sql`${row}.search_text like ${pattern}`
  if (!q.includes(' ')) return either
  return sql`${either} and (lower(${row}.title) like ${pattern} or lower(${row}.main_keyword) like ${pattern})`
}

/** Number of the newest articles that a search reads before it uses the index of words. */
const NEWEST = 3_000
/** Factor by which it reads on if these are likely to be enough: for a word that common the index takes longer. */
const TIMES = 10
/** Number of articles that a search reads if the index does not know the word. */
const NEWEST_FOR_SHORT_WORDS = 20_000

/** True if the index of words knows the search: it needs three letters or digits in a row. Other searches look at the newest rows only. */
export const isIndexed = (q: string): boolean => /[\p{L}\p{N}]{3}/u.test(q)

/** Conditions for all filters but status, state and words. */
const bounds = (input: ListArticlesInput): (SQL | undefined)[] => [
  input.updated_after ? bound(articles.updatedAt, input.updated_after, true) : undefined,
  input.scheduled_after ? bound(articles.scheduledAt, input.scheduled_after, true) : undefined,
  input.scheduled_before ? bound(articles.scheduledAt, input.scheduled_before, false) : undefined,
]

/**
 * Returns a condition for each combination of the statuses and states asked for. Each has an index that holds its rows by id, so
 * the newest of a combination are found without reading past others.
 */
const combinations = ({ status, publish_state: states }: ListArticlesInput): SQL[] => {
  if (!states) return (status ?? []).map((one) => oneOf(articles.status, [one]))
  return (status ?? ARTICLE_STATUSES).flatMap((one) =>
    states.map((state) => sql`${oneOf(articles.status, [one])} and ${oneOf(articles.publishState, [state])}`),
  )
}

/** The column and value that select the caller's rows, and all conditions but words. */
type Among = {
  of: readonly [AnyPgColumn, SQL]
  owner: SQL
  filters: readonly (SQL | undefined)[]
  beforeId: number | undefined
}

/**
 * Returns a subquery for the newest ids with `q`, in two steps.
 *
 * First the newest rows are read until `most` are found, and more of them for a common word. If these are not enough, and there
 * are older rows, the index of words is used.
 */
const newestWith = (q: string, { of, owner, filters, beforeId }: Among, most: number): SQL => {
  const walk = (limit: SQL) => {
    const { where, order } = newestRows(articles, of, { limit, beforeId })
    return sql`from ${articles} where ${and(where, ...filters)} order by ${order}`
  }
  // Ordered as the walk is, so that it ends as soon as enough are found.
  const newest = (limit: SQL): SQL =>
    sql`select a.id from (select ${of[0]} as whose, ${articles.id} as id, ${articles.searchText}, ${articles.title}, ${articles.mainKeyword}
      ${walk(limit)}) a where ${contains(q, sql`a`)} order by a.whose desc, a.id desc limit ${most}::int`
  if (!isIndexed(q)) return sql`(${newest(sql`${NEWEST_FOR_SHORT_WORDS}`)})`
  const hits = sql`(select count(*) from newest)`
  const isCommon = sql`${hits} < ${most}::int and ${hits} * ${TIMES}::int >= ${most}::int`
  const older = beforeId === undefined ? undefined : lt(articles.id, beforeId)
  return sql`(with newest as materialized (${newest(sql`${NEWEST}`)}),
    further as materialized (${newest(sql`case when ${isCommon} then ${NEWEST * TIMES}::int else 0 end`)})
    select id from newest union select id from further union
    (select ${articles.id} from ${articles}
      where ${and(eq(...of), older, ...filters)} and ${articles.accountId} = ${owner} and ${contains(q)}
        and greatest(${hits}, (select count(*) from further)) < ${most}::int and exists (select ${walk(sql`1`)} offset ${NEWEST}::int)
      order by ${articles.id} desc limit ${most}::int))`
}

const zoned = {
  ...rowColumns,
  timezone: sql<string>`(select timezone from projects where projects.id = articles.project_id)`,
}

/** True if a list is asked for without any filter, from the newest article on. */
export const isFirstPage = ({ limit: _, offset = 0, ...filters }: ListArticlesInput): boolean =>
  offset === 0 && Object.values(filters).every((value) => value === undefined)

/** The newest articles of a key's account, prepared: with `keyHash` and `limit`. */
export const preparedFirstPage = preparedOnce((db) => {
  const owner = accountOfKey(sql.placeholder('keyHash'))
  const of = ownedBy(articles, owner, undefined)
  const { where, order } = newestRows(articles, of, { limit: sql.placeholder('limit'), beforeId: undefined })
  const shown = and(where, isNotImporting(articles.projectId, owner))
  return db.select(zoned).from(articles).where(shown).orderBy(order).prepare('first_page')
})

/** Returns the caller's articles, newest first, one more than the page shows. */
export const listRows = (db: Db, owner: SQL, input: ListArticlesInput, paging: Paging) => {
  const kinds = combinations(input)
  if (!input.q) {
    const of = ownedBy(articles, owner, input.project_id)
    const always = isNotImporting(articles.projectId, owner)
    const { where, order } = newestPage(articles, of, { filters: bounds(input), always, kinds }, paging)
    return db.select(zoned).from(articles).where(where).orderBy(order)
  }
  const { limit, offset, beforeId } = paging
  // The owner is looked up once: each place it is named in would be planned by itself.
  const asking = sql`(select account_id from asking)`
  const among = { of: ownedBy(articles, asking, input.project_id), owner: asking, beforeId }
  const q = input.q
  const found = (kinds.length > 0 ? kinds : [undefined]).map((kind) =>
    newestWith(
      q,
      { ...among, filters: [...bounds(input), isNotImporting(articles.projectId, asking), kind] },
      limit + offset + 1,
    ),
  )
  const ids = sql`(with asking as materialized (select ${owner} as account_id)
    select id from (${sql.join(found, sql` union all `)}) found order by id desc limit ${limit + 1}::int offset ${offset}::int)`
  return db.select(zoned).from(articles).where(inArray(articles.id, ids)).orderBy(desc(articles.id))
}

/** Selects the progress of a project's setup; no row if it has an article. */
export const setupIfEmpty = (db: Db, owner: SQL, projectId: number) =>
  db
    .select({
      id: projects.id,
      siteScanState: projects.siteScanState,
      siteScanError: projects.siteScanError,
      onboardingState: projects.onboardingState,
      onboardingError: projects.onboardingError,
      onboardingPlanned: projects.onboardingPlanned,
      onboardingWanted: projects.onboardingWanted,
      onboardingNote: projects.onboardingNote,
    })
    .from(projects)
    .where(
      sql`${and(eq(projects.id, projectId), eq(projects.accountId, owner))}
        and not exists (select 1 from ${articles} where ${eq(articles.projectId, projectId)})`,
    )
