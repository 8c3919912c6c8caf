import { type SQL, sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { accounts } from './accounts.ts'
import { createdAt, identity, instant, transactionId } from './columns.ts'
import { accountId } from './owners.ts'

/** Returns the condition that an outbox row is a mail. The value is part of the SQL text, as in the index of mails. */
export const isMail = (job: AnyPgColumn): SQL => sql`${job} = 'people.mail'`

/** Work to do after a commit. A row stays open until its job returns done or never; the queue only wakes it. */
export const outbox = pgTable(
  'outbox',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
    /** Owner of the work; null for work of no account, such as a mail to somebody who signs in. */
    accountId: integer('account_id').references(() => accounts.id, { onDelete: 'cascade' }),
    job: text('job').notNull(),
    /** At most one unfinished row has this key. */
    key: text('key').notNull(),
    payload: jsonb('payload').$type<Record<string, unknown>>().notNull(),
    runAt: instant('run_at').notNull(),
    offers: integer('offers').notNull().default(0),
    offeredAt: instant('offered_at'),
    /** Offers to the queue since the last run began. Many of them mean that the queue's calls do not arrive. */
    unansweredOffers: integer('unanswered_offers').notNull().default(0),
    /** Failing runs in a row. */
    attempts: integer('attempts').notNull().default(0),
    /** Runs in a row that ended without reporting, for example because their process was killed. */
    lostRuns: integer('lost_runs').notNull().default(0),
    leaseUntil: instant('lease_until'),
    doneAt: instant('done_at'),
    deadAt: instant('dead_at'),
    lastError: text('last_error'),
    /** Actor who caused the work; null if nobody did, as for work of the clock. */
    causedBy: text('caused_by'),
    /** The request that asked for the work, for the log lines of its runs. */
    requestId: text('request_id'),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('outbox_open_key_unique').on(t.key).where(sql`${t.doneAt} is null and ${t.deadAt} is null`),
    index('outbox_open').on(t.runAt).where(sql`${t.doneAt} is null and ${t.deadAt} is null`),
    index('outbox_done').on(t.doneAt).where(sql`${t.doneAt} is not null`),
    index('outbox_dead').on(t.deadAt).where(sql`${t.deadAt} is not null`),
    index('outbox_account').on(t.accountId),
    index('outbox_mail').on(t.key).where(isMail(t.job)).concurrently(),
  ],
)

/** First answer to a POST with an Idempotency-Key, kept for 24 hours. `status` null: still running. */
export const idempotencyRecords = pgTable(
  'idempotency_records',
  {
    accountId: accountId(),
    operation: text('operation').notNull(),
    key: text('key').notNull(),
    /** SHA-256 of method, path and body, hex. */
    fingerprint: text('fingerprint').notNull(),
    status: integer('status'),
    body: text('body'),
    /** Version tag that the answer carries, if it has one. */
    etag: text('etag'),
    leaseUntil: instant('lease_until'),
    createdAt: createdAt(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    primaryKey({ name: 'idempotency_records_pkey', columns: [t.accountId, t.operation, t.key] }),
    index('idempotency_records_expiry').on(t.expiresAt),
    check('idempotency_records_state_check', sql`(${t.status} is null) = (${t.body} is null)`),
  ],
)

/** Progress of the clock's walks over tables. They delete what nothing needs any more. */
export const retentionWalks = pgTable('retention_walks', {
  name: text('name').primaryKey(),
  /** Id of the last row that the walk looked at. */
  after: bigint('after', { mode: 'number' }).notNull().default(0),
  /** Time at which the walk came to its end. A week later it begins again. */
  endedAt: instant('ended_at'),
})

export const auditLog = pgTable(
  'audit_log',
  {
    id: identity(),
    accountId: integer('account_id').references(() => accounts.id, { onDelete: 'cascade' }),
    /** Actor: `key:12`, `job:publishing.deliver`, `operator`. */
    actor: text('actor').notNull(),
    /** Action: the verb, e.g. `article.create`. */
    action: text('action').notNull(),
    /** Subject: `article:7`. */
    subject: text('subject').notNull(),
    detail: jsonb('detail').$type<Record<string, unknown>>().notNull().default({}),
    at: instant('at').notNull().defaultNow(),
    /** Request of the action, or the request that asked for its job. Null in rows from before this column. */
    requestId: text('request_id'),
    /** Actor who caused the job that acted; null if nobody did, or if `actor` is no job. */
    causedBy: text('caused_by'),
    /** Ids of the entries that this one takes back. */
    undoes: integer('undoes').array(),
    /** Transaction that wrote the entry. Feeds read by it, because ids are drawn in another order than they become visible. */
    tx: transactionId('tx').notNull().default(sql`pg_current_xact_id()`),
  },
  (t) => [
    index('audit_log_account').on(t.accountId, t.id),
    index('audit_log_feed').on(t.tx, t.id).concurrently(),
    index('audit_log_account_feed').on(t.accountId, t.tx, t.id).concurrently(),
    index('audit_log_account_action').on(t.accountId, t.action, t.id).concurrently(),
    index('audit_log_account_actor').on(t.accountId, t.actor, t.id).concurrently(),
    index('audit_log_subject').on(t.subject, t.id),
    index('audit_log_account_at').on(t.accountId, t.at, t.id).concurrently(),
    index('audit_log_account_request')
      .on(t.accountId, t.requestId, t.id)
      .where(sql`${t.requestId} is not null`)
      .concurrently(),
    index('audit_log_account_cause')
      .on(t.accountId, t.causedBy, t.id)
      .where(sql`${t.causedBy} is not null`)
      .concurrently(),
    index('audit_log_undoes').using('gin', t.undoes).where(sql`${t.undoes} is not null`).concurrently(),
  ],
)
