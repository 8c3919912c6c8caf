import { and, asc, count, desc, eq, lt, type SQL, sql } from 'drizzle-orm'
import { eventAttempts, eventEndpoints } from '../../../schema/events.ts'
import { auditLog } from '../../../schema/kernel.ts'
import { projects } from '../../../schema/projects.ts'
import type { Db } from '../../platform/db/client.ts'
import { isSettled } from '../../platform/db/feed.ts'
import { at } from '../../platform/db/instant.ts'
import type { Paging } from '../../platform/db/paging.ts'
import { pushJob } from './jobs.ts'

/** Returns the next id of an endpoint, as a query. */
export const nextEndpointId = (db: Db) =>
  db.execute<{ id: string }>(sql`select nextval('event_endpoints_id_seq') as id`)

/** Columns of an endpoint that are shown, and its sealed secrets. */
const columns = {
  id: eventEndpoints.id,
  url: eventEndpoints.url,
  description: eventEndpoints.description,
  kinds: eventEndpoints.kinds,
  projectId: eventEndpoints.projectId,
  status: eventEndpoints.status,
  sealedSecrets: eventEndpoints.sealedSecrets,
  cursorId: eventEndpoints.cursorId,
  failures: eventEndpoints.failures,
  failingSince: eventEndpoints.failingSince,
  lastSentAt: eventEndpoints.lastSentAt,
  lastError: eventEndpoints.lastError,
  createdAt: eventEndpoints.createdAt,
  nextAttemptAt: sql<
    string | null
  >`case when ${eventEndpoints.failingSince} is not null and ${eventEndpoints.status} = 'active'
    then ${pushJob.runAtOf(sql`${eventEndpoints.id}`)} end`,
}

/** Returns the account's endpoints, oldest first. */
export const endpointRows = (db: Db, owner: SQL) =>
  db.select(columns).from(eventEndpoints).where(eq(eventEndpoints.accountId, owner)).orderBy(asc(eventEndpoints.id))

/** Returns an endpoint of any account, and if it is the caller's. */
export const endpointById = (db: Db, owner: SQL, id: number) =>
  db
    .select({ ...columns, mine: sql<boolean>`${eventEndpoints.accountId} = ${owner}` })
    .from(eventEndpoints)
    .where(eq(eventEndpoints.id, id))

/** Endpoint with its sealed secrets. */
export type EndpointRow = Awaited<ReturnType<typeof endpointRows>>[number]

/** Returns if a project is active, and if it is the caller's. */
export const projectById = (db: Db, owner: SQL, id: number) =>
  db
    .select({
      isActive: sql<boolean>`${projects.status} = 'Active'`,
      mine: sql<boolean>`coalesce(${projects.accountId} = ${owner}, false)`,
    })
    .from(projects)
    .where(eq(projects.id, id))

/** Returns the newest attempts of an endpoint, one more than the page shows. */
export const attemptRows = (db: Db, endpointId: number, { limit, offset, beforeId }: Paging) =>
  db
    .select({
      id: eventAttempts.id,
      event_id: eventAttempts.eventId,
      type: eventAttempts.type,
      at: eventAttempts.at,
      http_status: eventAttempts.httpStatus,
      error: eventAttempts.error,
      duration_ms: eventAttempts.ms,
    })
    .from(eventAttempts)
    .where(
      and(
        eq(eventAttempts.endpointId, endpointId),
        beforeId === undefined ? undefined : lt(eventAttempts.id, beforeId),
      ),
    )
    .orderBy(desc(eventAttempts.id))
    .limit(limit + 1)
    .offset(offset)

/** Returns the number of endpoints of an account, as an SQL expression. */
export const endpointsOf = (db: Db, accountId: number) =>
  sql`(${db.select({ count: count() }).from(eventEndpoints).where(eq(eventEndpoints.accountId, accountId))})`

/** Returns the entry that is last in the feed of an account now, as an SQL expression; 0 if there is none. */
export const newestEntry = (accountId: SQL): SQL =>
  sql`coalesce((select ${auditLog.id} from ${auditLog} where ${auditLog.accountId} = ${accountId} and ${isSettled}
    order by ${auditLog.tx} desc, ${auditLog.id} desc limit 1), 0)`

/** Returns if an entry is in the part of the feed that is kept, and the last entry before that part. */
export const keptPart = (db: Db, owner: SQL, entryId: number, since: Date) =>
  db.execute<{ is_kept: boolean | null; before_id: number }>(sql`select
    (select ${auditLog.at} >= ${at(since)} from ${auditLog} where ${auditLog.accountId} = ${owner} and ${auditLog.id} <= ${entryId}::int
      order by ${auditLog.id} desc limit 1) as is_kept,
    coalesce((select ${auditLog.id} from ${auditLog} where ${auditLog.accountId} = ${owner} and ${auditLog.at} < ${at(since)}
      order by ${auditLog.at} desc, ${auditLog.id} desc limit 1), 0) as before_id`)
