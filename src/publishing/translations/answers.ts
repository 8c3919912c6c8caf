import * as z from 'zod/mini'
import { translationsAnswer } from '../../content/articles/article-answer.ts'
import { type AnswersOf, articleId, body, means, message } from '../../platform/http/answers.ts'
import type { translationOperations } from './operations.ts'

const problem = z.strictObject({
  article_id: articleId(),
  message: means('Problem, in one sentence.', z.string()),
})

const link = z.strictObject({
  hreflang: means('BCP 47 code.', z.string()),
  href: means('Full URL of the page in that language.', z.string()),
})

/** Answers of the operations on translations. */
export const translationAnswers = {
  join: {
    200: body({
      status: means('`joined`: the article is in the group.', z.literal('joined')),
      article_id: articleId(),
      translation_of: means('The article that it was joined with.', articleId()),
      language: means('BCP 47 code of the article’s language.', z.string()),
      message: message(),
    }),
  },
  leave: {
    200: body({
      status: means('`left`: the article is in no group. `none`: it was in none.', z.enum(['left', 'none'])),
      article_id: articleId(),
      message: message(),
    }),
  },
  list: {
    200: body({
      article_id: articleId(),
      translations: means('All articles of the group, this one too. Empty if it is in none.', translationsAnswer),
      hreflang_pairs: means(
        'The check of the group.',
        z.strictObject({
          status: means(
            '`ok`: each language is there once, and each live page names itself and all others. `problems`: see `problems`. `not_live`: fewer than two of the articles are live, so no page was read.',
            z.enum(['ok', 'problems', 'not_live']),
          ),
          problems: means('Problems, by article.', z.array(problem)),
          expected: means(
            'Links that each live page must have, as `<link rel="alternate" hreflang href>`. The same for all pages.',
            z.array(link),
          ),
        }),
      ),
    }),
  },
} satisfies AnswersOf<typeof translationOperations>
