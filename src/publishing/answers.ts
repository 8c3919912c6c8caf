import * as z from 'zod/mini'
import {
  ATTEMPT_STATUSES,
  DELIVERY_STATUSES,
  EVENT_TYPES,
  INTEGRATION_STATUSES,
  PUBLISHING_PLATFORMS,
} from '../../schema/values/publishing.ts'
import { awaitingAnswer } from '../accounts/approvals/answers.ts'
import { savedArticle, savedContent } from '../content/articles/answers.ts'
import { type AnswersOf, body, count, id, instant, page } from '../platform/http/answers.ts'
import { CATEGORIES } from './connect/catalog.ts'
import type { catalogOperations, integrationOperations } from './connect/operations.ts'
import type { editingOperations } from './live/operations.ts'
import type { publishingOperations, undoOperations } from './operations.ts'

const warnings = { warnings: z.optional(z.array(z.string())) }
const upstream = z.strictObject({ name: z.string(), status: z.int(), message: z.string() })

const sent = {
  status: z.enum(['published', 'sent_as_draft']),
  article_id: z.nullable(id()),
  delivery_id: z.optional(id()),
  url: z.nullable(z.string()),
  message: z.string(),
  ...warnings,
}

const notSent = {
  status: z.enum(['retrying', 'unknown', 'failed', 'held']),
  article_id: z.nullable(id()),
  delivery_id: id(),
  error: z.string(),
  message: z.string(),
  next_attempt_at: z.optional(instant()),
  upstream: z.optional(upstream),
  ...warnings,
}

const integration = z.strictObject({
  ID: id(),
  Platform: z.enum([...PUBLISHING_PLATFORMS, 'search_console']),
  IntegrationName: z.string(),
  Status: z.enum(INTEGRATION_STATUSES),
  ProjectID: id(),
  BusinessName: z.string(),
  Url: z.string(),
  LastUsedAt: z.nullable(instant()),
  LastError: z.nullable(z.string()),
  CreatedAt: instant(),
})

const attempt = z.strictObject({
  number: count(),
  status: z.enum(ATTEMPT_STATUSES),
  http_status: z.nullable(z.int()),
  duration_ms: z.nullable(count()),
  error: z.nullable(z.string()),
  response_excerpt: z.nullable(z.string()),
  started_at: instant(),
})

/** The article's payload as it was sent. */
const payload = z.strictObject({
  id: z.string(),
  title: z.string(),
  slug: z.string(),
  url: z.optional(z.string()),
  external_id: z.optional(z.string()),
  content_html: z.string(),
  content_markdown: z.string(),
  meta_description: z.string(),
  published_at: z.optional(instant()),
  created_at: instant(),
  updated_at: instant(),
  image_url: z.string(),
  alt_text: z.string(),
  tags: z.array(z.string()),
  category: z.string(),
  author: z.string(),
  seo_title: z.optional(z.string()),
  canonical_url: z.optional(z.string()),
  status: z.enum(['Published', 'Draft']),
})

const delivery = {
  id: id(),
  project_id: id(),
  integration_id: z.nullable(id()),
  article_id: z.nullable(id()),
  event_type: z.enum(EVENT_TYPES),
  status: z.enum(DELIVERY_STATUSES),
  idempotency_key: z.string(),
  revision: count(),
  replay_of: z.nullable(id()),
  resolved_by: z.nullable(id()),
  attempt_count: count(),
  attempts: z.array(attempt),
  next_attempt_at: z.nullable(instant()),
  error: z.nullable(z.string()),
  warnings: z.array(z.string()),
  created_at: instant(),
  updated_at: instant(),
}

const connected = {
  integration_id: id(),
  status: z.literal('connected'),
  message: z.string(),
  replaced: z.optional(
    z.strictObject({ integration_id: id(), platform: z.enum(PUBLISHING_PLATFORMS), name: z.string(), url: z.string() }),
  ),
  warning: z.optional(z.string()),
}

const synced = {
  status: z.literal('synced'),
  article_id: id(),
  url: z.nullable(z.string()),
  delivery_id: id(),
  revision: count(),
  ...warnings,
  ...savedContent,
}

/** Answers of the publishing operations. */
export const publishingAnswers = {
  publish: { 200: body(sent), 202: z.union([body(notSent), body(awaitingAnswer)]) },
  unpublish: {
    200: body({ status: z.literal('unpublished'), article_id: id(), message: z.string(), ...warnings }),
  },
  detach: {
    200: body({ status: z.literal('detached'), article_id: id(), slug: z.string(), message: z.string(), ...warnings }),
  },
  address: {
    200: body({ status: z.literal('address_stored'), article_id: id(), url: z.string(), ...warnings }),
  },
  rollback: {
    200: body({
      status: z.literal('rolled_back'),
      article_id: id(),
      version_id: id(),
      url: z.nullable(z.string()),
      message: z.string(),
      ...warnings,
    }),
    202: body(awaitingAnswer),
  },
  deliveries: { 200: page({ deliveries: z.array(z.strictObject(delivery)) }) },
  delivery: {
    200: body({
      delivery: z.strictObject({ ...delivery, payload }),
    }),
  },
  replay: {
    201: z.union([body({ replay_of: id(), ...sent }), body({ replay_of: id(), ...notSent })]),
    202: z.union([body(awaitingAnswer), body({ replay_of: id(), ...awaitingAnswer })]),
  },
} satisfies AnswersOf<typeof publishingOperations>

/** Answer for a change that waits for approval; its edits are saved. */
const waiting = { ...awaitingAnswer, revision: count(), ...savedContent }

/** Answers of the operations that change articles. */
export const editingAnswers = {
  update: { 200: z.union([body(savedArticle), body(synced)]), 202: body(waiting) },
  restore: {
    200: z.union([
      body({ ...savedArticle, revision: count(), restored_from: count() }),
      body({ ...synced, restored_from: count() }),
    ]),
    202: body({ ...waiting, restored_from: count() }),
  },
  sync: { 200: body(synced), 202: body(waiting) },
} satisfies AnswersOf<typeof editingOperations>

/** Answers of the integration operations. */
export const integrationAnswers = {
  cmsSite: { 200: body({ project_id: id(), cms_url: z.string(), ...connected }) },
  integrations: { 200: page({ integrations: z.array(integration) }) },
  integration: { 200: body({ integration }) },
  changeIntegration: {
    200: body({
      integration_id: id(),
      platform: z.enum(PUBLISHING_PLATFORMS),
      name: z.string(),
      signing_secret: z.optional(z.string()),
      message: z.string(),
    }),
  },
  connect: {
    201: body({ platform: z.enum(PUBLISHING_PLATFORMS), signing_secret: z.optional(z.string()), ...connected }),
  },
  test: {
    200: body({
      integration_id: id(),
      platform: z.enum(PUBLISHING_PLATFORMS),
      http_status: z.nullable(z.int()),
      duration_ms: count(),
      response_excerpt: z.nullable(z.string()),
      status: z.enum(['ok', 'failed']),
      error: z.optional(z.string()),
      message: z.string(),
      warning: z.optional(z.string()),
    }),
  },
  disconnect: { 200: body({ integration_id: id(), deleted: z.literal(true), message: z.string() }) },
} satisfies AnswersOf<typeof integrationOperations>

const row = {
  key: z.string(),
  name: z.string(),
  category: z.enum(CATEGORIES),
  connected: z.boolean(),
  accounts: z.array(z.strictObject({ account_id: z.string(), account_name: z.string() })),
  connect_url: z.string(),
}

/** Answers of the catalog operations. */
export const catalogAnswers = {
  catalog: {
    200: body({ project_id: id(), integrations: z.array(z.strictObject(row)), note: z.optional(z.string()) }),
  },
  connect: {
    200: body({ project_id: id(), ...row, steps: z.array(z.string()), note: z.optional(z.string()) }),
  },
} satisfies AnswersOf<typeof catalogOperations>

const entry = z.strictObject({
  id: id(),
  at: instant(),
  action: z.string(),
  subject: z.string(),
  article_id: z.nullable(id()),
  result: z.enum(['undone', 'not_undone']),
  message: z.string(),
  restored: z.optional(z.array(z.string())),
  next_calls: z.optional(
    z.array(
      z.strictObject({
        method: z.string(),
        path: z.string(),
        body: z.optional(z.record(z.string(), z.unknown())),
        why: z.string(),
      }),
    ),
  ),
})

/** Answer of `POST /undo`. */
export const undoAnswers = {
  undo: {
    200: body({
      dry_run: z.boolean(),
      entries: z.array(entry),
      count: count(),
      undone: count(),
      not_undone: count(),
      limit: z.int().check(z.gte(1)),
      before_id: z.nullable(id()),
      message: z.string(),
    }),
  },
} satisfies AnswersOf<typeof undoOperations>
