import * as z from 'zod/mini'
import { ARTICLE_STYLES } from '../../../schema/values/articles.ts'
import { id, label, rawText, text } from '../../platform/lib/fields.ts'
import { showsText } from '../html/shown.ts'

/** Longest notes, characters. */
const MAX_NOTES = 200_000

/** Body of `POST /articles/generate`. Unknown fields are ignored. */
export const GenerateArticle = z.object({
  project_id: id(),
  keyword: text(500, 1),
  source_content: rawText(MAX_NOTES).check(
    z.refine(showsText, {
      error: 'must not be empty: it holds the notes the article is made of',
    }),
  ),
  instructions: z.optional(text(10_000)),
  title: z.optional(text(500, 1)),
  article_style: z.optional(label(ARTICLE_STYLES)),
})

export type GenerateArticleInput = z.infer<typeof GenerateArticle>
