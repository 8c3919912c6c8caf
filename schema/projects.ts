import { type SQL, sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { accounts } from './accounts.ts'
import { createdAt, identity, instant, oneOf, searchVector, updatedAt } from './columns.ts'
import {
  ARTICLE_PLANS,
  CTA_INTENSITIES,
  ONBOARDING_STATES,
  PRODUCT_POSITIONINGS,
  PROJECT_STATUSES,
  PUBLISHING_STATUSES,
  SITE_SCAN_STATES,
  SOCIAL_PUBLISHING_STATUSES,
  TONES,
  WRITING_PROFILES,
} from './values/projects.ts'

const list = (name: string) => text(name).array().notNull().default([])

export const projects = pgTable(
  'projects',
  {
    id: identity(),
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    status: text('status', { enum: PROJECT_STATUSES }).notNull().default('Active'),
    websiteUrl: text('website_url').notNull(),
    /** Comparable form of the address. Two active projects of one account never have the same. */
    websiteKey: text('website_key').notNull(),
    businessName: text('business_name').notNull().default(''),
    /** Other names the business goes by. */
    businessAliases: list('business_aliases'),
    businessDescription: text('business_description').notNull().default(''),
    backlinkCredits: integer('backlink_credits').notNull().default(0),
    /** Credits that were taken back after the project had spent them. Its next earned credits pay for them. */
    backlinkDebt: integer('backlink_debt').notNull().default(0),
    articlePlan: integer('article_plan'),
    siteScanState: text('site_scan_state', { enum: SITE_SCAN_STATES }).notNull().default('pending'),
    siteScanError: text('site_scan_error'),
    siteScannedAt: instant('site_scanned_at'),
    /** Time at which a scan last found the site; null before the first one, and after a failed scan. */
    siteReadAt: instant('site_read_at'),
    /**
     * Time at which an article was first seen live on the site. It proves ownership, because only an owner can publish
     * there.
     */
    ownerShownAt: instant('owner_shown_at'),
    onboardingState: text('onboarding_state', { enum: ONBOARDING_STATES }).notNull().default('not_started'),
    onboardingError: text('onboarding_error'),
    /**
     * Number of articles that onboarding planned, number that the plan asks for, and the reason if they differ; null
     * before it ended.
     */
    onboardingPlanned: integer('onboarding_planned'),
    onboardingWanted: integer('onboarding_wanted'),
    onboardingNote: text('onboarding_note'),
    /** Subjects of the site in its own words: phrases that the scan found, one per line. */
    topics: text('topics').notNull().default(''),
    /**
     * Delivery that is publishing an article of the project, and the latest end of this lock. Only one runs at a time.
     */
    publishingDeliveryId: integer('publishing_delivery_id'),
    publishingUntil: instant('publishing_until'),

    aiInstructions: text('ai_instructions'),
    targetAudience: list('target_audience'),
    sitemapUrl: text('sitemap_url').notNull().default(''),
    blogRootUrl: text('blog_root_url').notNull().default(''),
    contentPillars: list('content_pillars'),
    internalLinksPerArticle: integer('internal_links_per_article').notNull().default(3),
    contentStyle: text('content_style', { enum: TONES }).notNull().default('Informative'),
    language: text('language').notNull().default('English (US)'),
    keywordRegion: text('keyword_region').notNull().default('Worldwide'),
    writingProfile: text('writing_profile', { enum: WRITING_PROFILES }).notNull().default('Balanced SEO'),
    productPositioning: text('product_positioning', { enum: PRODUCT_POSITIONINGS }).notNull().default('Soft mention'),
    customAuthorName: text('custom_author_name').notNull().default(''),
    socialMediaAiInstructions: text('social_media_ai_instructions').notNull().default(''),
    publishTime: text('publish_time').notNull().default('09:00'),
    timezone: text('timezone').notNull().default('UTC'),
    publishingStatus: text('publishing_status', { enum: PUBLISHING_STATUSES }).notNull().default('Publish Immediately'),
    socialMediaPublishingStatus: text('social_media_publishing_status', { enum: SOCIAL_PUBLISHING_STATUSES })
      .notNull()
      .default('Save as Drafts'),
    ctaIntensity: text('cta_intensity', { enum: CTA_INTENSITIES }).notNull().default('Soft'),
    bannedPhrases: list('banned_phrases'),
    videosEnabled: boolean('videos_enabled').notNull().default(false),
    backlinksNetwork: boolean('backlinks_network').notNull().default(false),
    competitorWebsites: list('competitor_websites'),
    primaryLocation: text('primary_location').notNull().default(''),
    /** Most cents that crowdwork may set aside in a month; null: no limit. */
    crowdworkBudget: integer('crowdwork_budget'),
    /** First instant of the month (UTC) whose article credits are counted, and the credits that articles used in it. */
    creditsMonth: instant('credits_month'),
    creditsUsed: integer('credits_used').notNull().default(0),
    weeklySuggestions: boolean('weekly_suggestions').notNull().default(true),
    tellsEngines: boolean('tells_engines').notNull().default(false),
    /** Key of IndexNow, which the file `<key>.txt` at the site proves. Null until a new one was made: it is then derived. */
    engineKey: text('engine_key'),
    /** Settings that a caller has sent. A scan of the site changes only the others. */
    sentFields: list('sent_fields'),
    /** Only settings that were set. The defaults are in `src/accounts/projects/settings.ts`. */
    articleQualitySettings: jsonb('article_quality_settings').$type<Record<string, unknown>>().notNull().default({}),
    imagePreferences: jsonb('image_preferences').$type<Record<string, unknown>>().notNull().default({}),

    /** Time at which the keys of the pages are next computed again; null if they have the form of this release. */
    pagesRekeyAt: instant('pages_rekey_at').defaultNow(),

    /** Time at which the archived project is erased, if an owner asked for that. */
    eraseAt: instant('erase_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    /** Subjects of the project, for finding exchange partners near a topic. */
    topicVector: searchVector('topic_vector').generatedAlwaysAs(
      (): SQL =>
        sql`to_tsvector('english'::regconfig, ${projects.businessName} || ' ' || ${projects.businessDescription} || ' ' || ${projects.topics} || ' ' || ${projects.websiteKey})`,
    ),
  },
  (t) => [
    index('projects_exchange_site').on(t.websiteKey).where(sql`${t.status} = 'Active' and ${t.backlinksNetwork}`),
    index('projects_exchange_richest')
      .on(t.language, t.backlinkCredits.desc(), t.id)
      .where(sql`${t.status} = 'Active' and ${t.backlinksNetwork}`),
    index('projects_exchange_topic')
      .using('gin', t.topicVector)
      .where(sql`${t.status} = 'Active' and ${t.backlinksNetwork}`),
    uniqueIndex('projects_active_website_unique').on(t.accountId, t.websiteKey).where(sql`${t.status} = 'Active'`),
    index('projects_account').on(t.accountId, t.id),
    index('projects_scan_due')
      .on(t.siteScannedAt)
      .where(sql`${t.status} = 'Active' and ${t.siteScanState} in ('completed', 'failed')`)
      .concurrently(),
    index('projects_rekey').on(t.pagesRekeyAt).where(sql`${t.pagesRekeyAt} is not null`).concurrently(),
    check('projects_status_check', oneOf(t.status, PROJECT_STATUSES)),
    check('projects_article_plan_check', oneOf(t.articlePlan, ARTICLE_PLANS)),
    check('projects_site_scan_state_check', oneOf(t.siteScanState, SITE_SCAN_STATES)),
    check('projects_onboarding_state_check', oneOf(t.onboardingState, ONBOARDING_STATES)),
    check('projects_content_style_check', oneOf(t.contentStyle, TONES)),
    check('projects_writing_profile_check', oneOf(t.writingProfile, WRITING_PROFILES)),
    check('projects_product_positioning_check', oneOf(t.productPositioning, PRODUCT_POSITIONINGS)),
    check('projects_publishing_status_check', oneOf(t.publishingStatus, PUBLISHING_STATUSES)),
    check('projects_social_publishing_status_check', oneOf(t.socialMediaPublishingStatus, SOCIAL_PUBLISHING_STATUSES)),
    check('projects_cta_intensity_check', oneOf(t.ctaIntensity, CTA_INTENSITIES)),
    check('projects_backlink_credits_check', sql`${t.backlinkCredits} >= 0 and ${t.backlinkDebt} >= 0`),
    check('projects_internal_links_check', sql`${t.internalLinksPerArticle} between 1 and 5`),
  ],
)
