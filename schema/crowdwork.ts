import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { createdAt, identity, instant, oneOf, updatedAt } from './columns.ts'
import { accountId, projectId } from './owners.ts'
import { CAMPAIGN_STAGES, CAMPAIGN_STATUSES } from './values/crowdwork.ts'

/** Crowdwork campaigns. The row is written before the provider is asked to make the campaign. */
export const crowdworkCampaigns = pgTable(
  'crowdwork_campaigns',
  {
    id: identity(),
    accountId: accountId(),
    projectId: projectId(),
    stage: text('stage', { enum: CAMPAIGN_STAGES }).notNull(),
    /** The provider's id; null until the campaign exists. */
    campaignId: text('campaign_id'),
    templateId: text('template_id'),
    /** Text in the description at the provider, by which a campaign is found again if the answer was lost. */
    mark: text('mark').notNull(),
    /** Hash of the caller's request. The same call again continues an unfinished campaign. */
    fingerprint: text('fingerprint').notNull(),
    /** Request to the provider. */
    wanted: jsonb('wanted').$type<Record<string, unknown>>().notNull(),
    platform: text('platform').notNull(),
    title: text('title').notNull(),
    status: text('status', { enum: CAMPAIGN_STATUSES }).notNull().default('created'),
    availablePositions: integer('available_positions').notNull(),
    paymentCents: integer('payment_cents').notNull(),
    /** Cost of all positions, and the time at which it was set aside. It counts toward the budget of that month. */
    costCents: integer('cost_cents').notNull(),
    chargedAt: instant('charged_at').notNull(),
    /** Time of the last request to make the campaign; null if the provider certainly has none. */
    sentAt: instant('sent_at'),
    leaseUntil: instant('lease_until'),
    /** An equal call got the answer to repeat. Until this time, a repeat returns this campaign and makes no other. */
    owedUntil: instant('owed_until'),
    lastError: text('last_error'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('crowdwork_campaigns_campaign_unique').on(t.campaignId),
    uniqueIndex('crowdwork_campaigns_mark_unique').on(t.mark),
    uniqueIndex('crowdwork_campaigns_open_unique')
      .on(t.accountId, t.fingerprint)
      .where(sql`${t.stage} in ('making', 'failed')`),
    index('crowdwork_campaigns_account').on(t.accountId, t.id).where(sql`${t.campaignId} is not null`),
    index('crowdwork_campaigns_project').on(t.projectId, t.id).where(sql`${t.campaignId} is not null`),
    index('crowdwork_campaigns_account_status')
      .on(t.accountId, t.status, t.id)
      .where(sql`${t.campaignId} is not null`)
      .concurrently(),
    index('crowdwork_campaigns_project_status')
      .on(t.projectId, t.status, t.id)
      .where(sql`${t.campaignId} is not null`)
      .concurrently(),
    index('crowdwork_campaigns_charged').on(t.projectId, t.chargedAt).where(sql`${t.stage} in ('making', 'made')`),
    check('crowdwork_campaigns_stage_check', oneOf(t.stage, CAMPAIGN_STAGES)),
    check('crowdwork_campaigns_status_check', oneOf(t.status, CAMPAIGN_STATUSES)),
    check('crowdwork_campaigns_cost_check', sql`${t.costCents} >= 0 and ${t.paymentCents} >= 0`),
  ],
)
