import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Place } from './kept-query.ts'

/**
 * Rows of an account, or of one project of it. A project's rows are named by the project alone, whose owner is asked beside:
 * with a condition on the rows' account too, the planner reads past every newer row of the account's other projects.
 */
export const ownedRows = (
  columns: { accountId: AnyPgColumn; projectId: AnyPgColumn },
  owner: SQL,
  projectId: number | Place | undefined,
): SQL =>
  projectId === undefined
    ? sql`${columns.accountId} = ${owner}`
    : sql`${columns.projectId} = (select id from projects where id = ${projectId}::int and account_id = ${owner})`
