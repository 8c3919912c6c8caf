import * as z from 'zod/mini'
import { ORIGINS, STORED_FORMATS } from '../../../schema/values/adopted.ts'
import { ARTICLE_STATUSES, ARTICLE_STYLES, PUBLISH_STATES } from '../../../schema/values/articles.ts'
import { INDEX_STATES } from '../../../schema/values/indexing.ts'
import { COPY_STATES, PUBLISHING_PLATFORMS } from '../../../schema/values/publishing.ts'
import { SEO_CHECKS } from '../../../schema/values/seo.ts'
import {
  articleId,
  body,
  count,
  id,
  instant,
  means,
  projectId,
  selfExplanatory,
  wallTime,
} from '../../platform/http/answers.ts'

/** Copies of an article, as answers show them. */
export const copiesAnswer = z.array(
  z.strictObject({
    integration_id: means('ID of the follower, as listed by `GET /projects/:id/targets`.', id()),
    platform: selfExplanatory(z.enum(PUBLISHING_PLATFORMS)),
    name: means('Display name of the follower.', z.string()),
    state: means(
      '`waiting`: readers do not see the article at the home yet. `sending`: an attempt is in progress. `retrying`: another attempt follows. `unknown`: it may have arrived; the follower is asked. `published`: the follower has it. `failed`: ended without success; `error` has the reason. `removed`: taken down with the article.',
      z.enum(COPY_STATES),
    ),
    url: means('Address of the copy. Null if the follower has reported none.', z.nullable(z.string())),
    canonical: means('Address that the copy names as its original. Null before it is sent.', z.nullable(z.string())),
    revision: means('Revision that the follower has. Null if readers see no copy there.', z.nullable(count())),
    attempts: means('Number of attempts for the current version.', count()),
    next_attempt_at: means('Time of the next attempt. Null if there is none.', z.nullable(instant())),
    error: means('Reason why the last attempt did not succeed. Otherwise null.', z.nullable(z.string())),
    warnings: means('Differences between the request and what the follower did, in sentences.', z.array(z.string())),
    updated_at: selfExplanatory(instant()),
  }),
)

/** Articles of a group of translations, as answers show them. */
export const translationsAnswer = z.array(
  z.strictObject({
    article_id: articleId(),
    project_id: projectId(),
    title: selfExplanatory(z.string()),
    language: means('BCP 47 code.', z.string()),
    status: means('Status of the article.', z.enum(ARTICLE_STATUSES)),
    url: means('Public URL. Null if readers cannot open it yet.', z.nullable(z.string())),
  }),
)

/** Fields of an article in lists. */
export const row = {
  ID: means('ID of the article, the `:id` in paths.', id()),
  Title: selfExplanatory(z.string()),
  MainKeyword: means('Search term that the article targets.', z.string()),
  Status: means(
    '`Draft`: not published automatically. `Planned`: published on its date. `Generating`: the writer is working on it. `Published`: the target has it.',
    z.enum(ARTICLE_STATUSES),
  ),
  ScheduledDate: means(
    'Publication time as local time in the project’s time zone. Null without a date.',
    z.nullable(wallTime()),
  ),
  ScheduledAt: means('The same time in UTC.', z.nullable(instant())),
  ProjectID: projectId(),
  Slug: means('Last part of the article’s URL.', z.string()),
  ArticleStyle: means('Type of article. It sets the target length in the brief.', z.enum(ARTICLE_STYLES)),
  Url: means('URL of the post at the target. Null until the target has reported one.', z.nullable(z.string())),
  PublishState: means(
    '`idle`: no publication in progress. `publishing`: being sent. `retrying`: the service sends it again automatically. `unknown`: it may have arrived. `failed`: the service does not try again; `PublishError` has the reason. `awaiting_approval`: a person has to approve it, see `GET /approvals`. `awaiting_merge`: it is in a pull request, whose URL `PublishError` has.',
    z.enum(PUBLISH_STATES),
  ),
  origin: means(
    '`own`: made here. `adopted`: made of a post that the site had before; a change of it goes to that post.',
    z.enum(ORIGINS),
  ),
  PublishedAt: means(
    'Publication date that readers see. Null unless the article is `Published`.',
    z.nullable(instant()),
  ),
  UpdatedAt: selfExplanatory(instant()),
  external_ref: means('Your own id of the article. Null if it has none.', z.nullable(z.string())),
  claimed: means(
    'True if the article is published as you saved it. The service’s writer does not change it.',
    z.boolean(),
  ),
  being_written: means(
    'True while the writer is working on the article. Changes return 409 `already_being_written`.',
    z.boolean(),
  ),
}

/** The SEO report of saved content. */
export const seo = z.nullable(
  z.strictObject({
    score: means(
      'SEO score from 0 to 100: the weight of the passed checks among those that apply. At most 40 with an `error`. 0 without content.',
      z.int().check(z.gte(0), z.lte(100)),
    ),
    passed: means('Checks that passed. A check that does not apply is in neither list.', z.array(z.enum(SEO_CHECKS))),
    failed: means(
      'Checks that failed.',
      z.array(
        z.strictObject({
          check: selfExplanatory(z.enum(SEO_CHECKS)),
          severity: means(
            '`error`: the score is at most 40, and text by the writer is not published on its date. `warning`: worth fixing. `notice`: a hint.',
            z.enum(['error', 'warning', 'notice']),
          ),
          message: means('Description of the problem, in one sentence.', z.string()),
          fix: means('Advice on fixing it.', z.string()),
        }),
      ),
    ),
  }),
)

/** State of a page in Google's index. */
export const indexField = z.strictObject({
  state: means(
    '`indexed`: Google lists it. `crawled`: read, but not listed. `discovered`: known, but not read. `unknown`: Google does not know the URL. `blocked`: robots.txt or `noindex` keeps it out. `canonical_elsewhere`: Google lists another URL instead. `unreachable`: Google could not read it. `other`: see `google_says`. `not_measured`: see `why_not_measured`.',
    z.enum(INDEX_STATES),
  ),
  google_says: means(
    'Google’s own words for the state, such as `Submitted and indexed`. Null if there are none.',
    z.nullable(z.string()),
  ),
  last_crawl_at: means(
    'Time when Google last read the page. The state is of that copy, not of the page now. Null if it never did.',
    z.nullable(instant()),
  ),
  page_fetch: means(
    'Result of Google’s last request for the page, in its words: `SUCCESSFUL`, `ACCESS_FORBIDDEN`, `SERVER_ERROR` and others. Null if there was none.',
    z.nullable(z.string()),
  ),
  google_canonical: means('URL that Google chose as canonical. Null if it chose none.', z.nullable(z.string())),
  looked_at: means('Time when Google was asked. Null before the first time.', z.nullable(instant())),
  why_not_measured: means(
    'Reason for `not_measured`, and what to do about it. Null for any other state.',
    z.nullable(z.string()),
  ),
  link: means('Page of Search Console about this URL. Absent if Google named none.', z.optional(z.string())),
  sandbox: means('Present if a stand-in for Google made up the state.', z.optional(z.literal(true))),
})

const receipt = z.strictObject({
  checked_at: selfExplanatory(instant()),
  revision: means(
    'Revision that the page shows, among those that were sent last; if it shows none, the one that was looked for. Null if the page could not be read.',
    z.optional(z.nullable(count())),
  ),
  http_status: means(
    'HTTP status of the page. Null if the page did not respond; the fields below are then not checked.',
    z.nullable(z.int()),
  ),
  title_found: means('True if the page’s title or one of its h1 and h2 headings has the article’s title.', z.boolean()),
  text_found: means(
    'True if the page shows the longest sentence of the text. Absent if no sentence is distinctive enough.',
    z.optional(z.boolean()),
  ),
  canonical: means('URL in the canonical link of the page. Null if there is none.', z.nullable(z.string())),
  indexable: means('True if the page returns 200 and neither the page nor its headers have `noindex`.', z.boolean()),
  images_ok: means(
    'True if the page has every image of the content, and every image that was asked for loads (see `images_checked`).',
    z.boolean(),
  ),
  images_checked: means(
    'Number of images that were asked for at their URL on the page, of all images of the content.',
    z.optional(
      z.strictObject({
        asked: means('Images of the page that were asked for, at most 20.', count()),
        of: means('Images of the content.', count()),
      }),
    ),
  ),
  links_ok: means('True if the page has every link of the content.', z.boolean()),
  structured_data: means(
    'Types of schema.org that the page names in JSON-LD, such as `Article`, at most 20. Absent if the page could not be read.',
    z.optional(z.array(z.string())),
  ),
  build: means(
    'For a repository whose page does not show the article yet: the build of the site after the last commit. Absent otherwise.',
    z.optional(
      z.strictObject({
        state: means(
          '`waiting`: not ended. `built`: it succeeded. `failed`: it did not. `none`: no build was seen, or the token may not read builds.',
          z.enum(['none', 'waiting', 'built', 'failed']),
        ),
        url: means('Log of the build, or its preview. Null if the host gives none.', z.nullable(z.string())),
      }),
    ),
  ),
  next_check_at: means(
    'Time of the next check, while the page does not show the article: after 1, 5 and 20 minutes and 2 hours. Null if none follows.',
    z.optional(z.nullable(instant())),
  ),
  error: means('Reason why the page could not be checked. Absent if it was.', z.optional(z.string())),
  index: means('State of the page in Google’s index.', indexField),
  engines_told: means(
    'Last report of the page to Bing, Yandex and others by IndexNow. Null if there was none.',
    z.nullable(
      z.strictObject({
        at: means('Time of the report.', instant()),
        answer: means(
          'HTTP status of IndexNow. 200 and 202: taken. It does not mean that the page was read or is listed.',
          z.int(),
        ),
      }),
    ),
  ),
})

/** An article with its content. */
export const detail = body({
  ...row,
  Content: means('HTML of the body, sanitized.', z.string()),
  MetaDescription: means('Text that search results show below the title.', z.string()),
  FeatureImage: means('URL of the feature image. Empty if there is none.', z.string()),
  AltText: means('Alternative text of the feature image.', z.string()),
  Category: means('Category in the blog. May be empty.', z.string()),
  Tags: selfExplanatory(z.array(z.string())),
  SeoTitle: means('Title for search results. Empty if it is the same as the title.', z.string()),
  CanonicalUrl: means('URL where the text was first published. Empty if that is the article’s own URL.', z.string()),
  Fields: means(
    'Values of fields that only the connected platform has, by their names there.',
    z.record(z.string(), z.unknown()),
  ),
  Instructions: means('Instructions to the writer for this article. May be empty.', z.string()),
  Author: means('Byline, from `custom_author_name` of the project. Empty: the target’s default author.', z.string()),
  CreatedAt: selfExplanatory(instant()),
  Claimed: means('The same as `claimed`.', z.boolean()),
  PublishError: means(
    'Reason for the state `retrying`, `unknown` or `failed`, in one sentence. Null if there was no problem.',
    z.nullable(z.string()),
  ),
  Approval: means(
    'Request for a person to approve the article or its change. Null if there is none, after the approved article went out, or if the text changed since the request.',
    z.nullable(
      z.strictObject({
        id: means('ID of the approval, the `:id` of `GET /approvals/:id`.', id()),
        status: means(
          '`awaiting`: no decision yet. `approved`: goes out now or on its date. `returned`: `comment` describes what to change. `expired`: no decision in time.',
          z.enum(['awaiting', 'approved', 'returned', 'expired']),
        ),
        approve_url: means('URL of the page on which a person decides.', z.string()),
        expires_at: means('Time until which a person can approve it.', instant()),
        comment: means('Comment of the person. Null if there is none.', z.nullable(z.string())),
      }),
    ),
  ),
  GenerationError: means(
    'Reason why the writer’s last attempt failed, or why its text is not published on its date. Null if neither applies, and once the article is `Published`.',
    z.nullable(z.string()),
  ),
  Progress: means(
    'Progress of the writer. Null unless the writer is working on the article.',
    z.nullable(
      z.strictObject({
        step: means('Number of completed steps: the plan, then each part of the text.', count()),
        of: means('Total number of steps; the last one is the check. 3 until the steps are planned.', count()),
        percent: means('Percentage from 0 to 99.', count()),
        label: means('Current step, as text for people.', z.string()),
      }),
    ),
  ),
  Receipt: means(
    'Result of the last check of the live page. It is checked some seconds after a publication, sync or rollback, and again while it does not show the article. Null before that, and for drafts.',
    z.nullable(receipt),
  ),
  Revision: means('Number of the current version. Every change that readers can notice increases it.', count()),
  Seo: means('SEO check results for the saved content. Null until content is saved or written.', seo),
  Adopted: means(
    'Post that the article was made of, as it was found. Null for articles made here.',
    z.nullable(
      z.strictObject({
        post_id: means('ID of the post at its site.', z.string()),
        site: means('Platform and address of the site.', z.string()),
        format: means(
          'Form of the stored text. `blocks`, `classic`: WordPress. `lexical`, `mobiledoc`: Ghost. `html`: any other CMS. `page`: read from the live page.',
          z.enum(STORED_FORMATS),
        ),
        editable: means(
          'False if a page builder owns the text. Its text is then never changed from here.',
          z.boolean(),
        ),
        owner: means('Page builder that owns the text. Null if there is none.', z.nullable(z.string())),
        author: means('Name of the author. Null if the site does not show it.', z.nullable(z.string())),
        language: means('BCP 47 code. Null if the site does not return it.', z.nullable(z.string())),
        excerpt: means('Summary that lists of posts show. May be empty.', z.string()),
        categories: selfExplanatory(z.array(z.string())),
        found_at: means('Time when the post was read.', instant()),
      }),
    ),
  ),
  Copies: means('Copies of the article at the followers of its project. Empty without any.', copiesAnswer),
  Translations: means(
    'Articles about the same subject in other languages, with this one. Empty if it is in no group. `GET /articles/:id/translations` checks their live pages.',
    translationsAnswer,
  ),
})
