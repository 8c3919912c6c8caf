import * as z from 'zod/mini'
import { lengthParam } from '../db/paging.ts'
import { flag, httpUrl, id, intParam, label, text } from '../lib/fields.ts'

const account = () => ({ account_id: z.optional(text(100, 1)) })

export const StatusQuery = z.object({ project_id: intParam(1), ...account() })

export const ReviewsQuery = z.object({
  project_id: intParam(1),
  ...account(),
  has_reply: z.optional(flag()),
  min_rating: z.optional(intParam(1, 5)),
  max_rating: z.optional(intParam(1, 5)),
  sort_by: z.optional(label(['date', 'rating'])),
  sort_order: z.optional(label(['asc', 'desc'])),
  limit: z.optional(lengthParam()),
  cursor: z.optional(text(2_000, 1)),
})

const reviewId = () =>
  text(500, 1).check(
    z.refine((value) => /^[A-Za-z0-9_\-=./]+$/.test(value), {
      error: 'must be a review_id as GET /profile/reviews has it',
    }),
  )

/** Body of `POST /profile/reviews/reply`. */
export const ReplyToReview = z.object({
  project_id: id(),
  ...account(),
  review_id: reviewId(),
  message: text(4_096, 1),
})

/** Body of `DELETE /profile/reviews/reply`; its query takes the same, since many clients send no body with DELETE. */
export const RemoveReply = z.object({
  project_id: z.optional(id()),
  ...account(),
  review_id: z.optional(reviewId()),
})
export const RemoveReplyQuery = z.object({
  project_id: z.optional(intParam(1)),
  ...account(),
  review_id: z.optional(reviewId()),
})

/** Body of `POST /profile/posts`. */
export const PublishProfilePost = z.object({
  project_id: id(),
  ...account(),
  summary: text(1_500, 1),
  media_url: z.optional(httpUrl()),
  call_to_action: z.optional(
    z.object({ type: label(['BOOK', 'ORDER', 'SHOP', 'LEARN_MORE', 'SIGN_UP']), url: httpUrl() }),
  ),
})

export const AnalyticsQuery = z.object({ project_id: intParam(1), ...account(), days: z.optional(lengthParam()) })

export type StatusInput = z.infer<typeof StatusQuery>
export type ReviewsInput = z.infer<typeof ReviewsQuery>
export type ReplyInput = z.infer<typeof ReplyToReview>
export type RemoveReplyInput = z.infer<typeof RemoveReply>
export type ProfilePostInput = z.infer<typeof PublishProfilePost>
export type AnalyticsInput = z.infer<typeof AnalyticsQuery>
