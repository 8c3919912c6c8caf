import * as z from 'zod/mini'
import { KEYWORD_SOURCES } from '../../schema/values/keywords.ts'
import { id, label, text } from '../lib/fields.ts'

const MAX_WORDS = 10

/** Body of `POST /keywords/search`. */
export const SearchKeywords = z.object({
  keyword: text(80, 1).check(
    z.refine((value) => value.split(/\s+/).length <= MAX_WORDS, { error: `must have at most ${MAX_WORDS} words` }),
  ),
  project_id: z.optional(id()),
  limit: z.optional(z.int().check(z.gte(1), z.lte(2_147_483_647))),
  source: z.optional(label(KEYWORD_SOURCES)),
})

export type SearchKeywordsInput = z.infer<typeof SearchKeywords>
