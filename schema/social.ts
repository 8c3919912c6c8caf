import { sql } from 'drizzle-orm'
import { boolean, check, date, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { articles } from './articles.ts'
import { createdAt, identity, instant, oneOf, updatedAt } from './columns.ts'
import { accountId, projectId } from './owners.ts'
import {
  GUIDE_STATUSES,
  type GuideConfig,
  type MediaFile,
  POST_STATUSES,
  SOCIAL_ACCOUNT_STATUSES,
  SOCIAL_PLATFORMS,
  SOCIAL_ROUTES,
} from './values/social.ts'

const owners = {
  accountId: accountId(),
  projectId: projectId(),
}

/** The profile at the social provider that a project's accounts are connected to. A project never sees another's. */
export const socialProfiles = pgTable(
  'social_profiles',
  { id: identity(), ...owners, remoteId: text('remote_id').notNull(), createdAt: createdAt() },
  (t) => [
    uniqueIndex('social_profiles_project_unique').on(t.projectId),
    index('social_profiles_account').on(t.accountId),
  ],
)

/** Accounts of networks that are called directly, without the provider. */
export const socialAccounts = pgTable(
  'social_accounts',
  {
    id: identity(),
    ...owners,
    platform: text('platform', { enum: SOCIAL_PLATFORMS }).notNull(),
    status: text('status', { enum: SOCIAL_ACCOUNT_STATUSES }).notNull().default('Active'),
    /** The network's own id: a DID at Bluesky, a chat at Telegram. */
    remoteId: text('remote_id').notNull(),
    name: text('name').notNull(),
    username: text('username').notNull(),
    url: text('url').notNull(),
    /** AES-GCM sealed JSON: what was given to connect it. */
    sealedSecrets: text('sealed_secrets').notNull(),
    /** AES-GCM sealed JSON: tokens the network gave in exchange; null where it gives none. */
    sealedSession: text('sealed_session'),
    /** Person of the grant, as Google names people: withdrawing one grant withdraws every other of the same person. */
    grantSub: text('grant_sub'),
    /** Reason for which the network ended it; null if a person disconnected it, or it is connected. */
    lapsedReason: text('lapsed_reason'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('social_accounts_active_unique')
      .on(t.projectId, t.platform, t.remoteId)
      .where(sql`${t.status} = 'Active'`),
    index('social_accounts_account').on(t.accountId),
    index('social_accounts_grant').on(t.grantSub).where(sql`${t.grantSub} is not null`).concurrently(),
    check('social_accounts_platform_check', oneOf(t.platform, SOCIAL_PLATFORMS)),
    check('social_accounts_status_check', oneOf(t.status, SOCIAL_ACCOUNT_STATUSES)),
  ],
)

/** One post on one network by one account. */
export const socialPosts = pgTable(
  'social_posts',
  {
    id: identity(),
    ...owners,
    /** The article it tells of, where publishing one made it. */
    articleId: integer('article_id').references(() => articles.id, { onDelete: 'set null' }),
    platform: text('platform', { enum: SOCIAL_PLATFORMS }).notNull(),
    route: text('route', { enum: SOCIAL_ROUTES }).notNull(),
    /** The account it goes out from, as callers name it. */
    socialAccountId: text('social_account_id').notNull(),
    content: text('content').notNull(),
    link: text('link'),
    mediaFiles: jsonb('media_files').$type<MediaFile[]>().notNull().default([]),
    options: jsonb('options').$type<Record<string, unknown>>().notNull().default({}),
    status: text('status', { enum: POST_STATUSES }).notNull(),
    scheduledFor: instant('scheduled_for'),
    /** Day of a date that was given as a day: it follows the project's clock. Null: an instant, which stays. */
    scheduledDay: date('scheduled_day', { mode: 'string' }),
    publishedAt: instant('published_at'),
    url: text('url'),
    error: text('error'),
    /** Names this post at the network or provider, the same in every attempt. */
    sendKey: text('send_key').notNull(),
    /** The id the provider or network gave it. */
    remoteId: text('remote_id'),
    /** The network's own id of a post that the provider brought there. */
    networkId: text('network_id'),
    /** A request may have arrived whose outcome is not known: nothing is sent before a look-up has said. */
    maybeSent: boolean('maybe_sent').notNull().default(false),
    attempts: integer('attempts').notNull().default(0),
    /** Look-ups in a row that did not say how the post stands. */
    lookups: integer('lookups').notNull().default(0),
    leaseUntil: instant('lease_until'),
    /** The approval that lets it out, or that it waits for. */
    approvalId: integer('approval_id'),
    guide: jsonb('guide').$type<GuideConfig>(),
    guideStatus: text('guide_status', { enum: GUIDE_STATUSES }),
    guideError: text('guide_error'),
    /** The provider's id of the rule. */
    guideRemoteId: text('guide_remote_id'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index('social_posts_account').on(t.accountId, t.id),
    index('social_posts_account_status').on(t.accountId, t.status, t.id),
    index('social_posts_project').on(t.projectId, t.id),
    index('social_posts_project_status').on(t.projectId, t.status, t.id),
    index('social_posts_account_platform').on(t.accountId, t.platform, t.status, t.id).concurrently(),
    index('social_posts_project_platform').on(t.projectId, t.platform, t.status, t.id).concurrently(),
    uniqueIndex('social_posts_article_unique').on(t.articleId, t.socialAccountId),
    check('social_posts_platform_check', oneOf(t.platform, SOCIAL_PLATFORMS)),
    check('social_posts_route_check', oneOf(t.route, SOCIAL_ROUTES)),
    check('social_posts_status_check', oneOf(t.status, POST_STATUSES)),
    check('social_posts_guide_status_check', oneOf(t.guideStatus, GUIDE_STATUSES)),
    check('social_posts_guide_check', sql`(${t.guide} is null) = (${t.guideStatus} is null)`),
  ],
)
