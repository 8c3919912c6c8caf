import * as z from 'zod/mini'
import { POST_STATUSES } from '../../../schema/values/social.ts'
import { awaitingAnswer } from '../../accounts/approvals/answers.ts'
import {
  type AnswersOf,
  body,
  count,
  id,
  instant,
  means,
  message,
  projectId,
  selfExplanatory,
} from '../../platform/http/answers.ts'
import { removed } from '../social/answers.ts'
import type { profileOperations } from './operations.ts'

const notConnected = body({
  connected: means('True if a Google Business Profile is connected to the project.', z.literal(false)),
  project_id: projectId(),
  message: message(),
  instructions_for_agent: means('Steps to connect a profile.', z.string()),
})

const profile = z.strictObject({
  account_id: means('ID of the profile, as listed by `GET /social/accounts`.', z.string()),
  name: selfExplanatory(z.string()),
  username: means('Name at the provider. The same as `name` if it is connected directly at Google.', z.string()),
})

const review = z.strictObject({
  review_id: means('ID of the review, for `POST` and `DELETE /profile/reviews/reply`.', z.string()),
  reviewer: means('Name that Google shows. Empty if there is none.', z.string()),
  rating: means('1 to 5 stars. Null if Google returns none.', z.nullable(z.int().check(z.gte(1), z.lte(5)))),
  comment: means('Text of the review. Null if Google returns none.', z.nullable(z.string())),
  created_at: means('Time of the review. Null if Google does not return it.', z.nullable(z.string())),
  updated_at: means('Time of the last change. Null if Google does not return it.', z.nullable(z.string())),
  reply: means(
    'Public reply of the business. Null if there is none.',
    z.nullable(
      z.strictObject({
        message: means('Text of the reply.', z.string()),
        updated_at: means('Time of the last change. Null if Google does not return it.', z.nullable(z.string())),
        state: means(
          'State of the reply at Google: `pending`, `approved` or `rejected`. Null if Google does not return it.',
          z.nullable(z.string()),
        ),
      }),
    ),
  ),
  reviewer_name: means('The same as `reviewer`.', z.string()),
  text: means('The same as `comment`.', z.nullable(z.string())),
  created: means('The same as `created_at`.', z.nullable(z.string())),
  has_reply: means('True if the business replied.', z.boolean()),
  reply_text: means('The same as `reply.message`. Null without a reply.', z.nullable(z.string())),
  reply_created: means(
    'The same as `reply.updated_at`. Null without a reply or if Google does not return it.',
    z.nullable(z.string()),
  ),
  review_url: means('Always null: Google has no URL for a review.', z.null()),
})

const totals = {
  impressions: means('Number of times the profile was shown in Google Search and Maps.', count()),
  website_clicks: means('Clicks to the website.', count()),
  call_clicks: means('Clicks on the call button.', count()),
  direction_requests: means('Requests for directions.', count()),
  conversations: means('Clicks on the message button.', count()),
  bookings: means('Bookings made through the profile.', count()),
}

const day = z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/))

const known = {
  project_id: projectId(),
  review_id: means('ID of the review, as listed by `GET /profile/reviews`.', z.string()),
  message: message(),
}

/** Answers of the operations of the business profile. */
export const profileAnswers = {
  status: {
    200: z.union([
      notConnected,
      body({
        connected: means('True if a Google Business Profile is connected to the project.', z.literal(true)),
        project_id: projectId(),
        profile: means(
          'Requested profile, otherwise the only one. A profile connected directly at Google takes precedence.',
          profile,
        ),
        business_name: means('The same as `profile.name`.', z.string()),
        location_address: means('Always null: the service does not request it from Google.', z.null()),
        connected_at: means(
          'Time of the direct connection at Google. Null if the provider connected it.',
          z.nullable(instant()),
        ),
        average_rating: means(
          'Average of all reviews, 1 to 5 stars. Null if there are none or Google does not return it.',
          z.nullable(z.number()),
        ),
        total_reviews: means(
          'Total number of reviews, independent of the filters. Null if Google does not return it.',
          z.nullable(count()),
        ),
        unreplied_count: means('Number of reviews without a reply among the 50 newest.', count()),
        unreplied_count_is_partial: means('True if there are older reviews, which were not counted.', z.boolean()),
      }),
    ]),
  },
  reviews: {
    200: z.union([
      notConnected,
      body({
        connected: means('True if a Google Business Profile is connected to the project.', z.literal(true)),
        project_id: projectId(),
        reviews: means('Reviews in the requested order. Default: last written or changed first.', z.array(review)),
        count: means('Number of rows in this response.', count()),
        limit: means('Maximum number of rows in this response.', count()),
        next_cursor: means(
          '`cursor` for the next page, even after a page with few or no rows. Null at the end.',
          z.nullable(z.string()),
        ),
        has_more: means('True if there is a next page.', z.boolean()),
        average_rating: means(
          'Average of all reviews, 1 to 5 stars. Null if there are none or Google does not return it.',
          z.nullable(z.number()),
        ),
        total_reviews: means(
          'Total number of reviews, independent of the filters. Null if Google does not return it.',
          z.nullable(count()),
        ),
      }),
    ]),
  },
  reply: {
    200: body({
      ...known,
      status: means(
        '`already_posted`: the review already had exactly this reply, so nothing was sent.',
        z.enum(['posted', 'already_posted']),
      ),
      reply: means('Text of the reply.', z.string()),
    }),
    202: body(awaitingAnswer),
  },
  removeReply: {
    200: body({
      ...known,
      status: means('`no_reply`: there was no reply, so nothing was sent.', z.enum(['removed', 'no_reply'])),
    }),
  },
  post: {
    201: body({
      post_id: means('ID of the social post, for `GET /social/posts/:post_id`.', id()),
      account_id: means('ID of the profile that posts, as listed by `GET /social/accounts`.', z.string()),
      status: means(
        '`draft`, `scheduled` or `publishing`. Follow it with `GET /social/posts/:post_id`.',
        z.enum(POST_STATUSES),
      ),
      message: message(),
      removed,
    }),
    202: body(awaitingAnswer),
  },
  analytics: {
    200: z.union([
      notConnected,
      body({
        connected: means('True if a Google Business Profile is connected to the project.', z.literal(true)),
        project_id: projectId(),
        date_range: means(
          'Requested days, including the first and the last.',
          z.strictObject({
            start_date: means('First day, `YYYY-MM-DD`.', day),
            end_date: means('Last day, `YYYY-MM-DD`: yesterday (UTC).', day),
            days: means('Number of days.', count()),
          }),
        ),
        totals: means('Totals of all these days.', z.strictObject(totals)),
        points: means(
          'One point per day, oldest first. Days without numbers from Google are missing.',
          z.array(z.strictObject({ date: means('Day, `YYYY-MM-DD`.', day), ...totals })),
        ),
      }),
    ]),
  },
} satisfies AnswersOf<typeof profileOperations>
