import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt, identity, instant, oneOf, updatedAt } from './columns.ts'
import { accountId } from './owners.ts'
import { projects } from './projects.ts'
import { ENDPOINT_STATUSES } from './values/events.ts'

/** Address to which the events of an account are sent. */
export const eventEndpoints = pgTable(
  'event_endpoints',
  {
    id: identity(),
    accountId: accountId(),
    /** Sends only events of this project; null for all. */
    projectId: integer('project_id').references(() => projects.id, { onDelete: 'cascade' }),
    url: text('url').notNull(),
    description: text('description').notNull().default(''),
    /** Sends only events with these types or first parts of types; none for all. */
    kinds: text('kinds').array().notNull().default(sql`'{}'`),
    /** Sealed JSON of the signing secrets. */
    sealedSecrets: text('sealed_secrets').notNull(),
    status: text('status', { enum: ENDPOINT_STATUSES }).notNull().default('active'),
    /** Entry of the audit log up to which all events were sent, in the order of the feed. */
    cursorId: integer('cursor_id').notNull(),
    /** Failed attempts in a row, and when the first of them was. */
    failures: integer('failures').notNull().default(0),
    failingSince: instant('failing_since'),
    lastSentAt: instant('last_sent_at'),
    lastError: text('last_error'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index('event_endpoints_account').on(t.accountId, t.id),
    index('event_endpoints_project').on(t.projectId),
    check('event_endpoints_status_check', oneOf(t.status, ENDPOINT_STATUSES)),
  ],
)

/** Attempt to send an event to an endpoint. */
export const eventAttempts = pgTable(
  'event_attempts',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
    endpointId: integer('endpoint_id')
      .notNull()
      .references(() => eventEndpoints.id, { onDelete: 'cascade' }),
    eventId: integer('event_id').notNull(),
    type: text('type').notNull(),
    at: instant('at').notNull(),
    httpStatus: integer('http_status'),
    /** Reason of the failure; null if the endpoint accepted the event. */
    error: text('error'),
    ms: integer('ms').notNull(),
  },
  (t) => [index('event_attempts_endpoint').on(t.endpointId, t.id)],
)
