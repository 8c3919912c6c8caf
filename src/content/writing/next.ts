import { type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { at } from '../../platform/db/instant.ts'
import { statusAllows } from '../articles/standing-parts.ts'
import { WINDOW } from './claim.ts'

const { scheduledAt, writeAfter } = articles

/** Articles the writer may take, as the index on them has it. */
const WRITABLE = sql`${statusAllows('write')} and ${articles.claimedAt} is null and ${articles.writtenAt} is null
  and ${articles.writingStartedAt} is null`

/** Queries for the time at which the writer next has an article: its date comes near, or the wait of one that is near ends. */
export const nextToWrite = (now: Date): SQL[] => [
  sql`(select min(${scheduledAt}) - ${WINDOW} from ${articles} where ${WRITABLE} and ${scheduledAt} > ${at(now)} + ${WINDOW})`,
  sql`(select min(${writeAfter}) from ${articles}
    where ${WRITABLE} and ${scheduledAt} <= ${at(now)} + ${WINDOW} and ${writeAfter} > ${at(now)})`,
]
