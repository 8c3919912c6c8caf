import type { Operations } from '../http/operation.ts'
import {
  AnalyticsQuery,
  PublishProfilePost,
  RemoveReply,
  RemoveReplyQuery,
  ReplyToReview,
  ReviewsQuery,
  StatusQuery,
} from './schemas.ts'

/** What keeps a review from having its reply changed. */
const NOT_ANSWERED = [
  'not_found',
  'forbidden',
  'profile_not_connected',
  'edit_conflict',
  'profile_rejected',
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
    summary: 'Whether a Google Business Profile is connected, and how it is rated.',
    query: StatusQuery,
    errors: ['not_found', 'forbidden', 'provider_unavailable'],
  },
  reviews: {
    id: 'profile.reviews',
    method: 'GET',
    path: '/profile/reviews',
    aliases: ['/gbp/reviews'],
    perMinute: 30,
    scope: 'read',
    summary: 'Reviews of the business with their replies, newest first; filtered, sorted, page by page with a cursor.',
    query: ReviewsQuery,
    errors: ['not_found', 'forbidden', 'provider_unavailable'],
  },
  reply: {
    id: 'profile.reply',
    method: 'POST',
    path: '/profile/reviews/reply',
    aliases: ['/gbp/reviews/reply'],
    perMinute: 10,
    scope: 'write',
    summary: 'Replies to a review in public, in place of the reply it has. The same reply is never posted twice.',
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
    summary: 'Takes the reply to a review back. Body or query name the project and the review.',
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
    scope: 'write',
    summary:
      'Publishes a post on the business profile, once. It is a social post: GET /social/posts/:post_id follows it.',
    success: [201],
    json: PublishProfilePost,
    errors: ['forbidden_url', 'not_found', 'forbidden', 'profile_not_connected', 'provider_unavailable'],
  },
  analytics: {
    id: 'profile.analytics',
    method: 'GET',
    path: '/profile/analytics',
    aliases: ['/gbp/analytics'],
    perMinute: 30,
    scope: 'read',
    summary: 'How often the profile was seen and what people did there, in total and by day.',
    query: AnalyticsQuery,
    errors: ['not_found', 'forbidden', 'provider_unavailable'],
  },
} as const satisfies Operations
