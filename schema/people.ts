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
import { EXPORT_STATES, PROJECT_ROLES, ROLES } from './values/people.ts'

/** Roles that there were before memberships. */
const FIRST_ROLES = ['owner', 'member'] as const

/** People who sign in. The columns down to `image` are those better-auth keeps of a user. */
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
    /** The account the person chose last; where they may work is said by their memberships. */
    accountId: integer('account_id').references(() => accounts.id, { onDelete: 'cascade' }),
    /** As releases before memberships read it. */
    role: text('role', { enum: FIRST_ROLES }).notNull().default('owner'),
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
    /** Time at which a mailed link started the session; null: a password did. */
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

/** Passkeys of people: a device, or a password manager, has the private key. */
export const personPasskeys = pgTable(
  'person_passkeys',
  {
    /** The id that the device chose, base64url. */
    id: text('id').primaryKey(),
    personId: text('person_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** COSE key, base64url. */
    publicKey: text('public_key').notNull(),
    /** Times that the device used it, as it says; 0 for devices that do not count. */
    counter: bigint('counter', { mode: 'number' }).notNull(),
    createdAt: createdAt(),
    lastUsedAt: instant('last_used_at'),
  },
  (t) => [index('person_passkeys_person').on(t.personId)],
)

/** The address that a token was mailed to, out of its `value`: an expression that the index of addresses has. */
export const mailedTo = (value: AnyPgColumn): SQL => sql`substring(${value} from '"email":"([^"]+)"')`

/** Tokens that were mailed, hashed: to sign in, and to prove an address and choose a password. `value` is JSON with the address. */
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

/** Records of the OAuth server: clients, grants, tokens (hashed), and which of them were used. */
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

/** Applications that were let in: each grant of the OAuth server is backed by an API key of its own. */
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
    /** The host the application returns to. */
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
    /** The one project of an editor or a client, who sees nothing once it is deleted; null for the others. */
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

/** Invitations to an account that wait for an answer. One that is accepted or withdrawn is gone. */
export const invitations = pgTable(
  'invitations',
  {
    id: identity(),
    accountId: accountId(),
    /** In lower case. Only who proves this address may accept. */
    email: text('email').notNull(),
    role: text('role', { enum: ROLES }).notNull(),
    /** The one project of an editor or a client; the invitation ends with it. */
    projectId: integer('project_id').references(() => projects.id, { onDelete: 'cascade' }),
    /** SHA-256 of the mailed token, hex. */
    tokenHash: text('token_hash').notNull(),
    /** The address of who invited. */
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

/** Accounts that are to be erased: until then an owner may take it back. */
export const accountDeletions = pgTable(
  'account_deletions',
  {
    accountId: integer('account_id')
      .primaryKey()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** Address of the person who asked. */
    requestedBy: text('requested_by').notNull(),
    /** Also the account's `suspended_at`, by which taking it back knows that nobody else suspended it. */
    requestedAt: instant('requested_at').notNull(),
    eraseAt: instant('erase_at').notNull(),
  },
  (t) => [index('account_deletions_due').on(t.eraseAt)],
)

/** Copies of all that an account has, made for its owners; kept in the bucket, in parts, until `expires_at`. */
export const accountExports = pgTable(
  'account_exports',
  {
    id: identity(),
    accountId: accountId(),
    /** Part of the names in the bucket: nobody can guess it. */
    name: text('name').notNull(),
    /** The address that is told when it is ready. */
    requestedBy: text('requested_by').notNull(),
    state: text('state', { enum: EXPORT_STATES }).notNull(),
    /** The table that is being copied, and the last row of it. */
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
