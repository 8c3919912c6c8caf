import { type Column, getTableColumns, getTableName, is, SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { auditLog } from '../../../schema/kernel.ts'
import type { AuditAction } from '../../../schema/values/audit.ts'
import { causeNow, requestIdNow } from '../lib/request-scope.ts'
import type { Guarded, Step } from './steps.ts'

/** Condition for the effect of a statement in a batch. `always`: the earlier statements cannot have missed. */
export type If = SQL | 'always'

/** Returns a step with its condition; if it has none yet, the step for `when`. */
export const guarded = <S extends Step>(condition: If | undefined, make: (isMet: If) => S): S | Guarded<S> =>
  condition === undefined ? make : make(condition)

/**
 * Evaluates a condition once, for guards on rows that the batch does not lock and that may change between its statements.
 *
 * `statement` comes after the locks; `isMet` is the guard of later statements. Use it once per batch.
 */
export const decideOnce = (condition: SQL): { statement: SQL; isMet: SQL } => ({
  statement: sql`select set_config('galley.decided', (${condition})::text, true)`,
  isMet: sql`current_setting('galley.decided', true) = 'true'`,
})

/** New row: a value or an SQL expression for each column. Required columns are required here too. */
type NewRow<T extends PgTable> = { [Key in keyof T['$inferInsert']]: T['$inferInsert'][Key] | SQL }
type Returning = Record<string, Column | SQL>
type RowOf<R extends Returning> = {
  [Key in keyof R]: R[Key] extends Column ? R[Key]['_']['data'] : R[Key] extends SQL<infer T> ? T : never
}

type InsertOptions<R extends Returning> = {
  if: If
  /** Row source after `from`: one row is inserted for each of its rows. Without it, exactly one. */
  from?: SQL
  orderBy?: SQL
  limit?: number | SQL
  /** Text after `on conflict`: sql`do nothing`, or a target and an action. */
  onConflict?: SQL
  returning?: R
}

/** Returns a value as a parameter with the column's type, which PostgreSQL cannot infer in a `select`. */
const typedValue = (column: Column, value: unknown): SQL =>
  value instanceof SQL
    ? value
    : sql`${value === null ? null : sql.param(value, column)}::${sql.raw(column.getSQLType())}`

/**
 * Inserts a row if a condition is met. Returns the columns of `returning`, by those names.
 *
 * The statement is `insert into … select … where …`; drizzle's `insert` would have to name every column for it. Columns with an
 * undefined value get their default.
 */
export const insertWhere = <T extends PgTable, R extends Returning = { one: SQL<number> }>(
  table: T,
  row: NewRow<T>,
  options: InsertOptions<R>,
): SQL<RowOf<R>> => {
  const columns = getTableColumns(table) as Record<string, Column>
  const values = Object.entries(row).filter(([, value]) => value !== undefined)
  const columnOf = (name: string): Column => {
    const column = columns[name]
    if (!column) throw new Error(`${getTableName(table)} has no column ${name}`)
    return column
  }
  const names = values.map(([name]) => sql.identifier(columnOf(name).name))
  const selected = values.map(([name, value]) => typedValue(columnOf(name), value))
  const returned = Object.entries(options.returning ?? { one: sql`1` }).map(
    ([name, value]) => sql`${value} as ${sql.identifier(name)}`,
  )
  const pieces = [
    sql`insert into ${table} (${sql.join(names, sql`, `)}) select ${sql.join(selected, sql`, `)}`,
    options.from && sql`from ${options.from}`,
    options.if !== 'always' && sql`where ${options.if}`,
    options.orderBy && sql`order by ${options.orderBy}`,
    options.limit !== undefined && sql`limit ${options.limit}::int`,
    options.onConflict && sql`on conflict ${options.onConflict}`,
    sql`returning ${sql.join(returned, sql`, `)}`,
  ]
  return sql.join(
    pieces.filter((piece) => piece !== undefined && piece !== false),
    sql` `,
  ) as SQL<RowOf<R>>
}

/**
 * Returns given rows as a row source for `from`, with the fields that `columns` names.
 *
 * The fields are `listed.name`; `listed.n` numbers the rows from 1.
 */
export const listed = <C extends Record<string, Column>>(
  columns: C,
  rows: readonly { [Key in keyof C]: unknown }[],
): SQL => {
  const driverValue = (column: Column, value: unknown) => (value === null ? null : column.mapToDriverValue(value))
  const arrays = Object.entries(columns).map(([name, column]) => {
    const values = rows.map((row) => driverValue(column, row[name]))
    return sql`${sql.param(values)}::${sql.raw(column.getSQLType())}[]`
  })
  const names = [...Object.keys(columns), 'n'].map((name) => sql`${sql.identifier(name)}`)
  return sql`unnest(${sql.join(arrays, sql`, `)}) with ordinality as listed (${sql.join(names, sql`, `)})`
}

/** Actor and time of a change. `undoes`: ids of the audit entries that the change undoes. */
export type Acting = { actor: () => string; now: () => Date | SQL; undoes?: readonly number[] | undefined }

/** Audit entry of a change: `article.create` on `article:7`. With `from`, one for each of its rows. */
type AuditEntry = {
  account: SQL | Column | number
  action: AuditAction
  /** The kind of thing and its id: `['article', id]`. */
  on: readonly [kind: string, id: SQL | Column | number]
  detail?: Record<string, unknown> | SQL
  from?: SQL
}

/** A statement that writes audit entries. A batch without one must give a reason. */
export class AuditStatement<Row = unknown> extends SQL<Row> {}

const auditIf = (
  acting: Acting,
  { account, action, on: [kind, id], detail = {}, from }: AuditEntry,
  condition: If,
): AuditStatement => {
  const actor = acting.actor()
  const row = {
    accountId: typeof account === 'number' ? account : sql`${account}`,
    actor,
    causedBy: actor.startsWith('job:') ? (causeNow() ?? null) : null,
    action,
    subject: sql`${`${kind}:`}::text || ${id}`,
    detail,
    at: acting.now(),
    requestId: requestIdNow() ?? null,
    ...(acting.undoes ? { undoes: [...acting.undoes] } : {}),
  }
  return new AuditStatement(insertWhere(auditLog, row, { if: condition, ...(from ? { from } : {}) }).queryChunks)
}

/** Writes an audit entry, or one for each row of `from`. Without `if` it is for `when`. */
export function audit(acting: Acting, entry: AuditEntry & { if: If }): AuditStatement
export function audit(acting: Acting, entry: AuditEntry): Guarded<AuditStatement>
export function audit(acting: Acting, { if: condition, ...entry }: AuditEntry & { if?: If }) {
  return guarded(condition, (isMet) => auditIf(acting, entry, isMet))
}

/**
 * Returns a change, and an audit entry for each changed row, as one statement. It returns the changed rows.
 *
 * For callers that send a single statement: an operator's command, and scheduled changes of many rows. `on` and `account` name
 * columns of `made`, the changed rows.
 */
export const withAudit = <Row>(
  acting: Acting,
  made: SQLWrapper,
  { if: condition = 'always', ...entry }: Omit<AuditEntry, 'from'> & { if?: If },
  also?: SQLWrapper,
): AuditStatement<Row> =>
  new AuditStatement(
    sql`with made as (${made.getSQL()}), noted as (${audit(acting, { ...entry, if: condition, from: sql`made` })})${
      also ? sql`, also as (${also.getSQL()})` : sql``
    } select * from made`.queryChunks,
  )

/** Limits of a clean-up: rows per statement, and statements per run. The rest follows in the next run. */
const BATCH = 1_000
const MAX_BATCHES = 20

/**
 * Deletes in batches, so that no statement locks many rows, until one deletes less than a batch. Returns how many.
 *
 * `drop` deletes at most `most` rows, of each kind if it has several, and returns how many in all.
 */
export const dropInBatches = async (drop: (most: number) => Promise<number>): Promise<number> => {
  let dropped = 0
  for (let n = 0; n < MAX_BATCHES; n += 1) {
    const gone = await drop(BATCH)
    dropped += gone
    if (gone < BATCH) break
  }
  return dropped
}

const piecesOf = (value: unknown): (string | SQL)[] => {
  if (is(value, SQL)) return [value]
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [JSON.stringify(value)]
  const fields = Object.entries(value).filter(([, one]) => one !== undefined)
  return [
    '{',
    ...fields.flatMap(([name, one], n) => [`${n === 0 ? '' : ','}${JSON.stringify(name)}:`, ...piecesOf(one)]),
    '}',
  ]
}

/** Returns an object as JSON text in SQL. Values that only the statement knows are SQL expressions in it. */
export const jsonText = (value: Record<string, unknown>): SQL => {
  const pieces: SQL[] = []
  let text = ''
  for (const piece of piecesOf(value)) {
    if (typeof piece === 'string') {
      text += piece
      continue
    }
    pieces.push(sql`${text}::text`, piece)
    text = ''
  }
  return sql`(${sql.join([...pieces, sql`${text}::text`], sql` || `)})`
}
