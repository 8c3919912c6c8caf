import { sql } from 'drizzle-orm'
import { literals } from '../../schema/columns.ts'
import type { ARTICLE_STATUSES } from '../../schema/values/articles.ts'
import { OPEN_STATES } from '../../schema/values/suggestions.ts'
import { type Db, rowsOf } from '../platform/db/client.ts'

const PLANNED = literals(['Planned'] satisfies (typeof ARTICLE_STATUSES)[number][])

/** Counts of what stops when a site is archived. */
export type Stopping = { planned: number; suggestions: number; networks: number }

/** Counts what stops when a site is archived. The caller has checked whose it is. */
export const readStopping = async (db: Db, siteId: number): Promise<Stopping> => {
  const [row] = await rowsOf<Stopping>(
    db,
    sql`select
      (select count(*)::int from articles where project_id = ${siteId}::int and status in ${PLANNED} and scheduled_at is not null) as planned,
      (select count(*)::int from suggestions where project_id = ${siteId}::int and status in ${literals(OPEN_STATES)}) as suggestions,
      (select count(*)::int from social_accounts where project_id = ${siteId}::int and status = 'Active') as networks`,
  )
  return row ?? { planned: 0, suggestions: 0, networks: 0 }
}
