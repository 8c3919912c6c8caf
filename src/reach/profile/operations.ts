import * as z from 'zod/mini'
import { lengthOf, lengthParam } from '../../platform/db/paging.ts'
import type { Operations } from '../../platform/http/operation.ts'
import { flag, httpUrl, id, intParam, label, means, text } from '../../platform/lib/fields.ts'
import { isoFault } from '../../platform/lib/time.ts'

const account = () => ({
  account_id: means(
    'ID of the profile, as listed by `GET /social/accounts`.',
    z.optional(text(100, 1)),
    'the only connected profile',
  ),
})

const StatusQuery = z.object({
  project_id: means('ID of the project, as listed by `GET /projects`.', intParam(1)),
  ...account(),
})

const ReviewsQuery = z.object({
  project_id: means('ID of the project, as listed by `GET /projects`.', intParam(1)),
  ...account(),
  has_reply: means('Returns only reviews with a reply (true) or without one (false).', z.optional(flag()), 'all'),
  min_rating: means('Minimum number of stars.', z.optional(intParam(1, 5)), '1'),
  max_rating: means('Maximum number of stars.', z.optional(intParam(1, 5)), '5'),
  sort_by: means('Sort key.', z.optional(label(['date', 'rating'])), '`date`'),
  sort_order: means('Sort order, `asc` or `desc`.', z.optional(label(['asc', 'desc'])), '`desc`'),
  limit: lengthOf({ default: 20, max: 50 }),
  cursor: means(
    'Position to continue from: `next_cursor` of the previous response.',
    z.optional(text(2_000, 1)),
    'starts with the first',
  ),
})

const reviewId = () =>
  text(500, 1).check(
    z.refine((value) => /^[A-Za-z0-9_\-=./]+$/.test(value), {
      error: 'must be a review_id from GET /profile/reviews',
    }),
  )

/** Body of `POST /profile/reviews/reply`. */
export const ReplyToReview = z.object({
  project_id: means('ID of the project, as listed by `GET /projects`.', id()),
  ...account(),
  review_id: means('ID of the review.', reviewId()),
  message: means('Public text of the reply.', text(4_096, 1)),
})

/**
 * Body of `DELETE /profile/reviews/reply`. The query accepts the same fields, because many clients send no body with DELETE.
 */
export const RemoveReply = z.object({
  project_id: means('ID of the project, in the body or in the query.', z.optional(id())),
  ...account(),
  review_id: means('ID of the review, in the body or in the query.', z.optional(reviewId())),
})
const RemoveReplyQuery = z.object({
  project_id: means('ID of the project, in the body or in the query.', z.optional(intParam(1))),
  ...account(),
  review_id: means('ID of the review, in the body or in the query.', z.optional(reviewId())),
})

/** Returns the schema of a date or a minute in UTC. Its output is ISO 8601. */
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

/** Pairs of names for the same field. A call uses one of each pair. */
const PAIRS = [
  ['summary', 'text'],
  ['media_url', 'image_url'],
  ['call_to_action', 'link'],
] as const
type Paired = { [field in (typeof PAIRS)[number][number]]?: unknown }

/** Body of `POST /profile/posts`. */
const PublishProfilePost = z
  .object({
    project_id: means('ID of the project, as listed by `GET /projects`.', id()),
    ...account(),
    summary: means(
      'Text of the post. Without `scheduled_date`, the post goes out now.',
      z.optional(text(1_500, 1)),
      '`text`',
    ),
    text: means(
      'The same as `summary`. Without `scheduled_date`, the post is saved as a draft.',
      z.optional(text(1_500, 1)),
      '`summary`',
    ),
    media_url: means('URL of an image.', z.optional(httpUrl()), 'none'),
    image_url: means('The same as `media_url`.', z.optional(z.nullable(httpUrl())), 'none'),
    call_to_action: means(
      'Button below the post.',
      z.optional(
        z.object({
          type: means('Type of the button.', label(['BOOK', 'ORDER', 'SHOP', 'LEARN_MORE', 'SIGN_UP'])),
          url: means('URL of the button.', httpUrl()),
        }),
      ),
      'none',
    ),
    link: means(
      'URL of a button `LEARN_MORE`. Use it instead of `call_to_action`.',
      z.optional(z.nullable(httpUrl())),
      'none',
    ),
    scheduled_date: means(
      'Publication time, `YYYY-MM-DD` or `YYYY-MM-DD HH:MM`, in UTC.',
      z.optional(z.nullable(utcTime())),
      'none',
    ),
    allow_duplicate: means(
      'True: sends the post even if the same post was sent in the last ten minutes.',
      z.optional(z.boolean()),
      '`false`',
    ),
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
        error: `means the same as ${ours}: send only one of them`,
      }),
    ),
  )

/** True if a post is only saved: it was sent as `text` and without a date. */
export const isDraft = ({ summary, scheduled_date: date }: { summary?: unknown; scheduled_date?: unknown }): boolean =>
  summary === undefined && !date

const AnalyticsQuery = z.object({
  project_id: means('ID of the project, as listed by `GET /projects`.', intParam(1)),
  ...account(),
  days: means('Number of days. Values above 90 are reduced to 90.', z.optional(lengthParam()), '28'),
})

export type StatusInput = z.infer<typeof StatusQuery>
export type ReviewsInput = z.infer<typeof ReviewsQuery>
export type ReplyInput = z.infer<typeof ReplyToReview>
export type RemoveReplyInput = z.infer<typeof RemoveReply>
export type ProfilePostInput = z.infer<typeof PublishProfilePost>
export type AnalyticsInput = z.infer<typeof AnalyticsQuery>

/** Errors of a call that changes the reply to a review. */
const NOT_ANSWERED = [
  'not_found',
  'forbidden',
  'profile_not_connected',
  'edit_conflict',
  'policy',
  'profile_rejected',
  'social_account_rejected',
  'provider_unavailable',
] as const

/** Endpoints of the business profile at Google. */
export const profileOperations = {
  status: {
    id: 'profile.status',
    method: 'GET',
    path: '/profile/status',
    aliases: ['/gbp/status'],
    perMinute: 30,
    scope: 'read',
    summary: 'Returns whether a Google Business Profile is connected, and its rating.',
    query: StatusQuery,
    errors: ['not_found', 'forbidden', 'social_account_rejected', 'provider_unavailable'],
  },
  reviews: {
    id: 'profile.reviews',
    method: 'GET',
    path: '/profile/reviews',
    aliases: ['/gbp/reviews'],
    perMinute: 30,
    scope: 'read',
    summary:
      'Lists reviews of the business with their replies, newest first. Supports filters, sorting and paging with a cursor.',
    query: ReviewsQuery,
    errors: ['not_found', 'forbidden', 'social_account_rejected', 'provider_unavailable'],
  },
  reply: {
    id: 'profile.reply',
    method: 'POST',
    path: '/profile/reviews/reply',
    aliases: ['/gbp/reviews/reply'],
    perMinute: 10,
    typicalSeconds: 5,
    isShared: true,
    scope: 'write',
    summary: 'Posts a public reply to a review and replaces the existing reply. The same reply is never posted twice.',
    success: [200, 202],
    json: ReplyToReview,
    errors: NOT_ANSWERED,
  },
  removeReply: {
    id: 'profile.remove_reply',
    method: 'DELETE',
    path: '/profile/reviews/reply',
    aliases: ['/gbp/reviews/reply'],
    perMinute: 10,
    scope: 'write',
    summary: 'Deletes the reply to a review. Send the project and the review in the body or the query.',
    query: RemoveReplyQuery,
    json: RemoveReply,
    bodyOptional: true,
    errors: NOT_ANSWERED,
  },
  post: {
    id: 'profile.post',
    method: 'POST',
    path: '/profile/posts',
    aliases: ['/gbp/posts'],
    perMinute: 10,
    typicalSeconds: 5,
    isShared: true,
    scope: 'draft',
    wider: { scope: 'write', when: 'A post that is not a draft', needs: (body) => !isDraft(body) },
    summary:
      'Publishes a post on the business profile, once. It is a social post: follow it with `GET /social/posts/:post_id`.',
    success: [201, 202],
    json: PublishProfilePost,
    errors: [
      'duplicate_post',
      'policy',
      'forbidden_url',
      'not_found',
      'forbidden',
      'profile_not_connected',
      'social_account_rejected',
      'provider_unavailable',
    ],
  },
  analytics: {
    id: 'profile.analytics',
    method: 'GET',
    path: '/profile/analytics',
    aliases: ['/gbp/analytics'],
    perMinute: 30,
    scope: 'read',
    summary: 'Returns views of the profile and actions of people there, in total and by day.',
    query: AnalyticsQuery,
    errors: ['not_found', 'forbidden', 'social_account_rejected', 'provider_unavailable'],
  },
} as const satisfies Operations
