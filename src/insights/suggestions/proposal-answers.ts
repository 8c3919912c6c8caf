import * as z from 'zod/mini'
import { INDEX_CAUSES, INDEX_STATES } from '../../../schema/values/indexing.ts'
import { count, instant, means, selfExplanatory } from '../../platform/http/answers.ts'

/** Search numbers. */
const numbers = {
  clicks: means('Clicks in 28 days.', count()),
  impressions: means('Number of times the page was shown in search results in 28 days.', count()),
  position: means(
    'Average position in search results. 1 is the top. Null if the page did not appear.',
    z.nullable(z.number()),
  ),
}

/** Numbers that led to a suggestion. */
export const trigger = z.strictObject({
  page: means('URL of the page in the search data.', z.string()),
  period: means(
    'The 28 days of the numbers, in Pacific time.',
    z.strictObject({
      starts_on: means('First day, YYYY-MM-DD.', z.string()),
      ends_on: means('Last day, YYYY-MM-DD.', z.string()),
      days: selfExplanatory(count()),
    }),
  ),
  now: means('Numbers of the page in `period`.', z.strictObject(numbers)),
  before: means(
    'Numbers of the page in the 28 days before `period`. Null if unknown.',
    z.nullable(z.strictObject(numbers)),
  ),
  queries: means(
    'Queries that the suggestion is about, otherwise those of the page. Most impressions first, at most 10.',
    z.array(z.strictObject({ query: selfExplanatory(z.string()), ...numbers })),
  ),
  other_page: means(
    'Better page that competes for the same query. Null except for `cannibalisation`.',
    z.nullable(z.string()),
  ),
  last_year: means(
    'Clicks of the page in the same weeks one year earlier. Null if unknown.',
    z.nullable(
      z.strictObject({
        clicks: means('Clicks in 28 days.', count()),
        clicks_before: means('Clicks of the page in the 28 days before.', count()),
      }),
    ),
  ),
  index: means(
    'Google’s answer about the page, and the cause that our own checks find. Only of `not_indexed`.',
    z.optional(
      z.strictObject({
        state: means('State, as in `Receipt.index` of `GET /articles/:id`.', z.enum(INDEX_STATES)),
        cause: means(
          'Cause that our own checks find, as in `GET /projects/:id/indexing`. Null if they find none.',
          z.nullable(z.enum(INDEX_CAUSES)),
        ),
        google_says: means('Google’s own words for the state. Null if there are none.', z.nullable(z.string())),
        last_crawl_at: means('Time when Google last read the page. Null if it never did.', z.nullable(instant())),
        google_canonical: means('URL that Google chose as canonical. Null if it chose none.', z.nullable(z.string())),
      }),
    ),
  ),
  expected_clicks: means('Additional clicks expected in 28 days. `priority` is calculated from it.', count()),
})

/** Title and description. */
export const wording = z.strictObject({
  title: selfExplanatory(z.string()),
  meta_description: selfExplanatory(z.string()),
  content: means('Body as HTML.', z.string()),
})

/** Live page as it was read for the proposal. */
export const livePage = z.strictObject({
  url: means('URL of the page that was read. Null if the article has none.', z.nullable(z.string())),
  read_at: selfExplanatory(instant()),
  state: means(
    '`edited`: the page has text or a title that the saved article does not have. `unread`: the page could not be read; see `reason`.',
    z.enum(['same', 'edited', 'unread']),
  ),
  reason: means('Reason why the page could not be read. Null if it was.', z.nullable(z.string())),
  only_live: means(
    'Sentences that exist only on the page and that publishing overwrites. The first 20, each cut at 300 characters.',
    z.array(z.string()),
  ),
  only_live_count: means('Number of sentences that exist only on the page.', count()),
  only_saved_count: means('Number of sentences that exist only in the saved article.', count()),
  title_changed: means('True if the saved title is in neither the page’s title nor a heading.', z.boolean()),
})

/** Proposed and previous text. */
export const proposal = {
  before: means('Article that the rewrite is based on.', wording),
  after: means('Article with the rewrite.', wording),
  stats: means(
    'Size of the change in title, description and text together.',
    z.strictObject({
      added: means('Number of added words.', count()),
      removed: means('Number of removed words.', count()),
    }),
  ),
  trigger_snapshot: means('Search numbers behind the suggestion. Null until the rewrite is ready.', trigger),
}
