import { integer } from 'drizzle-orm/pg-core'
import { accounts } from './accounts.ts'
import { projects } from './projects.ts'

/** Returns the column of the account that owns a row. The row is deleted with the account. */
export const accountId = () =>
  integer('account_id')
    .notNull()
    .references(() => accounts.id, { onDelete: 'cascade' })

/** Returns the column of the project that a row belongs to. The row is deleted with the project. */
export const projectId = () =>
  integer('project_id')
    .notNull()
    .references(() => projects.id, { onDelete: 'cascade' })
