import * as z from 'zod/mini'
import { KEYWORD_SOURCES } from '../../../schema/values/keywords.ts'
import { id, label, text } from '../../platform/lib/fields.ts'

const MAX_WORDS = 10

/** Body of `POST /keywords/search`. */
export const SearchKeywords = z.object({
  keyword: text(80, 1).check(
    z.refine((value) => value.split(/\s+/).length <= MAX_WORDS, { error: `must have at most ${MAX_WORDS} words` }),
  ),
  project_id: z.optional(id()),
  // However large: one above the most there are is lowered to it.
  limit: z.optional(z.number().check(z.gte(1), z.refine(Number.isInteger, { error: 'must be an integer' }))),
  source: z.optional(label(KEYWORD_SOURCES)),
})

export type SearchKeywordsInput = z.infer<typeof SearchKeywords>
