import { bigint, index, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { createdAt, updatedAt } from './columns.ts'
import { accountId } from './owners.ts'

/** Columns of every mirrored row: the caller's own id, the row as it was sent, and its version. */
const mirrored = () => ({
  accountId: accountId(),
  id: text('id').notNull(),
  data: jsonb('data').$type<Record<string, unknown>>().notNull(),
  /** `updated_at` as microseconds since 1970; null if the row was sent without it. */
  version: bigint('version', { mode: 'number' }),
})

/** Returns a column for the domain of an address and its parent domains. */
const domains = () => text('domains').array().notNull()

/** Outreach mirrors of accounts, and how far the caller's sync has come. */
export const outreachMirrors = pgTable('outreach_mirrors', {
  accountId: accountId().primaryKey(),
  /** The `since` of the last sync that sent one. */
  cursor: text('cursor'),
  /** Salt for the hashes of erased data. */
  salt: text('salt').notNull(),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
})

export const outreachPersons = pgTable(
  'outreach_persons',
  { ...mirrored(), address: text('address'), domains: domains() },
  (t) => [
    primaryKey({ name: 'outreach_persons_pkey', columns: [t.accountId, t.id] }),
    index('outreach_persons_address').on(t.accountId, t.address),
  ],
)

export const outreachIdentities = pgTable(
  'outreach_identities',
  { ...mirrored(), personId: text('person_id').notNull(), address: text('address').notNull(), domains: domains() },
  (t) => [
    primaryKey({ name: 'outreach_identities_pkey', columns: [t.accountId, t.id] }),
    index('outreach_identities_person').on(t.accountId, t.personId),
    index('outreach_identities_address').on(t.accountId, t.address),
  ],
)

export const outreachLeads = pgTable(
  'outreach_leads',
  { ...mirrored(), personId: text('person_id').notNull() },
  (t) => [
    primaryKey({ name: 'outreach_leads_pkey', columns: [t.accountId, t.id] }),
    index('outreach_leads_person').on(t.accountId, t.personId),
  ],
)

export const outreachActions = pgTable(
  'outreach_actions',
  { ...mirrored(), personId: text('person_id').notNull() },
  (t) => [
    primaryKey({ name: 'outreach_actions_pkey', columns: [t.accountId, t.id] }),
    index('outreach_actions_person').on(t.accountId, t.personId),
  ],
)

/**
 * Suppressions by target: `person:<id>`, `address:<address>`, `domain:<name>`.
 *
 * The target is part of the primary key. A later row with the same id and another target does not lift the first one.
 */
export const outreachSuppressions = pgTable(
  'outreach_suppressions',
  { ...mirrored(), key: text('key').notNull() },
  (t) => [
    primaryKey({ name: 'outreach_suppressions_pkey', columns: [t.accountId, t.id, t.key] }),
    index('outreach_suppressions_key').on(t.accountId, t.key),
  ],
)

/** Erased data as hashes: rows that match one are never stored again. */
export const outreachErasures = pgTable(
  'outreach_erasures',
  { accountId: accountId(), hash: text('hash').notNull(), createdAt: createdAt() },
  (t) => [primaryKey({ name: 'outreach_erasures_pkey', columns: [t.accountId, t.hash] })],
)
