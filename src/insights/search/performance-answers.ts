import * as z from 'zod/mini'
import { count, id, means, selfExplanatory } from '../../platform/http/answers.ts'

/** Returns the schema of a date. */
export const day = () => z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/))

/** Returns the schema of a share from 0 to 1. Null if there is none. */
export const share = () => z.nullable(z.number().check(z.gte(0), z.lte(1)))

/** Returns the schema of a share from 0 to 1. */
export const fraction = () => z.number().check(z.gte(0), z.lte(1))

/** First and last day. */
export const range = z.strictObject({
  start_date: selfExplanatory(day()),
  end_date: selfExplanatory(day()),
  days: means('Number of days, including the first and the last.', count()),
})

/** Sums of a period. */
export const totals = z.strictObject({
  clicks: selfExplanatory(count()),
  impressions: means('Number of times the site was shown in search results.', count()),
  ctr: means('Clicks ÷ impressions, from 0 to 1. 0 without impressions.', fraction()),
  avg_position: means(
    'Average position in search results. 1 is the top. Null without impressions.',
    z.nullable(z.number()),
  ),
})

const deltas = {
  delta_clicks: means('Change against the previous days. Only with `compare`.', z.optional(z.int())),
  delta_impressions: means('Change against the previous days. Only with `compare`.', z.optional(z.int())),
  delta_position: means(
    'Change against the previous days; negative is better. Null if `is_new`. Only with `compare`.',
    z.optional(z.nullable(z.number())),
  ),
  is_new: means('True if it did not appear in the previous days. Only with `compare`.', z.optional(z.boolean())),
}

/** Clicks and impressions of a row. */
const numbers = {
  clicks: selfExplanatory(count()),
  impressions: means('Number of times the site was shown in search results.', count()),
  ctr: means('Clicks ÷ impressions, from 0 to 1. 0 without impressions.', fraction()),
  position: means('Average position in search results. 1 is the top.', z.number().check(z.gte(0))),
}

/** Search query with its numbers. */
export const query = z.strictObject({
  query: selfExplanatory(z.string()),
  ...numbers,
  is_brand: means('True if the query contains the name of the business or of the site.', z.boolean()),
  striking_distance: means('True if it has at least 10 impressions and an average position from 4 to 20.', z.boolean()),
  ...deltas,
})

/** Page with its numbers. */
export const page = z.strictObject({
  page: means('URL of the page, as in Google’s data.', z.string()),
  ...numbers,
  striking_distance: means('True if it has at least 10 impressions and an average position from 4 to 20.', z.boolean()),
  article_id: means(
    'ID of the article at this URL, as listed by `GET /articles`. Absent if it is not an article of the project.',
    z.optional(id()),
  ),
  ...deltas,
})
