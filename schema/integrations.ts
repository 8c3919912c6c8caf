import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { createdAt, identity, instant, oneOf, updatedAt } from './columns.ts'
import { accountId, projectId } from './owners.ts'
import { INTEGRATION_STATUSES, PUBLISHING_PLATFORMS } from './values/publishing.ts'

export const integrations = pgTable(
  'integrations',
  {
    id: identity(),
    accountId: accountId(),
    projectId: projectId(),
    platform: text('platform', { enum: PUBLISHING_PLATFORMS }).notNull(),
    name: text('name').notNull(),
    status: text('status', { enum: INTEGRATION_STATUSES }).notNull().default('Active'),
    url: text('url').notNull(),
    /** AES-GCM sealed JSON of the platform's secrets, with the id of the sealing key in front. */
    sealedSecrets: text('sealed_secrets').notNull(),
    lastUsedAt: instant('last_used_at'),
    lastError: text('last_error'),
    /** Time at which the visits that the site counted are read next. */
    nextTrafficAt: instant('next_traffic_at').notNull().defaultNow(),
    /** Reason why they were not read at the last attempt. */
    trafficError: text('traffic_error'),
    /** Time at which a receiver was last asked to update a post that does not exist. */
    unknownAskedAt: instant('unknown_asked_at'),
    /** HTTP status that it answered; null if it was not asked, or gave no clear answer. */
    unknownStatus: integer('unknown_status'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('integrations_active_target_unique').on(t.projectId).where(sql`${t.status} = 'Active'`),
    index('integrations_account').on(t.accountId, t.status, t.id),
    index('integrations_project').on(t.projectId, t.id),
    index('integrations_traffic')
      .on(t.nextTrafficAt)
      .where(sql`${t.status} = 'Active' and ${t.platform} = 'wordpress'`)
      .concurrently(),
    check('integrations_platform_check', oneOf(t.platform, PUBLISHING_PLATFORMS)),
    check('integrations_status_check', oneOf(t.status, INTEGRATION_STATUSES)),
  ],
)
