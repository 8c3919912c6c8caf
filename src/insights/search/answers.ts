import * as z from 'zod/mini'
import { SEARCH_FAILURES } from '../../../schema/values/search.ts'
import { type AnswersOf, body, count, id, instant } from '../../platform/http/answers.ts'
import type { searchOperations } from './operations.ts'

const day = () => z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/))
const share = () => z.nullable(z.number().check(z.gte(0), z.lte(1)))
const fraction = () => z.number().check(z.gte(0), z.lte(1))

const range = z.strictObject({ start_date: day(), end_date: day(), days: count() })

const totals = z.strictObject({
  clicks: count(),
  impressions: count(),
  ctr: fraction(),
  avg_position: z.nullable(z.number()),
})

const deltas = {
  delta_clicks: z.optional(z.int()),
  delta_impressions: z.optional(z.int()),
  delta_position: z.optional(z.nullable(z.number())),
  is_new: z.optional(z.boolean()),
}

const numbers = { clicks: count(), impressions: count(), ctr: fraction(), position: z.number().check(z.gte(0)) }

const query = z.strictObject({
  query: z.string(),
  ...numbers,
  is_brand: z.boolean(),
  striking_distance: z.boolean(),
  ...deltas,
})

const page = z.strictObject({
  page: z.string(),
  ...numbers,
  striking_distance: z.boolean(),
  article_id: z.optional(id()),
  ...deltas,
})

const sandbox = { sandbox: z.optional(z.literal(true)) }

/** The project has no connection, or no property was chosen for it. */
const notConnected = {
  connected: z.literal(false),
  project_id: id(),
  message: z.string(),
  connect_url: z.string(),
  instructions_for_agent: z.string(),
  ...sandbox,
}

const failed = {
  connected: z.literal(true),
  project_id: id(),
  property: z.string(),
  error: z.literal('gsc_fetch_failed'),
  reason: z.enum(SEARCH_FAILURES),
  message: z.string(),
  connect_url: z.string(),
  instructions_for_agent: z.string(),
  upstream: z.optional(z.strictObject({ name: z.string(), status: z.optional(z.int()), message: z.string() })),
  ...sandbox,
}

const point = z.strictObject({
  date: day(),
  clicks: count(),
  impressions: count(),
  ctr: fraction(),
  position: z.nullable(z.number()),
})

const history = { from: z.nullable(day()), to: z.nullable(day()), days: count(), complete: z.boolean() }

/** Answers of the operations of search performance. */
export const searchAnswers = {
  performance: {
    200: z.union([
      body({
        connected: z.literal(true),
        project_id: id(),
        property: z.string(),
        date_range: range,
        totals,
        top_queries: z.array(query).check(z.maxLength(1_000)),
        top_pages: z.array(page).check(z.maxLength(1_000)),
        pagination: z.strictObject({ limit: z.int(), start_row: count(), next_start_row: z.nullable(count()) }),
        coverage: z.strictObject({
          query_clicks_share: share(),
          page_clicks_share: share(),
          data_state: z.literal('final'),
          timezone: z.literal('America/Los_Angeles'),
          filtered_to: z.nullable(z.string()),
        }),
        comparison: z.optional(
          z.strictObject({
            previous_date_range: range,
            previous_totals: totals,
            delta_totals: z.strictObject({
              clicks: z.int(),
              impressions: z.int(),
              ctr: z.number(),
              avg_position: z.nullable(z.number()),
            }),
          }),
        ),
        fetched_at: instant(),
        ...sandbox,
      }),
      body(failed),
      body(notConnected),
    ]),
  },
  history: {
    200: z.union([
      body({
        connected: z.literal(true),
        project_id: id(),
        property: z.string(),
        page: z.nullable(z.string()),
        timezone: z.literal('America/Los_Angeles'),
        days: count(),
        points: z.array(point),
        history: z.strictObject(history),
        ...sandbox,
      }),
      body(notConnected),
    ]),
  },
  standing: {
    200: z.union([
      body({
        connected: z.literal(true),
        project_id: id(),
        integration_id: id(),
        account: z.string(),
        property: z.string(),
        properties: z.array(z.string()),
        error: z.nullable(z.enum(SEARCH_FAILURES)),
        connect_url: z.string(),
        history: z.strictObject(history),
        ...sandbox,
      }),
      body({ ...notConnected, properties: z.array(z.string()) }),
    ]),
  },
  connect: {
    200: body({
      project_id: id(),
      connect_url: z.string(),
      expires_at: instant(),
      message: z.string(),
      instructions_for_agent: z.string(),
      ...sandbox,
    }),
  },
  choose: {
    200: body({
      project_id: id(),
      property: z.string(),
      properties: z.array(z.string()),
      message: z.string(),
      ...sandbox,
    }),
  },
  disconnect: {
    200: body({
      project_id: id(),
      disconnected: z.literal(true),
      revoked: z.boolean(),
      message: z.string(),
      ...sandbox,
    }),
  },
} satisfies AnswersOf<typeof searchOperations>
