import * as z from 'zod/mini'
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
  rawText,
  text,
  timeOrEmpty,
  urlOrEmpty,
} from '../../platform/lib/fields.ts'
import { MAX_CONTENT } from './rules.ts'

/** Formats of sent content. It is stored and returned as HTML. */
const CONTENT_FORMATS = ['html', 'markdown'] as const

const status = label(['Draft', 'Planned'])
/** Fields of an article that readers and search engines see. */
export const READER_FIELDS = {
  content: z.optional(absentIfNull(rawText(MAX_CONTENT))),
  content_format: z.optional(absentIfNull(label(CONTENT_FORMATS))),
  title: z.optional(absentIfNull(text(500, 1))),
  meta_description: z.optional(clearable(text(1_000), '')),
  feature_image: z.optional(clearable(urlOrEmpty(), '')),
  alt_text: z.optional(clearable(text(1_000), '')),
  category: z.optional(clearable(text(200), '')),
  tags: z.optional(clearable(list(), [])),
  seo_title: z.optional(clearable(text(500), '')),
  canonical_url: z.optional(clearable(urlOrEmpty(), '')),
}

const SHARED_FIELDS = {
  ...READER_FIELDS,
  status: z.optional(absentIfNull(status)),
  scheduled_date: z.optional(timeOrEmpty()),
  article_style: z.optional(absentIfNull(label(ARTICLE_STYLES))),
  published_at: z.optional(timeOrEmpty()),
  instructions: z.optional(clearable(text(10_000), '')),
}

const keyword = text(500, 1)
const slug = z.optional(clearable(text(200), ''))
const externalRef = text(200, 1)

/** Body of `POST /articles`. Unknown fields are ignored. */
const CreateArticle = z.object({
  project_id: id(),
  keyword,
  slug,
  external_ref: z.optional(externalRef),
  ...SHARED_FIELDS,
})

/** Body of `PUT /articles/:id`: any subset. */
export const UpdateArticle = z.object({ keyword: z.optional(keyword), slug, ...SHARED_FIELDS })

const ListArticles = z.object({
  ...pagingParams(),
  project_id: z.optional(intParam(1)),
  status: z.optional(labels(ARTICLE_STATUSES)),
  publish_state: z.optional(labels(PUBLISH_STATES)),
  updated_after: z.optional(isoTime()),
  scheduled_after: z.optional(isoTime()),
  scheduled_before: z.optional(isoTime()),
  q: z.optional(text(200)),
  external_ref: z.optional(externalRef),
})

const ListRevisions = z.object(pagingParams())

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
    summary: 'Lists articles, newest first.',
    query: ListArticles,
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
  remove: {
    id: 'articles.delete',
    method: 'DELETE',
    path: '/articles/:id',
    perMinute: 10,
    scope: 'write',
    scopeReason: 'a deletion cannot be undone',
    summary: 'Deletes a Draft or Planned article.',
    ifMatch: true,
    errors: [...NOT_OPEN],
  },
} as const satisfies Operations
