import { type SQL, sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { accounts, apiKeys } from './accounts.ts'
import { createdAt, identity, instant, oneOf, updatedAt } from './columns.ts'
import { accountId } from './owners.ts'
import { projects } from './projects.ts'
import { EXPORT_STATES, MAIL_FAULTS, PROJECT_ROLES, ROLES } from './values/people.ts'

/** Roles that there were before memberships. */
const FIRST_ROLES = ['owner', 'member'] as const

/** People who sign in. The columns up to `image` are those that better-auth stores for a user. */
export const people = pgTable(
  'people',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    email: text('email').notNull(),
    emailVerified: boolean('email_verified').notNull().default(false),
    image: text('image'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    /** Account that the person chose last. Their memberships decide where they may work. */
    accountId: integer('account_id').references(() => accounts.id, { onDelete: 'cascade' }),
    /** Only releases from before memberships read it. */
    role: text('role', { enum: FIRST_ROLES }).notNull().default('owner'),
    /** Fault that the mail provider reported of an address, which may be an earlier one of the person, and when. */
    mailFault: text('mail_fault', { enum: MAIL_FAULTS }),
    mailFaultOf: text('mail_fault_of'),
    mailFaultAt: instant('mail_fault_at'),
  },
  (t) => [
    uniqueIndex('people_email_unique').on(t.email),
    index('people_account').on(t.accountId),
    check('people_role_check', oneOf(t.role, FIRST_ROLES)),
  ],
)

/** Sessions of signed-in people. */
export const personSessions = pgTable(
  'person_sessions',
  {
    id: text('id').primaryKey(),
    token: text('token').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    /** Time at which a mailed link last proved who the person is; null: no link did. */
    provedAt: instant('proved_at'),
    expiresAt: instant('expires_at').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('person_sessions_token_unique').on(t.token),
    index('person_sessions_user').on(t.userId),
    index('person_sessions_expiry').on(t.expiresAt),
  ],
)

/** Credentials of a person: a password, kept as its scrypt hash. */
export const personCredentials = pgTable(
  'person_credentials',
  {
    id: text('id').primaryKey(),
    accountId: text('account_id').notNull(),
    providerId: text('provider_id').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    password: text('password'),
    accessToken: text('access_token'),
    refreshToken: text('refresh_token'),
    idToken: text('id_token'),
    accessTokenExpiresAt: instant('access_token_expires_at'),
    refreshTokenExpiresAt: instant('refresh_token_expires_at'),
    scope: text('scope'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [index('person_credentials_user').on(t.userId)],
)

/** Passkeys of people. The private key is on their device or in their password manager. */
export const personPasskeys = pgTable(
  'person_passkeys',
  {
    /** Id that the device chose, base64url. */
    id: text('id').primaryKey(),
    personId: text('person_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** COSE key, base64url. */
    publicKey: text('public_key').notNull(),
    /** Number of uses that the device reports; 0 for devices that do not count. */
    counter: bigint('counter', { mode: 'number' }).notNull(),
    createdAt: createdAt(),
    lastUsedAt: instant('last_used_at'),
  },
  (t) => [index('person_passkeys_person').on(t.personId)],
)

/** Returns the address that a token was mailed to, from its `value`. The index of addresses has the same expression. */
export const mailedTo = (value: AnyPgColumn): SQL => sql`substring(${value} from '"email":"([^"]+)"')`

/**
 * Hashes of mailed tokens: to sign in, or to prove an address and choose a password. `value` is JSON with the address.
 */
export const personVerifications = pgTable(
  'person_verifications',
  {
    id: text('id').primaryKey(),
    identifier: text('identifier').notNull(),
    value: text('value').notNull(),
    expiresAt: instant('expires_at').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index('person_verifications_identifier').on(t.identifier),
    index('person_verifications_expiry').on(t.expiresAt),
    index('person_verifications_email').on(mailedTo(t.value)),
  ],
)

/** Records of the OAuth server: clients, grants, tokens (hashed), and used tokens. */
export const oauthRecords = pgTable(
  'oauth_records',
  {
    key: text('key').primaryKey(),
    value: text('value').notNull(),
    metadata: jsonb('metadata'),
    expiresAt: instant('expires_at'),
    createdAt: createdAt(),
  },
  (t) => [
    index('oauth_records_prefix').using('btree', sql`${t.key} text_pattern_ops`),
    index('oauth_records_expiry').on(t.expiresAt).where(sql`${t.expiresAt} is not null`),
  ],
)

/** Applications that people let in. Each grant of the OAuth server has its own API key. */
export const oauthGrants = pgTable(
  'oauth_grants',
  {
    grantId: text('grant_id').primaryKey(),
    keyId: integer('key_id')
      .notNull()
      .references(() => apiKeys.id, { onDelete: 'cascade' }),
    personId: text('person_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    clientId: text('client_id').notNull(),
    clientName: text('client_name').notNull(),
    /** Host that the application returns to. */
    redirectHost: text('redirect_host').notNull(),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex('oauth_grants_key_unique').on(t.keyId), index('oauth_grants_person').on(t.personId, t.clientId)],
)

/** Members of accounts, and their roles. */
export const memberships = pgTable(
  'memberships',
  {
    personId: text('person_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    accountId: accountId(),
    role: text('role', { enum: ROLES }).notNull(),
    /** The only project of an editor or a client; null for other roles. After its deletion they see nothing. */
    projectId: integer('project_id').references(() => projects.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: 'memberships_pkey', columns: [t.personId, t.accountId] }),
    index('memberships_account').on(t.accountId, t.createdAt),
    index('memberships_project').on(t.projectId),
    check('memberships_role_check', oneOf(t.role, ROLES)),
    check('memberships_project_check', sql`${t.projectId} is null or ${oneOf(t.role, PROJECT_ROLES)}`),
  ],
)

/** Open invitations to an account. An accepted or withdrawn invitation is deleted. */
export const invitations = pgTable(
  'invitations',
  {
    id: identity(),
    accountId: accountId(),
    /** In lower case. Only a person who proves this address may accept. */
    email: text('email').notNull(),
    role: text('role', { enum: ROLES }).notNull(),
    /** The only project of an editor or a client. The invitation is deleted with it. */
    projectId: integer('project_id').references(() => projects.id, { onDelete: 'cascade' }),
    /** SHA-256 of the mailed token, hex. */
    tokenHash: text('token_hash').notNull(),
    /** Address of the person who sent the invitation. */
    invitedBy: text('invited_by').notNull(),
    expiresAt: instant('expires_at').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('invitations_address_unique').on(t.accountId, t.email),
    uniqueIndex('invitations_token_unique').on(t.tokenHash),
    index('invitations_expiry').on(t.expiresAt),
    index('invitations_project').on(t.projectId),
    check('invitations_role_check', oneOf(t.role, ROLES)),
    check('invitations_project_check', sql`(${t.projectId} is not null) = (${oneOf(t.role, PROJECT_ROLES)})`),
  ],
)

/** Accounts that will be erased at `erase_at`. Until then an owner may cancel the deletion. */
export const accountDeletions = pgTable(
  'account_deletions',
  {
    accountId: integer('account_id')
      .primaryKey()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** Address of the person who asked. */
    requestedBy: text('requested_by').notNull(),
    /** Equal to the account's `suspended_at`. Cancelling lifts the suspension only if both are the same. */
    requestedAt: instant('requested_at').notNull(),
    eraseAt: instant('erase_at').notNull(),
  },
  (t) => [index('account_deletions_due').on(t.eraseAt)],
)

/** Copies of all data of an account, made for its owners. Kept in the bucket, in parts, until `expires_at`. */
export const accountExports = pgTable(
  'account_exports',
  {
    id: identity(),
    accountId: accountId(),
    /** Part of the object names in the bucket. It cannot be guessed. */
    name: text('name').notNull(),
    /** Address that gets a mail when the copy is ready. */
    requestedBy: text('requested_by').notNull(),
    state: text('state', { enum: EXPORT_STATES }).notNull(),
    /** Table being copied, and the last row of it. */
    position: jsonb('position').$type<{ table: string; after: readonly unknown[] }>(),
    parts: integer('parts').notNull().default(0),
    rows: integer('rows').notNull().default(0),
    bytes: bigint('bytes', { mode: 'number' }).notNull().default(0),
    createdAt: createdAt(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    index('account_exports_account').on(t.accountId, t.id),
    uniqueIndex('account_exports_making_unique').on(t.accountId).where(sql`${t.state} = 'making'`),
    index('account_exports_expiry').on(t.expiresAt),
    check('account_exports_state_check', oneOf(t.state, EXPORT_STATES)),
  ],
)
