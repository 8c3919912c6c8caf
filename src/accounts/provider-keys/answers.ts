import * as z from 'zod/mini'
import { KEY_PROVIDERS } from '../../../schema/values/keywords.ts'
import { type AnswersOf, body, count, instant, means, message, selfExplanatory } from '../../platform/http/answers.ts'
import type { providerKeyOperations } from './operations.ts'

const key = z.strictObject({
  provider: means('Provider, the `:provider` in paths.', z.enum(KEY_PROVIDERS)),
  login: means('Login saved with `dataforseo`. Null with `ahrefs`.', z.nullable(z.string())),
  masked: means(
    '`****` and the last four characters of the secret. Only `****` if it is shorter than eight.',
    z.string(),
  ),
  status: means(
    '`rejected`: the provider refused the key in a search. The next accepted search or key sets `accepted`.',
    z.enum(['accepted', 'rejected']),
  ),
  last_error: means(
    'Message of the provider that rejected the key. Null while it is `accepted`.',
    z.nullable(z.string()),
  ),
  checked_at: means('Time when the key was saved, or later rejected or accepted again.', instant()),
  saved_at: means('Time when this key was saved.', instant()),
})

/** Answers of the operations on provider keys. */
export const providerKeyAnswers = {
  list: {
    200: body({
      provider_keys: means('Keys sorted by provider name, at most one per provider.', z.array(key)),
      count: means('Number of rows in this response.', count()),
    }),
  },
  save: {
    200: body({
      provider: means('Provider, the `:provider` in paths.', z.enum(KEY_PROVIDERS)),
      status: selfExplanatory(z.literal('saved')),
      masked: means(
        '`****` and the last four characters of the secret. Only `****` if it is shorter than eight.',
        z.string(),
      ),
      replaced: means('True if an earlier key of this provider was replaced.', z.boolean()),
      message: message(),
      warning: means(
        'Present if the key is valid but its account has nothing left for searches.',
        z.optional(z.string()),
      ),
      sandbox: means('Present if a stand-in for the provider checked the key.', z.optional(z.literal(true))),
    }),
  },
  remove: {
    200: body({
      provider: means('Provider, the `:provider` in paths.', z.enum(KEY_PROVIDERS)),
      deleted: selfExplanatory(z.literal(true)),
      message: message(),
    }),
  },
} satisfies AnswersOf<typeof providerKeyOperations>
