import { and, between, desc, eq, inArray, lt, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import * as z from 'zod/mini'
import { invalidInput } from '../lib/errors.ts'
import { intParam, MAX_ID, means } from '../lib/fields.ts'

/** Returns the schema of a list's length: any positive integer. Lists lower it to their maximum. */
export const lengthParam = () =>
  z.pipe(
    z.string().check(
      z.refine((value) => /^0*[1-9]\d*$/.test(value), {
        error: 'must be an integer of at least 1',
        params: { allowed: { min: 1 } },
      }),
    ),
    z.transform((value) => Math.min(Number(value), MAX_ID)),
  )

/** Default length of a list, and its maximum. */
export type Bounds = { default: number; max: number }

/** Returns the parameter `limit` of a list. */
export const lengthOf = ({ default: usual, max }: Bounds) =>
  means(
    `Maximum number of rows. Values above ${max.toLocaleString('en')} are reduced to ${max.toLocaleString('en')}.`,
    z.optional(lengthParam()),
    String(usual),
  )

/** Returns the paging parameters of a list. `before_id` continues below a row, at a cost that does not grow with depth. */
export const pagingParams = (bounds: Bounds = { default: 50, max: 200 }) => ({
  limit: lengthOf(bounds),
  offset: means(
    'Number of rows to skip: `next_offset` of the previous response. Cannot be combined with `before_id`.',
    z.optional(intParam(0)),
    '0',
  ),
  before_id: means(
    'Returns rows after this one: `before_id` of the previous response. Equally fast at any depth of the list.',
    z.optional(intParam(1)),
    'starts with the newest',
  ),
})

/** A list's paging parameters, as a caller sent them. */
export type PagingInput = { limit?: number | undefined; offset?: number | undefined; before_id?: number | undefined }

/** Page of a list: the number of rows, and either how many to skip or the id below which it begins. */
export type Paging = { limit: number; offset: number; beforeId: number | undefined }

const MIXED = 'offset and before_id cannot be used together: send only one of them'

/**
 * Returns the requested page, with the default filled in and the limit lowered to the maximum.
 *
 * Throws 400 if both `offset` and `before_id` are given.
 */
export const pagingOf = (input: PagingInput, bounds: Bounds): Paging => {
  if (input.offset !== undefined && input.before_id !== undefined)
    throw invalidInput(['offset', 'before_id'].map((field) => ({ field, message: MIXED })))
  return {
    limit: Math.min(input.limit ?? bounds.default, bounds.max),
    offset: input.offset ?? 0,
    beforeId: input.before_id,
  }
}

/**
 * Returns the rows of a page and the paging part of a list answer.
 *
 * `rows` are read with one more than the limit, which shows a next page without counting. If they are not, `more` says if there
 * is one.
 */
export const pageOf = <Row extends { id: number }>(
  rows: Row[],
  paging: Paging,
  more: boolean = rows.length > paging.limit,
) => {
  const shown = rows.slice(0, paging.limit)
  return {
    rows: shown,
    page: {
      count: shown.length,
      limit: paging.limit,
      offset: paging.offset,
      // A page with `before_id` has no offset to continue from.
      next_offset: more && paging.beforeId === undefined ? paging.offset + shown.length : null,
      before_id: more ? (shown.at(-1)?.id ?? null) : null,
    },
  }
}

type OwnedTable = { accountId: AnyPgColumn; projectId: AnyPgColumn }
type ListedTable = PgTable & { id: AnyPgColumn }

/** A column, and the value that all listed rows have in it. */
type Fixed<Value> = readonly [AnyPgColumn, Value]

/**
 * Returns the column and value that select the rows of an account, or of one of its projects.
 *
 * A project's rows are selected by the project alone, and the project by its owner. With a condition on the rows' account as
 * well, the planner reads all newer rows of the account's other projects.
 */
export const ownedBy = ({ accountId, projectId }: OwnedTable, owner: SQL, project: number | undefined): Fixed<SQL> =>
  project === undefined
    ? [accountId, owner]
    : [projectId, sql`(select id from projects where id = ${project}::int and account_id = ${owner})`]

/** Selects the rows of an account, or of one of its projects. */
export const ownedRows = (table: OwnedTable, owner: SQL, project: number | undefined): SQL =>
  eq(...ownedBy(table, owner, project))

/**
 * Returns a subquery for the ids of a page, newest first, with one more than the page shows.
 *
 * Without it, the planner reads through all accounts' newest rows if it takes an account or project for a large one.
 *
 * `kinds`: conditions of which one must be met. Each has an index in order of id, so no rows of other kinds are read.
 */
export const newestIds = (
  table: ListedTable,
  where: readonly (SQL | undefined)[],
  { limit, offset }: Pick<Paging, 'limit' | 'offset'>,
  kinds: readonly SQL[] = [],
): SQL => {
  const newest = (kind: SQL | undefined, rows: SQL): SQL =>
    sql`(select ${table.id} as id from ${table} where ${and(...where, kind)} order by ${desc(table.id)} limit ${rows})`
  const page = sql`${limit + 1}::int offset ${offset}::int`
  if (kinds.length <= 1) return newest(kinds[0], page)
  const each = kinds.map((kind) => newest(kind, sql`${limit + offset + 1}::int`))
  return sql`(select id from (${sql.join(each, sql` union all `)}) newest order by id desc limit ${page})`
}

/**
 * Returns condition and order of the newest rows with one value in a column, read by the index of that column and id.
 *
 * With `kind`, it is the index of both columns and id. Both conditions are written so that only this index has the order: the
 * value is in a list, and `kind` is between its value and itself.
 *
 * The planner does not know the number of rows, so it never sorts all of them.
 */
export const newestRows = (
  { id }: ListedTable,
  [column, value]: Fixed<SQL>,
  { limit, beforeId }: { limit: number | SQL | Placeholder; beforeId: number | undefined },
  kind?: Fixed<string>,
): { where: SQL | undefined; order: SQL } => ({
  where: and(
    sql`${column} = any(array(select ${value}))`,
    kind && between(kind[0], kind[1], kind[1]),
    beforeId === undefined ? undefined : lt(id, beforeId),
  ),
  order: sql`${desc(column)}, ${kind ? sql`${desc(kind[0])}, ` : sql``}${desc(id)} limit (select ${limit}::int)`,
})

/**
 * Further conditions on the rows of a list. `kinds`: as in `newestIds`.
 *
 * `always` is true for nearly all rows, so that no index is chosen for it.
 */
type Narrowed = {
  filters?: readonly (SQL | undefined)[]
  always?: SQL
  kind?: Fixed<string> | undefined
  kinds?: readonly SQL[]
}

/** Returns condition and order of a page, newest first, with one more row than the page shows. */
export const newestPage = (
  table: ListedTable,
  of: Fixed<SQL>,
  { filters = [], always, kind, kinds = [] }: Narrowed,
  paging: Paging,
): { where: SQL | undefined; order: SQL } => {
  const isFiltered = [...filters, ...kinds].some((one) => one !== undefined)
  if (!isFiltered && paging.offset === 0) {
    const { where, order } = newestRows(table, of, { ...paging, limit: paging.limit + 1 }, kind)
    return { where: and(where, always), order }
  }
  const where = [
    eq(...of),
    ...filters,
    always,
    kind && eq(...kind),
    paging.beforeId === undefined ? undefined : lt(table.id, paging.beforeId),
  ]
  return { where: inArray(table.id, newestIds(table, where, paging, kinds)), order: desc(table.id) }
}
