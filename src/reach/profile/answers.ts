import * as z from 'zod/mini'
import { POST_STATUSES } from '../../../schema/values/social.ts'
import { awaitingAnswer } from '../../accounts/approvals/answers.ts'
import { type AnswersOf, body, count, id, instant } from '../../platform/http/answers.ts'
import type { profileOperations } from './operations.ts'

const notConnected = body({
  connected: z.literal(false),
  project_id: id(),
  message: z.string(),
  instructions_for_agent: z.string(),
})

const profile = z.strictObject({ account_id: z.string(), name: z.string(), username: z.string() })

const review = z.strictObject({
  review_id: z.string(),
  reviewer: z.string(),
  rating: z.nullable(z.int().check(z.gte(1), z.lte(5))),
  comment: z.nullable(z.string()),
  created_at: z.nullable(z.string()),
  updated_at: z.nullable(z.string()),
  reply: z.nullable(
    z.strictObject({ message: z.string(), updated_at: z.nullable(z.string()), state: z.nullable(z.string()) }),
  ),
  reviewer_name: z.string(),
  text: z.nullable(z.string()),
  created: z.nullable(z.string()),
  has_reply: z.boolean(),
  reply_text: z.nullable(z.string()),
  reply_created: z.nullable(z.string()),
  review_url: z.null(),
})

const totals = {
  impressions: count(),
  website_clicks: count(),
  call_clicks: count(),
  direction_requests: count(),
  conversations: count(),
  bookings: count(),
}

const day = z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/))

const known = { project_id: id(), review_id: z.string(), message: z.string() }

/** Answers of the operations of the business profile. */
export const profileAnswers = {
  status: {
    200: z.union([
      notConnected,
      body({
        connected: z.literal(true),
        project_id: id(),
        profile,
        business_name: z.string(),
        location_address: z.null(),
        connected_at: z.nullable(instant()),
        average_rating: z.nullable(z.number()),
        total_reviews: z.nullable(count()),
        unreplied_count: count(),
        unreplied_count_is_partial: z.boolean(),
      }),
    ]),
  },
  reviews: {
    200: z.union([
      notConnected,
      body({
        connected: z.literal(true),
        project_id: id(),
        reviews: z.array(review),
        count: count(),
        limit: count(),
        next_cursor: z.nullable(z.string()),
        has_more: z.boolean(),
        average_rating: z.nullable(z.number()),
        total_reviews: z.nullable(count()),
      }),
    ]),
  },
  reply: {
    200: body({ ...known, status: z.enum(['posted', 'already_posted']), reply: z.string() }),
    202: body(awaitingAnswer),
  },
  removeReply: { 200: body({ ...known, status: z.enum(['removed', 'no_reply']) }) },
  post: {
    201: body({
      post_id: id(),
      account_id: z.string(),
      status: z.enum(POST_STATUSES),
      message: z.string(),
      removed: z.optional(z.array(z.string())),
    }),
    202: body(awaitingAnswer),
  },
  analytics: {
    200: z.union([
      notConnected,
      body({
        connected: z.literal(true),
        project_id: id(),
        date_range: z.strictObject({ start_date: day, end_date: day, days: count() }),
        totals: z.strictObject(totals),
        points: z.array(z.strictObject({ date: day, ...totals })),
      }),
    ]),
  },
} satisfies AnswersOf<typeof profileOperations>
