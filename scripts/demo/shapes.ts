import { z } from 'zod'

const id = z.int().positive()

export const Projects = z.object({ projects: z.array(z.looseObject({ ID: id, BusinessName: z.string() })) })
export const ProjectCreated = z.looseObject({ project_id: id, website_url: z.string(), message: z.string() })
export const ProjectExisted = z.looseObject({ project_id: id, already_existed: z.literal(true), message: z.string() })
export const BusinessContext = z.looseObject({
  business_name: z.string(),
  website_url: z.string(),
  language: z.string(),
  internal_links_per_article: z.int(),
})
export const Connected = z.looseObject({
  integration_id: id,
  platform: z.literal('webhook'),
  status: z.literal('connected'),
  signing_secret: z.string().startsWith('whsec_'),
  warning: z.string().optional(),
})
export const Anything = z.looseObject({})
export const ArticleCreated = z.looseObject({
  article_id: id,
  status: z.string(),
  keyword: z.string(),
  slug: z.string().min(1),
  message: z.string(),
  backlinks_processed: z.int(),
  seo: z.looseObject({ score: z.number() }).optional(),
})

const ArticleRow = z.looseObject({
  ID: id,
  Title: z.string(),
  Status: z.string(),
  Slug: z.string(),
  ScheduledDate: z.string().nullish(),
  Content: z.string(),
  PublishState: z.string().optional(),
  Seo: z.looseObject({ score: z.number() }).nullish(),
  Progress: z.object({ step: z.int(), of: z.int(), percent: z.number(), label: z.string() }).nullish(),
})
/** One article, with or without a field `article` around it. */
export const Article = z.union([z.object({ article: ArticleRow }).transform(({ article }) => article), ArticleRow])
export type Article = z.infer<typeof Article>

export const Brief = z.looseObject({
  claim: z.looseObject({ claimable: z.boolean(), claim_by: z.iso.datetime().nullable() }),
  targets: z.looseObject({ word_count: z.int().positive() }),
  required_links: z.looseObject({ call_to_action_url: z.string().nullable() }),
  html_rules: z.array(z.string()),
})
export const Generating = z.looseObject({
  article_id: id,
  status: z.literal('generating'),
  keyword: z.string(),
  slug: z.string().min(1),
  message: z.string(),
  article_credits_remaining: z.int(),
})

export const Published = z.looseObject({ status: z.literal('published'), article_id: id, url: z.url() })
export const Retrying = z.looseObject({
  error: z.string().min(1),
  article_id: id,
  status: z.literal('retrying'),
  next_attempt_at: z.iso.datetime({ offset: true }),
})

const DeliveryRow = z.looseObject({
  id: z.union([z.int(), z.string()]),
  article_id: z.union([z.int(), z.string()]),
  event_type: z.string(),
  status: z.string(),
  idempotency_key: z.string().min(1),
})
export const Deliveries = z.looseObject({ deliveries: z.array(DeliveryRow) })
export const DeliveryDetail = z.looseObject({
  delivery: DeliveryRow.extend({
    attempts: z.array(
      z.looseObject({
        number: z.int(),
        status: z.union([z.int(), z.string()]).nullable(),
        duration_ms: z.number().nullable(),
        error: z.string().nullish(),
      }),
    ),
  }),
})

export const ReceiverPosts = z.object({
  posts: z.array(
    z.looseObject({ article_id: z.string().nullable(), title: z.string(), url: z.url(), slug: z.string() }),
  ),
})
export const ReceiverDeliveries = z.object({
  deliveries: z.array(
    z.looseObject({
      idempotency_key: z.string().nullable(),
      attempt: z.int(),
      signature: z.string(),
      event_type: z.string().nullable(),
      answer: z.looseObject({ status: z.int().nullable() }),
    }),
  ),
  received: z.int(),
})

/** Tests without an article that the receiver got. */
export const ReceiverTests = z.object({ tests: z.array(z.looseObject({ signature: z.string() })), count: z.int() })

export const SuggestionRun = z.looseObject({ project_id: id, created: z.int(), message: z.string() })
const SuggestionRow = z.looseObject({
  id,
  article_id: id,
  status: z.string(),
  article_title: z.string(),
  priority: z.number(),
  reason: z.string(),
  error: z.string().nullable(),
})
export const Suggestions = z.looseObject({ suggestions: z.array(SuggestionRow) })
export const Suggestion = z.looseObject({
  suggestion: SuggestionRow.extend({ progress: z.object({ label: z.string() }).nullable() }),
})
export const Moved = z.looseObject({ suggestion: z.object({ id, status: z.literal('approved') }) })
const Wording = z.looseObject({ title: z.string() })
export const SuggestionDiff = z.looseObject({
  before: Wording,
  after: Wording,
  stats: z.object({ added: z.int(), removed: z.int() }),
})
export const SuggestionPublished = z.looseObject({
  suggestion: z.object({ id, status: z.literal('published') }),
  url: z.string().nullable(),
})
export const Effects = z.looseObject({
  effects: z.array(
    z.looseObject({
      kind: z.string(),
      article_title: z.string().nullable(),
      effect: z.looseObject({ verdict: z.string().nullable(), reason: z.string().nullable() }).nullable(),
    }),
  ),
})
