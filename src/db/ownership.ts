import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'

/**
 * Rows of an account. Where the list is narrowed to a project, the account must not offer its index: the planner takes it
 * for the order by id and reads past every newer row of the account's other projects.
 */
export const ownedBy = (accountId: AnyPgColumn, owner: SQL, narrowed: boolean): SQL =>
  narrowed ? sql`${accountId} + 0 = ${owner}` : sql`${accountId} = ${owner}`
