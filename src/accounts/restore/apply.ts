import { getTableName, type SQL, sql } from 'drizzle-orm'
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core'
import { accounts } from '../../../schema/accounts.ts'
import { accountDeletions, memberships, people } from '../../../schema/people.ts'
import { projects } from '../../../schema/projects.ts'
import type { SqlRunner } from '../../platform/db/client.ts'
import { audit } from '../../platform/db/writes.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { eraseJob } from '../people/jobs.ts'
import { eraseProjectJob } from '../projects/jobs.ts'
import { ENDINGS, type Ending } from './endings.ts'
import { eraseAgain, eraseProjectsAgain } from './erasures.ts'

const PAGE = 500

/** Databases of a restore: the restored one, which is changed, and the one that it replaced, which is only read. */
export type Databases = { restored: SqlRunner; replaced: SqlRunner }

/** Rows of a table to which an ending was applied again. */
export type Applied = { table: string; changed: number; gone: number; added: number }

/** Thrown if the endings cannot be applied. Nothing was changed. */
class RestoreError extends Error {
  override readonly name = 'RestoreError'
}

const identifiers = (names: readonly string[], prefix?: string): SQL => {
  const named = names.map((name) =>
    prefix ? sql`${sql.identifier(prefix)}.${sql.identifier(name)}` : sql.identifier(name),
  )
  return sql.join(named, sql`, `)
}

const keyOf = (table: PgTable): string[] => {
  const { columns, primaryKeys } = getTableConfig(table)
  const [composed] = primaryKeys
  return (composed?.columns ?? columns.filter(({ primary }) => primary)).map(({ name }) => name)
}

/** Foreign keys of one column: the column, and its parent's table and column. */
const parentsOf = (table: PgTable) =>
  getTableConfig(table).foreignKeys.flatMap((key) => {
    const { columns, foreignTable, foreignColumns } = key.reference()
    const [column, parent] = [columns[0], foreignColumns[0]]
    return column && parent ? [{ column: column.name, parent: sql`${foreignTable} where ${parent}` }] : []
  })

/** Returns rows that were sent as JSON, as a row source with the table's types. */
const sent = (table: PgTable, rows: string): SQL => sql`jsonb_populate_recordset(null::${table}, ${rows}::jsonb)`

type Page = { count: number; rows: string; last: string | null }

/** Returns the next page of rows after a key, as JSON. */
const pageOf = async (run: SqlRunner, table: PgTable, columns: readonly string[], after: string | null) => {
  const key = identifiers(keyOf(table))
  const from =
    after === null
      ? sql``
      : sql`where (${key}) > (select ${key} from jsonb_populate_record(null::${table}, ${after}::jsonb))`
  const [page] = await run<Page>(sql`with page as (
      select ${identifiers(columns)} from ${table} ${from} order by ${key} limit ${PAGE}::int)
    select count(*)::int as count, coalesce(jsonb_agg(to_jsonb(page)), '[]')::text as rows,
      (jsonb_agg(to_jsonb(page)) -> -1)::text as last from page`)
  return page ?? { count: 0, rows: '[]', last: null }
}

/** Calls `work` with each page of a table. */
const eachPage = async (
  run: SqlRunner,
  table: PgTable,
  columns: readonly string[],
  work: (rows: string) => Promise<void>,
): Promise<void> => {
  for (let after: string | null = null; ; ) {
    const page: Page = await pageOf(run, table, columns, after)
    if (page.count > 0) await work(page.rows)
    if (page.count < PAGE) return
    after = page.last
  }
}

/** Returns the rows of the replaced database that have the keys given, as JSON. */
const laterRows = async (run: SqlRunner, { table, columns }: Ending, keys: string): Promise<string> => {
  const key = keyOf(table)
  const [found] = await run<{ rows: string }>(sql`select coalesce(jsonb_agg(to_jsonb(found)), '[]')::text as rows from (
    select ${identifiers([...new Set([...key, ...columns])])} from ${table}
    where (${identifiers(key)}) in (select ${identifiers(key)} from ${sent(table, keys)})) found`)
  return found?.rows ?? '[]'
}

/** Copies the columns of later rows. A reference to a row that the restored database lacks becomes null. */
const copied = ({ table, columns, when }: Ending, later: string): SQL => {
  const name = getTableName(table)
  const key = keyOf(table)
  const parents = parentsOf(table)
  const laterValue = (column: string): SQL => {
    const value = sql`later.${sql.identifier(column)}`
    const parent = parents.find((one) => one.column === column)
    return parent ? sql`case when exists (select 1 from ${parent.parent} = ${value}) then ${value} end` : value
  }
  const sets = columns.map((column) => sql`${sql.identifier(column)} = ${laterValue(column)}`)
  return sql`update ${table} set ${sql.join(sets, sql`, `)} from ${sent(table, later)} later
    where (${identifiers(key, name)}) = (${identifiers(key, 'later')}) and ${when ?? sql`true`}
      and (${identifiers(columns, name)}) is distinct from (${sql.join(columns.map(laterValue), sql`, `)}) returning 1 as one`
}

const gone = ({ table, gone: effect }: Ending, keys: string, later: string): SQL => {
  const key = identifiers(keyOf(table))
  const isGone = sql`(${key}) in (select ${key} from ${sent(table, keys)})
    and (${key}) not in (select ${key} from ${sent(table, later)})`
  if (effect === 'erased') return table === accounts ? eraseAgain(isGone) : eraseProjectsAgain(isGone)
  return sql`delete from ${table} where ${isGone} returning 1 as one`
}

/** Adds rows of the replaced database, unless a row that they refer to is missing. */
const added = ({ table, added: columns = [] }: Ending, rows: string): SQL => {
  const known = parentsOf(table).map(({ column, parent }) => {
    const value = sql`later.${sql.identifier(column)}`
    return sql`(${value} is null or exists (select 1 from ${parent} = ${value}))`
  })
  return sql`insert into ${table} (${identifiers(columns)}) select ${identifiers(columns, 'later')}
    from ${sent(table, rows)} later where ${sql.join([sql`true`, ...known], sql` and `)} on conflict do nothing returning 1 as one`
}

const applyOne = async ({ restored, replaced }: Databases, ending: Ending): Promise<Applied> => {
  const result: Applied = { table: getTableName(ending.table), changed: 0, gone: 0, added: 0 }
  if (ending.columns.length > 0 || ending.gone)
    await eachPage(restored, ending.table, keyOf(ending.table), async (keys) => {
      const later = await laterRows(replaced, ending, keys)
      if (ending.columns.length > 0) result.changed += (await restored(copied(ending, later))).length
      if (ending.gone) result.gone += (await restored(gone(ending, keys, later))).length
    })
  const { added: columns } = ending
  if (columns)
    await eachPage(replaced, ending.table, columns, async (rows) => {
      result.added += (await restored(added(ending, rows))).length
    })
  return result
}

/** Action of the entry that a restore leaves in the log of each account. */
const RESTORED = 'database.restored'

/** Returns when a database last changed, by its audit log. Entries of restores do not count. */
const lastChange = async (run: SqlRunner): Promise<number> => {
  const [row] = await run<{ ms: number }>(
    sql`select coalesce(extract(epoch from max(at)) * 1000, 0)::float8 as ms from audit_log where action <> ${RESTORED}`,
  )
  return row?.ms ?? 0
}

const countOf = async (run: SqlRunner, table: PgTable): Promise<number> =>
  (await run<{ count: number }>(sql`select count(*)::int as count from ${table}`))[0]?.count ?? 0

/** Throws if the two databases are exchanged, or if most accounts, people or members are gone: that looks like the damage itself. */
export const checkReplaced = async (
  { restored, replaced }: Databases,
  except: readonly string[] = [],
): Promise<void> => {
  if ((await lastChange(replaced)) < (await lastChange(restored)))
    throw new RestoreError(
      'The database in DATABASE_URL_REPLACED is older than the restored one. Are the two exchanged? Nothing was changed.',
    )
  for (const table of [accounts, people, memberships]) {
    const name = getTableName(table)
    if (except.includes(name) || 2 * (await countOf(replaced, table)) >= (await countOf(restored, table))) continue
    throw new RestoreError(
      `Most rows of ${name} are gone in the replaced database. If that is the damage, leave the table out: --except ${name}. Nothing was changed.`,
    )
  }
}

/** Returns the names of the tables with an ending. */
export const ENDING_TABLES: readonly string[] = [...new Set(ENDINGS.map(({ table }) => getTableName(table)))]

/** Counts the project slots again, and queues the erasure of each account whose deletion was added. */
const settle = async (run: SqlRunner): Promise<void> => {
  const active = sql`(select count(*) from ${projects} p where p.account_id = ${accounts.id} and p.status = 'Active')`
  await run(sql`update ${accounts} set active_projects = ${active} where active_projects is distinct from ${active}`)
  const { accountId, eraseAt } = accountDeletions
  const work = { account: sql`${accountId}`, runAt: sql`${eraseAt}`, open: 'keep', if: 'always' } as const
  await run(enqueue(eraseJob, { account_id: sql`${accountId}` }, { ...work, from: sql`${accountDeletions}` }))
  const site = { account: sql`${projects.accountId}`, runAt: sql`${projects.eraseAt}`, open: 'keep' } as const
  const isLeaving = sql`${projects.eraseAt} is not null`
  await run(
    enqueue(eraseProjectJob, { project_id: sql`${projects.id}` }, { ...site, from: sql`${projects}`, if: isLeaving }),
  )
}

/** Adds an entry about the restore to the log of each account. */
export const noteRestore = (run: SqlRunner, detail: Record<string, unknown>) =>
  run(
    audit(
      { actor: () => 'operator', now: () => sql`now()` },
      {
        account: accounts.id,
        action: RESTORED,
        on: ['account', accounts.id],
        detail,
        from: sql`${accounts}`,
        if: 'always',
      },
    ),
  )

/**
 * Applies every ending of the replaced database to the restored one. Running it again changes nothing more. `checkReplaced` and
 * `moveAfterRestore` come first: jobs that it queues need ids that no message of the queue has had.
 *
 * `except`: tables that the damage changed, whose restored rows are right.
 */
export const applyEndings = async (databases: Databases, except: readonly string[] = []): Promise<Applied[]> => {
  const applied: Applied[] = []
  for (const ending of ENDINGS)
    if (!except.includes(getTableName(ending.table))) applied.push(await applyOne(databases, ending))
  await settle(databases.restored)
  return applied
}
