import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { createdAt, instant, oneOf, updatedAt } from './columns.ts'
import { accountId, projectId } from './owners.ts'
import { CONNECTED_PLATFORMS } from './values/connections.ts'
import { CONNECTION_STATUSES } from './values/publishing.ts'

/**
 * Connections of projects to services other than publishing targets. They are listed with the integrations and share
 * their ids.
 */
export const connections = pgTable(
  'connections',
  {
    id: integer('id').primaryKey().default(sql`nextval('integrations_id_seq'::regclass)`),
    accountId: accountId(),
    projectId: projectId(),
    platform: text('platform', { enum: CONNECTED_PLATFORMS }).notNull(),
    name: text('name').notNull(),
    status: text('status', { enum: CONNECTION_STATUSES }).notNull().default('Active'),
    url: text('url').notNull(),
    /** AES-GCM sealed secrets, bound to `connection:<id>`. */
    sealedSecrets: text('sealed_secrets').notNull(),
    lastUsedAt: instant('last_used_at'),
    lastError: text('last_error'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('connections_active_unique').on(t.projectId, t.platform).where(sql`${t.status} = 'Active'`),
    index('connections_account').on(t.accountId, t.status, t.id),
    check('connections_platform_check', oneOf(t.platform, CONNECTED_PLATFORMS)),
    check('connections_status_check', oneOf(t.status, CONNECTION_STATUSES)),
  ],
)
