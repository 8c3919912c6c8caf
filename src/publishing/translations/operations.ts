import * as z from 'zod/mini'
import type { Operations } from '../../platform/http/operation.ts'
import { id, means } from '../../platform/lib/fields.ts'
import { tagOf } from '../../platform/lib/languages.ts'

/** Body of `POST /articles/:id/translation`. */
export const JoinTranslation = z.object({
  translation_of: means('ID of an article of the account about the same subject, in another language.', id()),
  language: means(
    'Language of the article: a BCP 47 code or one of the labels of projects.',
    z.optional(
      z.string().check(
        z.trim(),
        z.maxLength(100),
        z.refine((text) => tagOf(text) !== undefined, { error: 'must be a BCP 47 code, such as `de` or `pt-BR`' }),
      ),
    ),
    'the language of the adopted post, or else of the project',
  ),
})

export type JoinTranslationInput = z.infer<typeof JoinTranslation>

/** Operations on articles of one subject in several languages. */
export const translationOperations = {
  join: {
    id: 'articles.translation',
    method: 'POST',
    path: '/articles/:id/translation',
    perMinute: 30,
    scope: 'draft',
    summary: 'Joins an article with another one of the same subject in another language. Sends nothing.',
    json: JoinTranslation,
    errors: ['not_found', 'forbidden'],
  },
  leave: {
    id: 'articles.leave_translations',
    method: 'DELETE',
    path: '/articles/:id/translation',
    perMinute: 30,
    scope: 'draft',
    summary: 'Takes an article out of its group of translations. The article stays.',
    errors: ['not_found', 'forbidden'],
  },
  list: {
    id: 'articles.translations',
    method: 'GET',
    path: '/articles/:id/translations',
    perMinute: 10,
    typicalSeconds: 5,
    scope: 'read',
    summary:
      'Lists the translations of an article, and checks on the live pages that each names all others in `hreflang`.',
    errors: ['not_found', 'forbidden'],
  },
} as const satisfies Operations
