import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Place } from './kept-query.ts'

type Columns = { accountId: AnyPgColumn; projectId: AnyPgColumn }

/**
 * The column by which rows of an account, or of one project of it, are named, and what stands in it.
 *
 * A project's rows are named by the project alone, whose owner is asked beside: with a condition on the rows' account too, the
 * planner reads past every newer row of the account's other projects.
 */
export const ownedBy = (
  { accountId, projectId }: Columns,
  owner: SQL,
  project: number | Place | undefined,
): [AnyPgColumn, SQL] =>
  project === undefined
    ? [accountId, owner]
    : [projectId, sql`(select id from projects where id = ${project}::int and account_id = ${owner})`]

/** Rows of an account, or of one project of it. */
export const ownedRows = (columns: Columns, owner: SQL, projectId: number | Place | undefined): SQL => {
  const [column, value] = ownedBy(columns, owner, projectId)
  return sql`${column} = ${value}`
}
