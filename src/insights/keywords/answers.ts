import * as z from 'zod/mini'
import { INTENTS, KEYWORD_SOURCES } from '../../../schema/values/keywords.ts'
import { type AnswersOf, body, count, means } from '../../platform/http/answers.ts'
import type { keywordOperations } from './operations.ts'

const row = z.strictObject({
  keyword: means('Keyword in lower case.', z.string()),
  search_volume: means('Searches per month. 0: no searches. Null: not measured.', z.nullable(count())),
  keyword_difficulty: means(
    'Difficulty from 0 (easy to rank for) to 100. Null: not measured.',
    z.nullable(z.int().check(z.gte(0), z.lte(100))),
  ),
  intent: means('Search intent. Null if unknown, and always null with `byo_ahrefs`.', z.nullable(z.enum(INTENTS))),
})

/** Answers of keyword research. */
export const keywordAnswers = {
  search: {
    200: body({
      keywords: means(
        'The requested keyword first. Then other keywords: those that contain it before related ones, most searches first.',
        z.array(row).check(z.minLength(1), z.maxLength(50)),
      ),
      count: means('Number of rows in this response.', count()),
      limit: means('Maximum number of rows in this response.', z.int().check(z.gte(1), z.lte(50))),
      source: means(
        'Source of the data: the service, or the account’s own key for a provider.',
        z.enum(KEYWORD_SOURCES),
      ),
      language: means('Language of the project. `English (US)` without `project_id`.', z.string()),
      region: means('`keyword_region` of the project. `Worldwide` without `project_id`.', z.string()),
      country: means('Country of the numbers, two letters (ISO 3166-1). Null: all countries.', z.nullable(z.string())),
      cached: means('True: a result from the last seven days. No request was sent to the provider.', z.boolean()),
      note: means('Difference between the numbers and the request. Absent if there is none.', z.optional(z.string())),
      sandbox: means('Present if a stand-in for the provider made up the numbers.', z.optional(z.literal(true))),
    }),
  },
} satisfies AnswersOf<typeof keywordOperations>
