import * as z from 'zod/mini'
import { PLANS, SCOPES } from '../../../schema/values/accounts.ts'
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
} from '../../../schema/values/projects.ts'
import { type AnswersOf, body, count, id, instant, page } from '../../platform/http/answers.ts'
import { COST_UNITS } from '../../platform/http/operation.ts'
import type { projectOperations } from './operations.ts'

const budget = z.strictObject({ used: z.number(), limit: z.nullable(z.number()) })

const budgets = { article_credits: budget, scans: budget, dollars: budget }

const key = z.strictObject({
  id: z.nullable(id()),
  name: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  expires_at: z.nullable(instant()),
  budgets: z.strictObject(budgets),
})

const articlePlan = z.nullable(z.literal([...ARTICLE_PLANS]))

const row = {
  ID: id(),
  BusinessName: z.string(),
  WebsiteUrl: z.string(),
  BusinessDescription: z.string(),
  Language: z.string(),
  Status: z.enum(PROJECT_STATUSES),
  BacklinkCredits: z.int(),
  ArticlesPerDay: count(),
  BecklinksNetworkParticipation: z.enum(['Yes', 'No']),
  PublishingStatus: z.enum(PUBLISHING_STATUSES),
  PublishTime: z.string(),
  Timezone: z.string(),
  CreatedAt: instant(),
}

const detail = z.strictObject({
  ...row,
  SitemapUrl: z.string(),
  BlogRootUrl: z.string(),
  TargetAudience: z.array(z.string()),
  PrimaryLocation: z.string(),
  ArticlePlan: articlePlan,
  UpdatedAt: instant(),
})

const settings = z.strictObject({
  ai_instructions: z.nullable(z.string()),
  business_name: z.string(),
  business_aliases: z.array(z.string()),
  business_description: z.string(),
  target_audience: z.array(z.string()),
  sitemap_url: z.string(),
  blog_root_url: z.string(),
  content_pillars: z.array(z.string()),
  internal_links_per_article: z.int(),
  tone: z.enum(TONES),
  language: z.string(),
  keyword_region: z.string(),
  primary_location: z.string(),
  writing_profile: z.enum(WRITING_PROFILES),
  product_positioning: z.enum(PRODUCT_POSITIONINGS),
  custom_author_name: z.string(),
  social_media_ai_instructions: z.string(),
  publish_time: z.string(),
  timezone: z.string(),
  publishing_status: z.enum(PUBLISHING_STATUSES),
  social_media_publishing_status: z.enum(SOCIAL_PUBLISHING_STATUSES),
  image_hosting: z.string(),
  image_style: z.nullable(z.string()),
  brand_color: z.nullable(z.string()),
  image_prompt_instructions: z.string(),
  title_based_featured_image: z.boolean(),
  cta_intensity: z.enum(CTA_INTENSITIES),
  first_person_writing: z.boolean(),
  table_of_contents: z.boolean(),
  avoid_formulaic_section_endings: z.boolean(),
  require_operational_examples: z.boolean(),
  strict_banned_phrase_guard: z.boolean(),
  banned_phrases: z.array(z.string()),
  brand_intelligence: z.boolean(),
  duplicate_content_protection: z.boolean(),
  videos_enabled: z.boolean(),
  backlinks_network: z.boolean(),
  competitors: z.array(z.string()),
  weekly_suggestions: z.boolean(),
  crowdwork_budget: z.nullable(z.number()),
  articles_per_day: count(),
})

const planListing = z.strictObject({
  current: articlePlan,
  recommended: articlePlan,
  articles_per_month: z.nullable(count()),
  available: z.array(
    z.strictObject({
      plan: z.literal([...ARTICLE_PLANS]),
      label: z.string(),
      articles_per_month: count(),
      included: z.boolean(),
    }),
  ),
})

const onboarding = (status: z.ZodMiniType, more: z.core.$ZodShape = {}) =>
  body({ project_id: id(), status, message: z.string(), ...more })

const slots = z.strictObject({ used: count(), total: count() })
const moved = (status: 'Active' | 'Archived') =>
  body({ project_id: id(), status: z.literal(status), project_slots: slots, message: z.string() })

/** Progress of a project's setup. */
export const setup = () =>
  z.strictObject({
    site_scan: z.enum(SITE_SCAN_STATES),
    site_scan_error: z.nullable(z.string()),
    site_scan_note: z.nullable(z.string()),
    onboarding: z.enum([...ONBOARDING_STATES, 'failed']),
    onboarding_error: z.nullable(z.string()),
    planned: z.nullable(count()),
    wanted: z.nullable(count()),
    note: z.nullable(z.string()),
    next_calls: z.array(z.strictObject({ method: z.literal('POST'), path: z.string(), why: z.string() })),
  })

/** Answers of the operations on projects. */
export const projectAnswers = {
  list: { 200: page({ projects: z.array(z.strictObject(row)) }) },
  create: {
    201: body({
      project_id: id(),
      website_url: z.string(),
      backlink_credits: count(),
      project_slots: slots,
      message: z.string(),
      next_step: z.string(),
      settings_applied: z.array(z.string()),
    }),
    200: body({ project_id: id(), website_url: z.string(), already_existed: z.literal(true), message: z.string() }),
  },
  get: {
    200: body({
      project: detail,
      settings,
      article_plan: planListing,
      setup: setup(),
    }),
  },
  update: {
    200: body({
      project_id: id(),
      updated_fields: z.array(z.string()),
      updated_columns: z.array(z.string()),
      message: z.string(),
      planned_articles: z.optional(z.strictObject({ moved: count(), read_otherwise: count() })),
      planned_posts: z.optional(z.strictObject({ moved: count(), read_otherwise: count() })),
      ignored: z.array(z.string()),
      notes: z.record(z.string(), z.string()),
    }),
  },
  articlePlan: {
    200: body({
      project_id: id(),
      plan: z.literal([...ARTICLE_PLANS]),
      articles_per_month: count(),
      articles_per_day: count(),
      message: z.string(),
    }),
  },
  onboarding: {
    202: onboarding(z.literal('started'), { poll: z.string(), status_path: z.string() }),
    200: onboarding(z.enum(['already_onboarded', 'skipped_byok'])),
  },
  scan: {
    202: body({
      project_id: id(),
      status: z.enum(['started', 'already_running']),
      message: z.string(),
      status_path: z.string(),
    }),
  },
  archive: { 200: moved('Archived') },
  unarchive: { 200: moved('Active') },
  account: {
    200: z.union([
      body({
        account_id: id(),
        plan: z.enum(PLANS),
        article_credits: count(),
        credits_refill_on: z.nullable(z.string()),
        project_slots: slots,
        provider_dollars: z.strictObject({ used: z.number(), limit: z.number(), resets_on: z.string() }),
        key: key,
        limits: z.array(z.strictObject({ operation: z.string(), per_minute: count() })),
        costs: z.array(
          z.strictObject({
            operation: z.string(),
            unit: z.enum(COST_UNITS),
            amount: z.nullable(count()),
            note: z.string(),
          }),
        ),
        pages: z.strictObject({
          keys: z.string(),
          people: z.string(),
          plan: z.string(),
          applications: z.string(),
          export: z.string(),
        }),
      }),
      body({
        key: z.optional(key),
        usage: z.optional(z.strictObject({ month: z.string(), ...budgets })),
      }),
    ]),
  },
  businessContext: {
    200: body({
      business_name: z.string(),
      website_url: z.string(),
      description: z.string(),
      competitors: z.array(z.string()),
      ai_instructions: z.string(),
      language: z.string(),
      target_audience: z.string(),
      internal_links_per_article: z.int(),
    }),
  },
} satisfies AnswersOf<typeof projectOperations>
