import * as z from 'zod/mini'
import { type AnswersOf, body, count, id } from '../../platform/http/answers.ts'
import type { writingOperations } from './operations.ts'

/** Answers of the operations on writing. */
export const writingAnswers = {
  generate: {
    202: body({
      article_id: id(),
      status: z.literal('generating'),
      keyword: z.string(),
      slug: z.string(),
      message: z.string(),
      article_credits_remaining: count(),
    }),
  },
} satisfies AnswersOf<typeof writingOperations>
