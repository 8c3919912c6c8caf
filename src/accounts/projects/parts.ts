import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'

/** Condition: the row belongs to no project that an import still writes. An account has one import at a time. */
export const isNotImporting = (projectId: AnyPgColumn, owner: SQL): SQL =>
  sql`${projectId} is distinct from (select i.project_id from project_imports i where i.account_id = ${owner} and i.state = 'importing')`
