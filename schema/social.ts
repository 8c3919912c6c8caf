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

/** Profiles at the social provider. Each has the accounts of one project, which never sees the others. */
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
    /** AES-GCM sealed JSON: the credentials for connecting the account. */
    sealedSecrets: text('sealed_secrets').notNull(),
    /** AES-GCM sealed JSON: the tokens that the network issued; null if it issues none. */
    sealedSession: text('sealed_session'),
    /**
     * Person of the grant, by the network's id. Withdrawing one grant withdraws every other grant of the same person.
     */
    grantSub: text('grant_sub'),
    /**
     * Reason for which the network ended the connection; null while it is connected, or if a person disconnected it.
     */
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
    /** Article whose publication made the post; null for other posts. */
    articleId: integer('article_id').references(() => articles.id, { onDelete: 'set null' }),
    platform: text('platform', { enum: SOCIAL_PLATFORMS }).notNull(),
    route: text('route', { enum: SOCIAL_ROUTES }).notNull(),
    /** Account that sends the post, by the id that callers use. */
    socialAccountId: text('social_account_id').notNull(),
    content: text('content').notNull(),
    link: text('link'),
    mediaFiles: jsonb('media_files').$type<MediaFile[]>().notNull().default([]),
    options: jsonb('options').$type<Record<string, unknown>>().notNull().default({}),
    status: text('status', { enum: POST_STATUSES }).notNull(),
    scheduledFor: instant('scheduled_for'),
    /** Day, if the date was set as a day: it follows the project's clock. Null: an exact time, which does not move. */
    scheduledDay: date('scheduled_day', { mode: 'string' }),
    publishedAt: instant('published_at'),
    url: text('url'),
    error: text('error'),
    /** Identifies this post at the network or provider. It is the same in every attempt. */
    sendKey: text('send_key').notNull(),
    /** Id from the provider or network. */
    remoteId: text('remote_id'),
    /** The network's own id of a post that was sent through the provider. */
    networkId: text('network_id'),
    /**
     * True if a request with an unknown outcome may have arrived. Nothing is sent until a look-up finds the outcome.
     */
    maybeSent: boolean('maybe_sent').notNull().default(false),
    attempts: integer('attempts').notNull().default(0),
    /** Look-ups in a row that did not find the state of the post. */
    lookups: integer('lookups').notNull().default(0),
    leaseUntil: instant('lease_until'),
    /** Approval that allows the post, or that it waits for. */
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
    index('social_posts_account_published')
      .on(t.accountId, t.publishedAt)
      .where(sql`${t.publishedAt} is not null`)
      .concurrently(),
    uniqueIndex('social_posts_article_unique').on(t.articleId, t.socialAccountId),
    check('social_posts_platform_check', oneOf(t.platform, SOCIAL_PLATFORMS)),
    check('social_posts_route_check', oneOf(t.route, SOCIAL_ROUTES)),
    check('social_posts_status_check', oneOf(t.status, POST_STATUSES)),
    check('social_posts_guide_status_check', oneOf(t.guideStatus, GUIDE_STATUSES)),
    check('social_posts_guide_check', sql`(${t.guide} is null) = (${t.guideStatus} is null)`),
  ],
)
