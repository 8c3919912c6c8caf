import { type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { oneOf } from '../../../schema/columns.ts'
import { statusAllows } from '../../content/articles/standing-parts.ts'
import { at } from '../../platform/db/instant.ts'

/** The next date of a planned article. One that is overdue is in hand already, or waits for a change. */
export const nextDueDate = (now: Date): SQL =>
  sql`(select min(${articles.scheduledAt}) from ${articles} where ${statusAllows('go_live')}
    and ${oneOf(articles.publishState, ['idle', 'failed'])} and ${articles.dueTakenAt} is null and ${articles.scheduledAt} > ${at(now)})`
