import * as z from 'zod/mini'
import { INTENTS, KEYWORD_SOURCES } from '../../../schema/values/keywords.ts'
import { type AnswersOf, body, count } from '../../platform/http/answers.ts'
import type { keywordOperations } from './operations.ts'

const row = z.strictObject({
  keyword: z.string(),
  search_volume: z.nullable(count()),
  keyword_difficulty: z.nullable(z.int().check(z.gte(0), z.lte(100))),
  intent: z.nullable(z.enum(INTENTS)),
})

/** Answers of keyword research. */
export const keywordAnswers = {
  search: {
    200: body({
      keywords: z.array(row).check(z.minLength(1), z.maxLength(50)),
      count: count(),
      limit: z.int().check(z.gte(1), z.lte(50)),
      source: z.enum(KEYWORD_SOURCES),
      language: z.string(),
      region: z.string(),
      country: z.nullable(z.string()),
      cached: z.boolean(),
      note: z.optional(z.string()),
      sandbox: z.optional(z.literal(true)),
    }),
  },
} satisfies AnswersOf<typeof keywordOperations>
