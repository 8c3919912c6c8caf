import * as z from 'zod/mini'
import { ARTICLE_STATUSES, ARTICLE_STYLES, PUBLISH_STATES } from '../../../schema/values/articles.ts'
import { pagingParams } from '../../platform/db/paging.ts'
import {
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

/** Formats of sent content; it is stored and answered as HTML. */
const CONTENT_FORMATS = ['html', 'markdown'] as const

const status = label(['Draft', 'Planned'])
/** Returns fields of an article that readers and search engines see. */
export const readerFields = () => ({
  content: z.optional(rawText(MAX_CONTENT)),
  content_format: z.optional(label(CONTENT_FORMATS)),
  title: z.optional(text(500, 1)),
  meta_description: z.optional(clearable(text(1_000), '')),
  feature_image: z.optional(clearable(urlOrEmpty(), '')),
  alt_text: z.optional(clearable(text(1_000), '')),
  category: z.optional(clearable(text(200), '')),
  tags: z.optional(clearable(list(), [])),
  seo_title: z.optional(clearable(text(500), '')),
  canonical_url: z.optional(clearable(urlOrEmpty(), '')),
})

const shared = () => ({
  ...readerFields(),
  status: z.optional(status),
  scheduled_date: z.optional(timeOrEmpty()),
  article_style: z.optional(label(ARTICLE_STYLES)),
  published_at: z.optional(timeOrEmpty()),
  instructions: z.optional(clearable(text(10_000), '')),
})

const keyword = text(500, 1)
const slug = z.optional(clearable(text(200), ''))

/** Body of `POST /articles`. Unknown fields are ignored. */
export const CreateArticle = z.object({ project_id: id(), keyword, slug, ...shared() })

/** Body of `PUT /articles/:id`: any subset. */
export const UpdateArticle = z.object({ keyword: z.optional(keyword), slug, ...shared() })

export const ListArticles = z.object({
  ...pagingParams(),
  project_id: z.optional(intParam(1)),
  status: z.optional(labels(ARTICLE_STATUSES)),
  publish_state: z.optional(labels(PUBLISH_STATES)),
  updated_after: z.optional(isoTime()),
  scheduled_after: z.optional(isoTime()),
  scheduled_before: z.optional(isoTime()),
  q: z.optional(text(200)),
})

export const ListRevisions = z.object(pagingParams())

export type CreateArticleInput = z.infer<typeof CreateArticle>
export type UpdateArticleInput = z.infer<typeof UpdateArticle>
export type ListArticlesInput = z.infer<typeof ListArticles>
export type ListRevisionsInput = z.infer<typeof ListRevisions>
