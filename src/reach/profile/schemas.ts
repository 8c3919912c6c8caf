import * as z from 'zod/mini'
import { lengthParam } from '../../platform/db/paging.ts'
import { flag, httpUrl, id, intParam, label, text } from '../../platform/lib/fields.ts'
import { isoFault } from '../../platform/lib/time.ts'

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

/** Returns a date or a minute in UTC, handed on as ISO 8601. */
const utcTime = () =>
  z.pipe(
    z.string().check(
      z.refine((given) => isoFault(inUtc(given)) === undefined, {
        error: 'must be YYYY-MM-DD, or YYYY-MM-DD HH:MM, in UTC',
      }),
    ),
    z.transform((given) => inUtc(given)),
  )

const inUtc = (given: string): string => {
  const [date, time = '00:00', ...rest] = given.trim().split(/[ T]/)
  if (rest.length > 0) return given
  return /(?:z|[+-]\d\d:?\d\d)$/i.test(time) ? `${date}T${time}` : `${date}T${time}Z`
}

/** Two names of one field, of which a call gives one. */
const PAIRS = [
  ['summary', 'text'],
  ['media_url', 'image_url'],
  ['call_to_action', 'link'],
] as const
type Paired = { [field in (typeof PAIRS)[number][number]]?: unknown }

/** Body of `POST /profile/posts`. */
export const PublishProfilePost = z
  .object({
    project_id: id(),
    ...account(),
    summary: z.optional(text(1_500, 1)),
    text: z.optional(text(1_500, 1)),
    media_url: z.optional(httpUrl()),
    image_url: z.optional(z.nullable(httpUrl())),
    call_to_action: z.optional(
      z.object({ type: label(['BOOK', 'ORDER', 'SHOP', 'LEARN_MORE', 'SIGN_UP']), url: httpUrl() }),
    ),
    link: z.optional(z.nullable(httpUrl())),
    scheduled_date: z.optional(z.nullable(utcTime())),
    allow_duplicate: z.optional(z.boolean()),
  })
  .check(
    z.refine((given) => (given.summary ?? given.text) !== undefined, {
      path: ['summary'],
      error: 'is required, or text',
      when: () => true,
    }),
    ...PAIRS.map(([ours, other]) =>
      z.refine<Paired>((given) => !given[ours] || !given[other], {
        path: [other],
        error: `is the same as ${ours}: send one of them`,
      }),
    ),
  )

/** True if a post is only saved: it came as `text`, and without a date. */
export const isDraft = ({ summary, scheduled_date: date }: { summary?: unknown; scheduled_date?: unknown }): boolean =>
  summary === undefined && !date

export const AnalyticsQuery = z.object({ project_id: intParam(1), ...account(), days: z.optional(lengthParam()) })

export type StatusInput = z.infer<typeof StatusQuery>
export type ReviewsInput = z.infer<typeof ReviewsQuery>
export type ReplyInput = z.infer<typeof ReplyToReview>
export type RemoveReplyInput = z.infer<typeof RemoveReply>
export type ProfilePostInput = z.infer<typeof PublishProfilePost>
export type AnalyticsInput = z.infer<typeof AnalyticsQuery>
