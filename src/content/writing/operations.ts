import * as z from 'zod/mini'
import { ARTICLE_STYLES } from '../../../schema/values/articles.ts'
import type { Operations } from '../../platform/http/operation.ts'
import { id, label, means, rawText, text } from '../../platform/lib/fields.ts'
import { showsText } from '../html/shown.ts'

/** Longest notes, in characters. */
const MAX_NOTES = 200_000

/** Body of `POST /articles/generate`. Unknown fields are ignored. */
const GenerateArticle = z.object({
  project_id: means('ID of the project of the article.', id()),
  keyword: means('Search term that the article targets.', text(500, 1)),
  source_content: means(
    'Your notes. The article states only what is in them.',
    rawText(MAX_NOTES).check(
      z.refine(showsText, {
        error: 'must not be empty: it holds the notes the article is made of',
      }),
    ),
  ),
  instructions: means(
    'Instructions to the writer for this article.',
    z.optional(text(10_000)),
    'the project’s own instructions',
  ),
  title: means('Title of the article.', z.optional(text(500, 1)), 'the keyword'),
  article_style: means('Type of article.', z.optional(label(ARTICLE_STYLES)), '`Informative`'),
})

export type GenerateArticleInput = z.infer<typeof GenerateArticle>

/** Endpoints of writing, in the articles Worker. */
export const writingOperations = {
  generate: {
    id: 'articles.generate',
    method: 'POST',
    path: '/articles/generate',
    perMinute: 5,
    costs: [{ unit: 'article_credits', amount: 1, note: '1 article credit, refunded if the writing fails' }],
    typicalSeconds: 180,
    isShared: true,
    scope: 'write',
    summary: 'Starts the service’s writer on an article from your notes. Uses one article credit.',
    success: [202],
    json: GenerateArticle,
    errors: [
      'not_found',
      'forbidden',
      'plan_required',
      'no_article_credits',
      'key_budget_used',
      'policy',
      'edit_conflict',
    ],
  },
} as const satisfies Operations
