import * as z from 'zod/mini'
import { INDEX_CAUSES, INDEX_STATES } from '../../../schema/values/indexing.ts'
import { SEARCH_FAILURES } from '../../../schema/values/search.ts'
import { indexField } from '../../content/articles/article-answer.ts'
import {
  type AnswersOf,
  articleId,
  body,
  count,
  id,
  instant,
  means,
  message,
  projectId,
  selfExplanatory,
} from '../../platform/http/answers.ts'
import type { searchOperations } from './operations.ts'
import { day, fraction, page, query, range, share, totals } from './performance-answers.ts'

const sandbox = { sandbox: means('Present if a stand-in for Google made up the numbers.', z.optional(z.literal(true))) }

/** The project has no connection, or no property was chosen for it. */
const notConnected = {
  connected: means('False if no Google account is connected or no property is chosen yet.', z.literal(false)),
  project_id: projectId(),
  message: message(),
  connect_url: means(
    'URL at which a person connects the account or chooses a property, valid for an hour. For a read-only key: the settings page.',
    z.string(),
  ),
  instructions_for_agent: means('Next step for the agent, or the question to ask the user.', z.string()),
  ...sandbox,
}

const failed = {
  connected: means('False if no Google account is connected or no property is chosen yet.', z.literal(true)),
  project_id: projectId(),
  property: means('Search Console property of the project: `sc-domain:` and a domain, or a URL prefix.', z.string()),
  error: means(
    'Present if Google refuses access until a person acts. The response then has no numbers.',
    z.literal('gsc_fetch_failed'),
  ),
  reason: means(
    '`revoked`: access withdrawn or expired. `scope`: access does not include Search Console. `forbidden`: the account may not read the property. `disabled`: the API is switched off. `invalid`: Google refused the query.',
    z.enum(SEARCH_FAILURES),
  ),
  message: message(),
  connect_url: means(
    'URL at which a person connects the account or chooses a property, valid for an hour. For a read-only key: the settings page.',
    z.string(),
  ),
  instructions_for_agent: means('Next step for the agent, or the question to ask the user.', z.string()),
  upstream: means(
    'Response of Google. Absent if no request was made.',
    z.optional(
      z.strictObject({
        name: selfExplanatory(z.string()),
        status: means('HTTP status. Absent if there was no response.', z.optional(z.int())),
        message: means('Message in Google’s words.', z.string()),
      }),
    ),
  ),
  ...sandbox,
}

const point = z.strictObject({
  date: selfExplanatory(day()),
  clicks: selfExplanatory(count()),
  impressions: means('Number of times the site was shown in search results.', count()),
  ctr: means('Clicks ÷ impressions, from 0 to 1. 0 without impressions.', fraction()),
  position: means(
    'Average position in search results. 1 is the top. Null without impressions.',
    z.nullable(z.number()),
  ),
})

const history = {
  from: means('First saved day. Null if no day is saved yet.', z.nullable(day())),
  to: means('Last saved day. Null if no day is saved yet.', z.nullable(day())),
  days: means('Number of saved days.', count()),
  complete: means('True if the pages of every saved day were fetched too. False before the first day.', z.boolean()),
}

const indexedShare = z.strictObject({
  n: means('Number of articles that Google was asked about in those days.', count()),
  indexed: means('Number of them that Google listed.', count()),
  share: means('`indexed` divided by `n`. Null if `n` is 0.', share()),
})

const unlisted = z.strictObject({
  article_id: articleId(),
  title: selfExplanatory(z.string()),
  url: means('Public URL of the post.', z.string()),
  state: means('State, as in `Receipt.index` of `GET /articles/:id`.', z.enum(INDEX_STATES)),
  google_says: means('Google’s own words for the state. Null if there are none.', z.nullable(z.string())),
  last_crawl_at: means('Time when Google last read the page. Null if it never did.', z.nullable(instant())),
  google_canonical: means('URL that Google lists instead, or chose. Null if it chose none.', z.nullable(z.string())),
  looked_at: means('Time when Google was asked.', instant()),
  days_since_publication: selfExplanatory(count()),
  cause: means(
    'Cause that our own checks find. `robots`: robots.txt forbids it. `noindex`: the page does. `unreachable`: it does not answer with 200. `canonical`: it names another URL. `duplicate`: it is like another page. `thin`: few words. `orphan`: no other article links to it. Null if they find none.',
    z.nullable(z.enum(INDEX_CAUSES)),
  ),
  finding: means('The cause in words, and what to do.', z.string()),
})

const sitemap = z.strictObject({
  path: means('URL of the sitemap.', z.string()),
  type: means('Type in Google’s words. Null if it names none.', z.nullable(z.string())),
  submitted_at: means('Time when it was submitted at Google. Null if it never was.', z.nullable(instant())),
  read_at: means('Time when Google last read it. Null if it never did.', z.nullable(instant())),
  is_pending: means('True if Google has not processed it yet.', z.boolean()),
  errors: means('Number of errors that Google found in it.', count()),
  warnings: means('Number of warnings that Google has about it.', count()),
  addresses: means('Number of URLs in it. Null if Google does not say.', z.nullable(count())),
})

/** Answers of the operations of search performance. */
export const searchAnswers = {
  performance: {
    200: z.union([
      body({
        connected: means('False if no Google account is connected or no property is chosen yet.', z.literal(true)),
        project_id: projectId(),
        property: means(
          'Search Console property of the project: `sc-domain:` and a domain, or a URL prefix.',
          z.string(),
        ),
        date_range: means(
          'Requested days, in `coverage.timezone`. The last day is the last one with final numbers: three days ago, or earlier if Google is late.',
          range,
        ),
        totals: means(
          'Totals of all searches. They include searches that Google does not list, so the rows add up to less.',
          totals,
        ),
        top_queries: means(
          'Search queries, most clicks first, in Google’s order.',
          z.array(query).check(z.maxLength(1_000)),
        ),
        top_pages: means(
          'Pages of the site, most clicks first, in Google’s order.',
          z.array(page).check(z.maxLength(1_000)),
        ),
        pagination: means(
          'Paging of `top_queries` and of `top_pages`.',
          z.strictObject({
            limit: means('Maximum number of rows in this response.', z.int()),
            start_row: means('Number of skipped rows.', count()),
            next_start_row: means('`start_row` for the next page. Null at the end of both lists.', z.nullable(count())),
          }),
        ),
        coverage: means(
          'Share of `totals` that the rows of this response cover.',
          z.strictObject({
            query_clicks_share: means(
              'Share of the clicks that `top_queries` covers, from 0 to 1. Null without clicks.',
              share(),
            ),
            page_clicks_share: means(
              'Share of the clicks that `top_pages` covers, from 0 to 1. Null without clicks.',
              share(),
            ),
            data_state: means('Only days with final numbers.', z.literal('final')),
            timezone: means('Time zone in which Google counts days.', z.literal('America/Los_Angeles')),
            filtered_to: means(
              'Site to which the numbers are limited, if `property` covers more than this site. Null if the property is the site.',
              z.nullable(z.string()),
            ),
          }),
        ),
        comparison: means(
          'Changes against the previous period of the same length. Only with `compare`.',
          z.optional(
            z.strictObject({
              previous_date_range: means('Period of the same length directly before `date_range`.', range),
              previous_totals: means('`totals` of the previous period.', totals),
              delta_totals: means(
                '`totals` minus `previous_totals`.',
                z.strictObject({
                  clicks: selfExplanatory(z.int()),
                  impressions: selfExplanatory(z.int()),
                  ctr: means('Difference of the two rates. 0.01 is one more click per 100 impressions.', z.number()),
                  avg_position: means(
                    'Negative is better. Null if one of the two positions is null.',
                    z.nullable(z.number()),
                  ),
                }),
              ),
            }),
          ),
        ),
        fetched_at: means('Time of the request to Google. The result is cached for an hour.', instant()),
        ...sandbox,
      }),
      body(failed),
      body(notConnected),
    ]),
  },
  history: {
    200: z.union([
      body({
        connected: means('False if no Google account is connected or no property is chosen yet.', z.literal(true)),
        project_id: projectId(),
        property: means(
          'Search Console property of the project: `sc-domain:` and a domain, or a URL prefix.',
          z.string(),
        ),
        page: means('Requested page. Null for the whole site.', z.nullable(z.string())),
        timezone: means('Time zone in which Google counts days.', z.literal('America/Los_Angeles')),
        days: means('Number of days, including the first and the last.', count()),
        points: means(
          'One point per day, oldest first. Days that were not fetched yet are missing. Zeros for a page mean that it did not appear.',
          z.array(point),
        ),
        history: means('Range of days that the service has saved, at most sixteen months.', z.strictObject(history)),
        ...sandbox,
      }),
      body(notConnected),
    ]),
  },
  standing: {
    200: z.union([
      body({
        connected: means('False if no Google account is connected or no property is chosen yet.', z.literal(true)),
        project_id: projectId(),
        integration_id: means('ID of the connection, as listed by `GET /integrations`.', id()),
        account: means(
          'Email address of the Google account. `Google Search Console` if Google did not return it.',
          z.string(),
        ),
        property: means(
          'Search Console property of the project: `sc-domain:` and a domain, or a URL prefix.',
          z.string(),
        ),
        properties: means(
          'Properties that the Google account may read, for `PUT /projects/:id/search-console`. Empty if no account is connected.',
          z.array(z.string()),
        ),
        error: means(
          'Reason why Google refuses access until a person acts, with the values of `reason` in `GET /search-console`. Otherwise null.',
          z.nullable(z.enum(SEARCH_FAILURES)),
        ),
        connect_url: means(
          'URL at which a person connects the account or chooses a property, valid for an hour. For a read-only key: the settings page.',
          z.string(),
        ),
        history: means('Range of days that the service has saved, at most sixteen months.', z.strictObject(history)),
        ...sandbox,
      }),
      body({
        ...notConnected,
        properties: means(
          'Properties that the Google account may read, for `PUT /projects/:id/search-console`. Empty if no account is connected.',
          z.array(z.string()),
        ),
      }),
    ]),
  },
  indexing: {
    200: z.union([
      body({
        connected: means('False if no Google account is connected or no property is chosen yet.', z.literal(true)),
        project_id: projectId(),
        property: means(
          'Search Console property of the project: `sc-domain:` and a domain, or a URL prefix.',
          z.string(),
        ),
        error: means(
          'Reason why Google refuses access until a person acts, with the values of `reason` in `GET /search-console`. Otherwise null.',
          z.nullable(z.enum(SEARCH_FAILURES)),
        ),
        published: means('Number of published articles with a URL.', count()),
        states: means(
          'Number of articles by the state that Google last reported, most first.',
          z.array(
            z.strictObject({
              state: means('State, as in `Receipt.index` of `GET /articles/:id`.', z.enum(INDEX_STATES)),
              count: selfExplanatory(count()),
            }),
          ),
        ),
        after_7_days: means('Articles made here, at the first look 7 to 13 days after publication.', indexedShare),
        after_28_days: means('Articles made here, at the first look 28 to 34 days after publication.', indexedShare),
        not_indexed: means('Articles that Google does not list, newest first, at most `limit`.', z.array(unlisted)),
        sitemaps: means('Sitemaps of the property that Google knows. The service submits none.', z.array(sitemap)),
        sitemaps_read_at: means('Time when the list was read. Null before the first time.', z.nullable(instant())),
        next_look_at: means('Time of the next questions to Google.', z.nullable(instant())),
        inspections_today: means(
          'Number of articles that Google was asked about today (Pacific time). Google allows 2,000 a day for a property; its projects share them.',
          count(),
        ),
        ...sandbox,
      }),
      body(notConnected),
    ]),
  },
  inspect: {
    200: z.union([
      body({
        connected: means('False if no Google account is connected or no property is chosen yet.', z.literal(true)),
        article_id: articleId(),
        url: means('Public URL of the post.', z.string()),
        index: means('State of the page in Google’s index.', indexField),
        message: message(),
      }),
      body(failed),
      body(notConnected),
    ]),
  },
  connect: {
    200: body({
      project_id: projectId(),
      connect_url: means(
        'URL at which a person connects this project. It works for anyone, so show it only to the user.',
        z.string(),
      ),
      expires_at: means('Time when `connect_url` expires.', instant()),
      message: message(),
      instructions_for_agent: means('Next step for the agent, or the question to ask the user.', z.string()),
      ...sandbox,
    }),
  },
  choose: {
    200: body({
      project_id: projectId(),
      property: means(
        'Search Console property of the project: `sc-domain:` and a domain, or a URL prefix.',
        z.string(),
      ),
      properties: means(
        'Properties that the connected Google account may read, as last seen. Choose one with `PUT /projects/:id/search-console`.',
        z.array(z.string()),
      ),
      message: message(),
      ...sandbox,
    }),
  },
  disconnect: {
    200: body({
      project_id: projectId(),
      disconnected: selfExplanatory(z.literal(true)),
      revoked: means(
        'True if Google confirmed that the access was withdrawn. Also false if other connections use the same Google account.',
        z.boolean(),
      ),
      message: message(),
      ...sandbox,
    }),
  },
} satisfies AnswersOf<typeof searchOperations>
