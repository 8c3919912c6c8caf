import * as z from 'zod/mini'
import { ORIGINS } from '../../../schema/values/adopted.ts'
import { ARTICLE_STATUSES, ARTICLE_STYLES, PUBLISH_STATES } from '../../../schema/values/articles.ts'
import { pagingParams } from '../../platform/db/paging.ts'
import type { Operations } from '../../platform/http/operation.ts'
import {
  absentIfNull,
  clearable,
  id,
  intParam,
  isoTime,
  label,
  labels,
  list,
  means,
  rawText,
  text,
  timeOrEmpty,
  urlOrEmpty,
} from '../../platform/lib/fields.ts'
import { articlesFile, entriesIn } from './csv.ts'
import { ownFields } from './own-fields.ts'
import { MAX_CONTENT } from './rules.ts'

/** Formats of sent content. It is stored and returned as HTML. */
const CONTENT_FORMATS = ['html', 'markdown'] as const

const status = label(['Draft', 'Planned'])
/** Fields of an article that readers and search engines see. */
export const READER_FIELDS = {
  content: means(
    'HTML of the body, without `html`, `head`, `body` and `h1`, at most 64 elements deep. Unsafe parts are removed and listed in `removed`. The service hosts `data:` images.',
    z.optional(absentIfNull(rawText(MAX_CONTENT))),
    'empty',
  ),
  content_format: means(
    'Format of `content`. `markdown` is converted to HTML: CommonMark with tables, strikethrough, footnotes, task lists and bare URLs. Front matter is removed.',
    z.optional(absentIfNull(label(CONTENT_FORMATS))),
    '`html`',
  ),
  title: means('Title of the article.', z.optional(absentIfNull(text(500, 1))), 'the keyword'),
  meta_description: means(
    'Text that search results show below the title. 70 to 160 characters are recommended. Empty or null clears it.',
    z.optional(clearable(text(1_000), '')),
    'empty; if published unclaimed, the first sentences',
  ),
  feature_image: means(
    'URL of the feature image. Empty or null clears it.',
    z.optional(clearable(urlOrEmpty(), '')),
    'none',
  ),
  alt_text: means(
    'Alternative text of the feature image. Empty or null clears it.',
    z.optional(clearable(text(1_000), '')),
    'empty',
  ),
  category: means('Category in the blog. Empty or null clears it.', z.optional(clearable(text(200), '')), 'none'),
  tags: means(
    'Tags: a list, or text separated by commas or line breaks. Empty or null clears them.',
    z.optional(clearable(list(), [])),
    'none',
  ),
  seo_title: means(
    'Title for search results, if it differs from the title. Sent to platforms that support it. Empty or null clears it.',
    z.optional(clearable(text(500), '')),
    'the title',
  ),
  canonical_url: means(
    'URL where the text was first published. Sent to platforms that support it. Empty or null clears it.',
    z.optional(clearable(urlOrEmpty(), '')),
    'the article’s own URL',
  ),
  fields: means(
    'Values of fields that only the connected platform has, by their names, as `GET /integrations/:id/schema` lists them. They replace the earlier ones; a field that is not named any more keeps its value at the platform. A value of null empties a field there. Checked before anything is sent. Null for all clears them here.',
    z.optional(ownFields()),
    'none',
  ),
}

const SHARED_FIELDS = {
  ...READER_FIELDS,
  status: means(
    '`Planned` adds the article to the calendar: it is published on `scheduled_date`. `Draft` removes it from the calendar.',
    z.optional(absentIfNull(status)),
    '`Draft`',
  ),
  scheduled_date: means(
    'Publication time, ISO 8601. With an offset or `Z`: that exact time. Without one: local time in the project’s time zone. A date alone: that day at `publish_time`. Empty or null clears the date, and `Planned` becomes `Draft`.',
    z.optional(timeOrEmpty()),
    'none',
  ),
  article_style: means(
    'Type of article. It sets the target length in the brief.',
    z.optional(absentIfNull(label(ARTICLE_STYLES))),
    '`Informative`',
  ),
  published_at: means(
    'Past date that readers see instead of the day of publication. Empty or null clears it.',
    z.optional(timeOrEmpty()),
    'the day of publication',
  ),
  instructions: means(
    'Instructions to the writer for this article. Empty or null clears them.',
    z.optional(clearable(text(10_000), '')),
    'empty',
  ),
}

const keyword = text(500, 1)
const slug = z.optional(clearable(text(200), ''))
const externalRef = text(200, 1)

/** Fields of a new article besides its project. */
const NEW_FIELDS = {
  keyword: means('Search term that the article targets. The slug is made from it.', keyword),
  slug: means(
    'Last part of the URL. Converted to ASCII by the rules of the project’s language. If it is taken, `-2` is added.',
    slug,
    'made from the keyword, otherwise from the title',
  ),
  external_ref: means(
    'Your own id of the article, such as the path of its file, unique in the project. If an article has it, the answer is 200 with that article, and nothing changes. A deletion frees it.',
    z.optional(externalRef),
    'none',
  ),
  ...SHARED_FIELDS,
}

/** Body of `POST /articles`. Unknown fields are ignored. */
const CreateArticle = z.object({
  project_id: means('ID of the project of the article.', id()),
  ...NEW_FIELDS,
})

/** Most articles in one batch. */
const MAX_BATCH = 50
/** Largest body of a batch. */
const MAX_BATCH_BYTES = 4 * 1024 * 1024

/** Body of `POST /articles/batch`. */
const CreateBatch = z.object({
  project_id: means('ID of the project of the articles.', id()),
  articles: means(
    `Articles to create, at most ${MAX_BATCH}, each with the fields of \`POST /articles\` except \`project_id\`.`,
    z.array(z.object(NEW_FIELDS)).check(z.minLength(1), z.maxLength(MAX_BATCH)),
  ),
})

/** Body of `PUT /articles/:id`: any subset. */
export const UpdateArticle = z.object({
  keyword: means(
    'Search term that the article targets. Until publication, a new keyword also changes the slug, unless you chose the slug.',
    z.optional(keyword),
  ),
  slug: means(
    'Last part of the URL, converted to ASCII. It does not change with the keyword. `""`: it follows the keyword again.',
    slug,
  ),
  ...SHARED_FIELDS,
})

const ListArticles = z.object({
  ...pagingParams(),
  project_id: means('Returns only articles of this project.', z.optional(intParam(1)), 'all projects of the account'),
  status: means(
    'Returns only articles with these statuses, separated by commas.',
    z.optional(labels(ARTICLE_STATUSES)),
    'all',
  ),
  publish_state: means(
    'Returns only articles with these states, separated by commas. `failed,unknown` finds those that need attention.',
    z.optional(labels(PUBLISH_STATES)),
    'all',
  ),
  origin: means(
    '`own`: returns only articles made here. `adopted`: only those made of posts that the site had before.',
    z.optional(label(ORIGINS)),
    'both',
  ),
  updated_after: means('Returns only articles changed at or after this time.', z.optional(isoTime()), 'all'),
  scheduled_after: means(
    'Returns only articles planned at or after this time. A date alone is the start of that day.',
    z.optional(isoTime()),
    'all',
  ),
  scheduled_before: means(
    'Returns only articles planned at or before this time. A date alone includes the whole day.',
    z.optional(isoTime()),
    'all',
  ),
  q: means(
    'Returns only articles with this text in the title or keyword. Case does not matter.',
    z.optional(text(200)),
    'all',
  ),
  external_ref: means(
    'Returns only the article with this id of yours, or one in each project that has it.',
    z.optional(externalRef),
    'all',
  ),
})

const ListRevisions = z.object(pagingParams())

export type CreateBatchInput = z.infer<typeof CreateBatch>
export type CreateArticleInput = z.infer<typeof CreateArticle>
export type UpdateArticleInput = z.infer<typeof UpdateArticle>
export type ListArticlesInput = z.infer<typeof ListArticles>
export type ListRevisionsInput = z.infer<typeof ListRevisions>

/** Errors for an article that cannot be changed or deleted. */
export const NOT_OPEN = [
  'published_article',
  'not_found',
  'forbidden',
  'already_being_written',
  'publish_in_progress',
  'edit_conflict',
] as const

/** Words for the action that needs the scope `write`, because the service writes and publishes planned articles by itself. */
export const PLANNING = 'Planning or dating an article'

/** True if a save plans an article, or sets or removes its date. */
export const isPlanning = ({ status, scheduled_date: date }: Readonly<Record<string, unknown>>): boolean =>
  status === 'Planned' || date !== undefined

/** Endpoints of the articles Worker. */
export const articleOperations = {
  list: {
    id: 'articles.list',
    method: 'GET',
    path: '/articles',
    perMinute: 30,
    scope: 'read',
    summary: 'Lists articles, newest first; with `Accept: text/csv`, as CSV.',
    query: ListArticles,
    csv: { answer: (body) => articlesFile((body as { articles: Parameters<typeof articlesFile>[0] }).articles) },
    errors: ['not_found', 'forbidden'],
  },
  create: {
    id: 'articles.create',
    method: 'POST',
    path: '/articles',
    perMinute: 10,
    costs: [
      {
        unit: 'article_credits',
        amount: null,
        note: 'no credit; the writer uses 1 for a planned article that is not claimed, see `will_be_written`',
      },
    ],
    scope: 'draft',
    wider: { scope: 'write', when: PLANNING, needs: isPlanning },
    summary: 'Creates an article as Draft or Planned. A known `external_ref` returns its article and changes nothing.',
    success: [201, 200],
    json: CreateArticle,
    etag: true,
    errors: ['not_found', 'forbidden', 'edit_conflict'],
  },
  createBatch: {
    id: 'articles.batch',
    method: 'POST',
    path: '/articles/batch',
    perMinute: 2,
    typicalSeconds: 15,
    costs: [
      {
        unit: 'article_credits',
        amount: null,
        note: 'no credit; the writer uses 1 for each planned article that is not claimed, see `will_be_written`',
      },
    ],
    scope: 'draft',
    wider: {
      scope: 'write',
      when: 'Planning or dating an article of a batch',
      needs: ({ articles }) => Array.isArray(articles) && articles.some((one) => isPlanning(one ?? {})),
    },
    summary:
      'Creates up to 50 articles of a project, one after the other: JSON, or a file in CSV with `?project_id=`. `GET /articles/batches/:id` has the result of each.',
    success: [202],
    json: CreateBatch,
    maxBytes: MAX_BATCH_BYTES,
    csv: {
      params: { project_id: 'ID of the project of the articles, if the body is a file.' },
      body: (text, { project_id: project }) => ({
        ...(project === undefined ? {} : { project_id: /^\d+$/.test(project) ? Number(project) : project }),
        articles: entriesIn(text, MAX_BATCH),
      }),
    },
    errors: ['not_found', 'forbidden'],
  },
  getBatch: {
    id: 'articles.batch_results',
    method: 'GET',
    path: '/articles/batches/:id',
    perMinute: 30,
    scope: 'read',
    summary: 'Returns the results of a batch so far. They are kept for 30 days.',
    errors: ['not_found', 'forbidden'],
  },
  get: {
    id: 'articles.get',
    method: 'GET',
    path: '/articles/:id',
    perMinute: 30,
    scope: 'read',
    summary: 'Returns an article with its content.',
    etag: true,
    errors: ['not_found', 'forbidden'],
  },
  brief: {
    id: 'articles.brief',
    method: 'GET',
    path: '/articles/:id/brief',
    perMinute: 60,
    scope: 'read',
    summary: 'Returns the requirements for writing a planned article, and the time until which you can claim it.',
    errors: ['not_found', 'forbidden'],
  },
  revisions: {
    id: 'articles.revisions',
    method: 'GET',
    path: '/articles/:id/revisions',
    perMinute: 30,
    scope: 'read',
    summary: 'Lists the versions of an article, newest first, including the current one.',
    query: ListRevisions,
    errors: ['not_found', 'forbidden'],
  },
  revision: {
    id: 'articles.revision',
    method: 'GET',
    path: '/articles/:id/revisions/:revision',
    perMinute: 30,
    scope: 'read',
    summary: 'Returns a version of an article with its content.',
    errors: ['not_found', 'forbidden'],
  },
  structuredData: {
    id: 'articles.structured_data',
    method: 'GET',
    path: '/articles/:id/structured-data',
    perMinute: 30,
    scope: 'read',
    summary: 'Returns the structured data of an article (schema.org), for the head of its page.',
    errors: ['not_found', 'forbidden'],
  },
  remove: {
    id: 'articles.delete',
    method: 'DELETE',
    path: '/articles/:id',
    perMinute: 10,
    scope: 'write',
    scopeReason: 'only a person can take back a deletion',
    summary: 'Deletes a Draft or Planned article.',
    ifMatch: true,
    errors: [...NOT_OPEN],
  },
  plan: {
    id: 'articles.plan',
    method: 'GET',
    path: '/projects/:id/article-plan',
    perMinute: 30,
    scope: 'read',
    summary: 'Returns the article plan, the credits that are left, and the dated articles that they do not reach.',
    errors: ['not_found', 'forbidden'],
  },
} as const satisfies Operations
