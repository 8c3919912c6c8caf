import * as z from 'zod/mini'
import { ARTICLE_STATUSES, ARTICLE_STYLES, PUBLISH_STATES } from '../../../schema/values/articles.ts'
import { UNCOUNTED_REASONS } from '../../../schema/values/exchange.ts'
import { CTA_INTENSITIES, PRODUCT_POSITIONINGS, TONES, WRITING_PROFILES } from '../../../schema/values/projects.ts'
import { SEO_CHECKS } from '../../../schema/values/seo.ts'
import { setup } from '../../accounts/projects/answers.ts'
import { type AnswersOf, body, count, id, instant, page, wallTime } from '../../platform/http/answers.ts'
import type { articleOperations } from './operations.ts'

const row = {
  ID: id(),
  Title: z.string(),
  MainKeyword: z.string(),
  Status: z.enum(ARTICLE_STATUSES),
  ScheduledDate: z.nullable(wallTime()),
  ScheduledAt: z.nullable(instant()),
  ProjectID: id(),
  Slug: z.string(),
  ArticleStyle: z.enum(ARTICLE_STYLES),
  Url: z.nullable(z.string()),
  PublishState: z.enum(PUBLISH_STATES),
  PublishedAt: z.nullable(instant()),
  UpdatedAt: instant(),
  external_ref: z.nullable(z.string()),
  claimed: z.boolean(),
  being_written: z.boolean(),
}

/** The SEO report of saved content. */
const seo = z.nullable(
  z.strictObject({
    score: z.int().check(z.gte(0), z.lte(100)),
    passed: z.array(z.enum(SEO_CHECKS)),
    failed: z.array(
      z.strictObject({
        check: z.enum(SEO_CHECKS),
        severity: z.enum(['error', 'warning', 'notice']),
        message: z.string(),
        fix: z.string(),
      }),
    ),
  }),
)

const receipt = z.strictObject({
  checked_at: instant(),
  revision: z.optional(z.nullable(count())),
  http_status: z.nullable(z.int()),
  title_found: z.boolean(),
  text_found: z.optional(z.boolean()),
  canonical: z.nullable(z.string()),
  indexable: z.boolean(),
  images_ok: z.boolean(),
  images_checked: z.optional(z.strictObject({ asked: count(), of: count() })),
  links_ok: z.boolean(),
  next_check_at: z.optional(z.nullable(instant())),
  error: z.optional(z.string()),
})

const detail = body({
  ...row,
  Content: z.string(),
  MetaDescription: z.string(),
  FeatureImage: z.string(),
  AltText: z.string(),
  Category: z.string(),
  Tags: z.array(z.string()),
  SeoTitle: z.string(),
  CanonicalUrl: z.string(),
  Instructions: z.string(),
  Author: z.string(),
  CreatedAt: instant(),
  Claimed: z.boolean(),
  PublishError: z.nullable(z.string()),
  Approval: z.nullable(
    z.strictObject({
      id: id(),
      status: z.enum(['awaiting', 'approved', 'returned', 'expired']),
      approve_url: z.string(),
      expires_at: instant(),
      comment: z.nullable(z.string()),
    }),
  ),
  GenerationError: z.nullable(z.string()),
  Progress: z.nullable(z.strictObject({ step: count(), of: count(), percent: count(), label: z.string() })),
  Receipt: z.nullable(receipt),
  Revision: count(),
  Seo: seo,
})

/** Fields of the answer to every save of content. */
export const savedContent = {
  seo,
  backlinks_processed: count(),
  backlinks_warning: z.optional(z.string()),
  backlinks_not_counted: z.optional(
    z.array(z.strictObject({ url: z.string(), reason: z.enum(UNCOUNTED_REASONS), message: z.string() })),
  ),
  /** Addresses of the images that were sent as `data:` URLs. */
  hosted_images: z.optional(z.array(z.url())),
  removed: z.optional(z.array(z.string())),
  removed_note: z.optional(z.string()),
  image_warning: z.optional(z.string()),
  image_candidates: z.optional(z.array(z.string())),
  sync_required: z.literal(false),
}

/** Forecast of a save. */
const forecast = {
  ScheduledDate: z.nullable(wallTime()),
  ScheduledAt: z.nullable(instant()),
  will_be_written: z.optional(z.strictObject({ credits: count(), claim_by: z.nullable(instant()), note: z.string() })),
  will_be_rewritten: z.optional(z.literal(true)),
  warnings: z.optional(z.array(z.string())),
  next_calls: z.optional(
    z.array(
      z.strictObject({
        method: z.literal('PUT'),
        path: z.string(),
        body: z.strictObject({ status: z.literal('Planned') }),
        why: z.string(),
      }),
    ),
  ),
}

const claim = { claimed: z.optional(z.boolean()), claim_note: z.optional(z.string()) }

/** Answer to a save of an article. */
export const savedArticle = {
  article_id: id(),
  status: z.enum(['Draft', 'Planned']),
  slug: z.optional(z.string()),
  updated_fields: z.array(z.string()),
  message: z.string(),
  ...forecast,
  ...claim,
  ...savedContent,
}

const revision = {
  revision: count(),
  title: z.string(),
  meta_description: z.string(),
  content_length: count(),
  saved_at: instant(),
  current: z.boolean(),
}

const link = z.strictObject({ url: z.string(), anchor: z.string() })

const brief = body({
  article_id: id(),
  project_id: id(),
  status: z.enum(ARTICLE_STATUSES),
  keyword: z.string(),
  title: z.string(),
  slug: z.string(),
  article_style: z.enum(ARTICLE_STYLES),
  claim: z.strictObject({
    claimable: z.boolean(),
    claim_by: z.nullable(instant()),
    claimed: z.boolean(),
    note: z.string(),
  }),
  targets: z.strictObject({ word_count: count(), internal_links: count() }),
  required_links: z.strictObject({
    exchange_partners: z.array(link),
    internal: z.array(link),
    call_to_action_url: z.nullable(z.string()),
  }),
  call_to_action_intensity: z.enum(CTA_INTENSITIES),
  images: z.strictObject({ feature_image: z.string(), style: z.string() }),
  instructions: z.strictObject({ project: z.string(), article: z.string() }),
  language: z.string(),
  tone: z.enum(TONES),
  writing_profile: z.enum(WRITING_PROFILES),
  product_positioning: z.enum(PRODUCT_POSITIONINGS),
  first_person: z.boolean(),
  table_of_contents: z.boolean(),
  avoid_formulaic_section_endings: z.boolean(),
  require_operational_examples: z.boolean(),
  business: z.strictObject({
    name: z.string(),
    aliases: z.array(z.string()),
    website_url: z.string(),
    description: z.string(),
    target_audience: z.array(z.string()),
    primary_location: z.string(),
    topics: z.array(z.string()),
  }),
  meta_description: z.strictObject({ max_length: count() }),
  banned_phrases: z.array(z.string()),
  strict_banned_phrase_guard: z.boolean(),
  competitors: z.array(z.string()),
  html_rules: z.array(z.string()),
})

/** Answers of the operations on articles. */
export const articleAnswers = {
  list: {
    200: page({
      articles: z.array(z.strictObject(row)),
      /** Present if `q` is too short for the index: only the newest 20,000 articles were searched. */
      search_limited: z.optional(z.literal(true)),
      setup: z.optional(setup()),
    }),
  },
  create: {
    201: body({
      article_id: id(),
      status: z.enum(['Draft', 'Planned']),
      keyword: z.string(),
      slug: z.string(),
      message: z.string(),
      ...forecast,
      ...claim,
      ...savedContent,
    }),
    200: body({
      article_id: id(),
      status: z.enum(ARTICLE_STATUSES),
      keyword: z.string(),
      slug: z.string(),
      already_existed: z.literal(true),
      differs: z.array(z.string()),
      message: z.string(),
      article: detail,
    }),
  },
  get: { 200: detail },
  brief: { 200: brief },
  revisions: { 200: page({ article_id: id(), revisions: z.array(z.strictObject(revision)) }) },
  revision: {
    200: body({
      article_id: id(),
      ...revision,
      content: z.string(),
      feature_image: z.nullable(z.string()),
      alt_text: z.nullable(z.string()),
    }),
  },
  remove: { 200: body({ article_id: id(), deleted: z.literal(true), message: z.string() }) },
} satisfies AnswersOf<typeof articleOperations>
