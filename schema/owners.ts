import { integer } from 'drizzle-orm/pg-core'
import { accounts } from './accounts.ts'
import { projects } from './projects.ts'

/** Owner of the row; it is deleted with the account. */
export const accountId = () =>
  integer('account_id')
    .notNull()
    .references(() => accounts.id, { onDelete: 'cascade' })

/** The project a row belongs to; it goes with the project. */
export const projectId = () =>
  integer('project_id')
    .notNull()
    .references(() => projects.id, { onDelete: 'cascade' })
