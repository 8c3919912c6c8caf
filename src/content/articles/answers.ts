import * as z from 'zod/mini'
import { ARTICLE_STATUSES, BATCH_OUTCOMES, CREDIT_STATES } from '../../../schema/values/articles.ts'
import { UNCOUNTED_REASONS } from '../../../schema/values/exchange.ts'
import { setup } from '../../accounts/projects/answers.ts'
import {
  type AnswersOf,
  articleId,
  body,
  count,
  id,
  instant,
  means,
  message,
  page,
  projectId,
  selfExplanatory,
  wallTime,
} from '../../platform/http/answers.ts'
import { detail, row, seo } from './article-answer.ts'
import { brief } from './brief-answer.ts'
import type { articleOperations } from './operations.ts'

const creditState = () =>
  means(
    'Credit for the article, in the order of dates. `over_budget`: the monthly budget of the project’s policy has none.',
    z.enum(CREDIT_STATES),
  )

/** Fields of the answer to every save of content. */
export const savedContent = {
  seo: means('SEO check results for the article as saved. Null only if its project no longer exists.', seo),
  backlinks_processed: means(
    'Links in the saved content that count in the backlink exchange, at most one per partner.',
    count(),
  ),
  backlinks_warning: means(
    'Warning that no link counts, so no credit is earned. Absent if a link counts or there is no content.',
    z.optional(z.string()),
  ),
  backlinks_not_counted: means(
    'First link to each partner that does not count. Absent if there are none.',
    z.optional(
      z.array(
        z.strictObject({
          url: means('URL that the link points to.', z.string()),
          reason: means(
            '`no_credits`: the partner has no credits to pay with. `monthly_limit`: the partner reached its monthly link limit. `competitor`: one of the two projects lists the other as a competitor.',
            z.enum(UNCOUNTED_REASONS),
          ),
          message: means('The reason in one sentence, and how to fix it.', z.string()),
        }),
      ),
    ),
  ),
  /** Addresses of the images that were sent as `data:` URLs. */
  hosted_images: means(
    'URLs of images that you sent as `data:` and the service now hosts. Absent if there were none.',
    z.optional(z.array(z.url())),
  ),
  removed: means(
    'Content that was removed or changed to make the article safe, such as script elements, unclosed elements that were closed, and wrappers around the content. Absent if nothing was.',
    z.optional(z.array(z.string())),
  ),
  removed_note: means('Advice on `data:` images that were left out. Absent if none were.', z.optional(z.string())),
  image_warning: means(
    'Warning that the article has no feature image, and how to add one. Absent if it has one.',
    z.optional(z.string()),
  ),
  image_candidates: means(
    'URLs of images in the text that you can use as `feature_image`. Absent if it has a feature image.',
    z.optional(z.array(z.string())),
  ),
  sync_required: means('Always `false`: no saved change is waiting to be sent to the site.', z.literal(false)),
}

/** Forecast of a save. */
const forecast = {
  ScheduledDate: means(
    'Publication time as local time in the project’s time zone. Null without a date.',
    z.nullable(wallTime()),
  ),
  ScheduledAt: means('The same time in UTC.', z.nullable(instant())),
  will_be_written: means(
    'Present if the service’s writer will write the article unless you act.',
    z.optional(
      z.strictObject({
        credits: means('Article credits that the writer will use.', count()),
        credit: creditState(),
        claim_by: means(
          'Time until which the article can certainly be claimed. Null if the writer may start at any moment.',
          z.nullable(instant()),
        ),
        note: means('Advice on writing the article yourself, in one or two sentences.', z.string()),
      }),
    ),
  ),
  will_be_rewritten: means(
    'Present if the saved content does not claim the article. The writer then uses the content as notes.',
    z.optional(z.literal(true)),
  ),
  warnings: means(
    'Problems such as a date in the past or missing content. Absent if there are none.',
    z.optional(z.array(z.string())),
  ),
  next_calls: means(
    'Call that plans the draft, if the draft has a date. Otherwise absent.',
    z.optional(
      z.array(
        z.strictObject({
          method: selfExplanatory(z.literal('PUT')),
          path: means('Path below `/api/v1`.', z.string()),
          body: means(
            'Request body to send.',
            z.strictObject({ status: means('Status that the call sets.', z.literal('Planned')) }),
          ),
          why: means('Purpose of the call.', z.string()),
        }),
      ),
    ),
  ),
}

const claim = {
  claimed: means(
    'True if the article is published as you saved it. The service’s writer does not change it. Absent for a draft, or if this call did not affect the claim.',
    z.optional(z.boolean()),
  ),
  claim_note: means(
    'Reason why the content you sent does not claim the article. Absent if it does.',
    z.optional(z.string()),
  ),
}

/** Answer to a save of an article. */
export const savedArticle = {
  article_id: articleId(),
  status: means(
    '`Draft` and `Planned`: saved in this service only. `synced`: also saved at the target. `awaiting_approval`: saved here, and sent after a person approves it.',
    z.enum(['Draft', 'Planned']),
  ),
  slug: means('New slug of the article. Absent if it did not change.', z.optional(z.string())),
  updated_fields: means('Sent fields that were saved.', z.array(z.string())),
  message: message(),
  ...forecast,
  ...claim,
  ...savedContent,
}

const revision = {
  revision: means('Number of the version, the `:revision` in `GET /articles/:id/revisions/:revision`.', count()),
  title: selfExplanatory(z.string()),
  meta_description: means('Text that search results show below the title.', z.string()),
  content_length: means('Number of characters in the HTML.', count()),
  saved_at: means('Time when this version was saved.', instant()),
  current: means('True if this is the current version of the article.', z.boolean()),
}

/** Answers of the operations on articles. */
export const articleAnswers = {
  list: {
    200: page({
      articles: means('Articles, newest first.', z.array(z.strictObject(row))),
      /** Present if `q` is too short for the index: only the newest 20,000 articles were searched. */
      search_limited: means(
        'Present if only the newest 20,000 articles were searched, because `q` has no three letters or digits in a row.',
        z.optional(z.literal(true)),
      ),
      setup: means(
        'Setup progress of the project. Present only if the list is empty because the project has no articles.',
        z.optional(setup()),
      ),
    }),
  },
  create: {
    201: body({
      article_id: articleId(),
      status: means(
        '`Draft`: not published automatically. `Planned`: published on its date.',
        z.enum(['Draft', 'Planned']),
      ),
      keyword: means('Search term that the article targets.', z.string()),
      slug: means('Last part of the article’s URL: the slug you sent, otherwise made from the keyword.', z.string()),
      message: message(),
      ...forecast,
      ...claim,
      ...savedContent,
    }),
    200: body({
      article_id: articleId(),
      status: means(
        '`Draft`: not published automatically. `Planned`: published on its date.',
        z.enum(ARTICLE_STATUSES),
      ),
      keyword: means('Search term that the article targets.', z.string()),
      slug: means('Last part of the article’s URL: the slug you sent, otherwise made from the keyword.', z.string()),
      already_existed: means(
        'True if an article of the project has the `external_ref`. Nothing was created or changed.',
        z.literal(true),
      ),
      differs: means('Sent fields whose values are not those of the article.', z.array(z.string())),
      message: message(),
      article: means('The article that has the `external_ref`, as `GET /articles/:id` returns it.', detail),
    }),
  },
  createBatch: {
    202: body({
      batch_id: means('ID of the batch, the `:id` of `GET /articles/batches/:id`.', id()),
      status: means('The articles are being created.', z.literal('running')),
      count: means('Number of articles.', count()),
      message: message(),
    }),
  },
  getBatch: {
    200: body({
      batch_id: means('ID of the batch.', id()),
      project_id: projectId(),
      status: means('`running`: articles are left. `done`: each has its result.', z.enum(['running', 'done'])),
      count: means('Number of articles.', count()),
      created: means('Number of articles that were created.', count()),
      existed: means('Number of articles that existed, known by their `external_ref`.', count()),
      refused: means('Number of articles that were refused.', count()),
      results: means(
        'Results so far, in the order of the articles.',
        z.array(
          z.strictObject({
            position: means('Number of the article in the batch, from 0.', count()),
            outcome: means(
              '`created`. `existed`: an article has this `external_ref`; nothing changed. `refused`: see `code`.',
              z.enum(BATCH_OUTCOMES),
            ),
            article_id: means('ID of the article. Null if it was refused.', z.nullable(id())),
            external_ref: means('Your own id of the article. Null if you sent none.', z.nullable(z.string())),
            message: message(),
            code: means('Code of the error. Null if it was not refused.', z.nullable(z.string())),
            details: means(
              'Wrong fields. Absent if the error names none.',
              z.optional(
                z.array(z.looseObject({ field: selfExplanatory(z.string()), message: selfExplanatory(z.string()) })),
              ),
            ),
          }),
        ),
      ),
      created_at: selfExplanatory(instant()),
      done_at: means('Time when the last article had its result. Null before.', z.nullable(instant())),
    }),
  },
  get: { 200: detail },
  brief: { 200: brief },
  revisions: {
    200: page({
      article_id: articleId(),
      revisions: means('Versions, newest first, including the current one.', z.array(z.strictObject(revision))),
    }),
  },
  revision: {
    200: body({
      article_id: articleId(),
      ...revision,
      content: means('HTML of the body.', z.string()),
      feature_image: means(
        'URL of the feature image. Empty if there is none. Null if the version did not record it.',
        z.nullable(z.string()),
      ),
      alt_text: means(
        'Alternative text of the feature image. Null if the version did not record it.',
        z.nullable(z.string()),
      ),
      fields: means(
        'Values of fields that only the platform has. Null if the version did not record them.',
        z.nullable(z.record(z.string(), z.unknown())),
      ),
    }),
  },
  remove: {
    200: body({
      article_id: articleId(),
      deleted: selfExplanatory(z.literal(true)),
      message: message(),
    }),
  },
  plan: {
    200: body({
      project_id: projectId(),
      plan: means('Articles a month. Null if no article plan was chosen.', z.nullable(count())),
      article_credits: means('Article credits of the account that are left.', count()),
      credits_refill_on: means(
        'First day of the next month (UTC), YYYY-MM-DD. Null on a plan without article credits.',
        z.nullable(z.string()),
      ),
      credits_taken: means(
        'Number of credits that dated articles without own text of this month (UTC) will use, in all projects of the account.',
        count(),
      ),
      budget_left: means(
        'Article credits that the monthly budget of the project’s policy still allows this month. Null without a budget.',
        z.nullable(z.int()),
      ),
      unreached: means(
        'The dated articles for which no credit is left, by their dates. They are not written in time unless you act. The first 100.',
        z.array(
          z.strictObject({
            article_id: articleId(),
            title: selfExplanatory(z.string()),
            keyword: selfExplanatory(z.string()),
            ScheduledAt: means('Date of the article, in UTC.', instant()),
            credit: creditState(),
          }),
        ),
      ),
      unreached_total: means('Number of these articles, at most 2,000.', count()),
      message: message(),
    }),
  },
  structuredData: {
    200: body({
      article_id: selfExplanatory(id()),
      types: means(
        'Types of schema.org in it. `FAQPage` if at least two headings are questions, `HowTo` if at least two are numbered steps.',
        z.array(z.string()),
      ),
      structured_data: means('The data, as JSON-LD.', z.record(z.string(), z.unknown())),
      script: means('The same as a `script` element, for the head of the page.', z.string()),
    }),
  },
} satisfies AnswersOf<typeof articleOperations>
