import { type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { oneOf } from '../../../schema/columns.ts'
import { projects } from '../../../schema/projects.ts'
import { JOIN_POLICY, nextChance } from '../../accounts/policy/parts.ts'
import { statusAllows } from '../../content/articles/standing-parts.ts'
import { at } from '../../platform/db/instant.ts'

const isWaiting = (): SQL => sql`${statusAllows('go_live')} and ${oneOf(articles.publishState, ['idle', 'failed'])}
  and ${articles.dueTakenAt} is null`

/** Returns the next date of a planned article. One that is overdue is in hand already, or waits for a change. */
export const nextDueDate = (now: Date): SQL =>
  sql`(select min(${articles.scheduledAt}) from ${articles} where ${isWaiting()} and ${articles.scheduledAt} > ${at(now)})`

/** Returns the next instant at which a policy may let an overdue article go: its quiet hours end, or another day begins. */
export const nextDueByPolicy = (now: Date): SQL =>
  sql`(select min(${nextChance(now)}) from ${articles} join ${projects} on ${projects.id} = ${articles.projectId} ${JOIN_POLICY}
    where ${isWaiting()} and ${articles.scheduledAt} <= ${at(now)})`
