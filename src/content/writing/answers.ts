import * as z from 'zod/mini'
import { type AnswersOf, articleId, body, count, means, message } from '../../platform/http/answers.ts'
import type { writingOperations } from './operations.ts'

/** Answers of the operations on writing. */
export const writingAnswers = {
  generate: {
    202: body({
      article_id: articleId(),
      status: means(
        'The writer is working on the article. See `Progress` of `GET /articles/:id`.',
        z.literal('generating'),
      ),
      keyword: means('Search term that the article targets.', z.string()),
      slug: means('Last part of the article’s URL: the slug you sent, otherwise made from the keyword.', z.string()),
      message: message(),
      article_credits_remaining: means('Article credits left in the account after this one.', count()),
    }),
  },
} satisfies AnswersOf<typeof writingOperations>
