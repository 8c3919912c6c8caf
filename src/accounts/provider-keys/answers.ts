import * as z from 'zod/mini'
import { KEY_PROVIDERS } from '../../../schema/values/keywords.ts'
import { type AnswersOf, body, count, instant } from '../../platform/http/answers.ts'
import type { providerKeyOperations } from './operations.ts'

const key = z.strictObject({
  provider: z.enum(KEY_PROVIDERS),
  login: z.nullable(z.string()),
  masked: z.string(),
  status: z.enum(['accepted', 'rejected']),
  last_error: z.nullable(z.string()),
  checked_at: instant(),
  saved_at: instant(),
})

/** Answers of the operations on provider keys. */
export const providerKeyAnswers = {
  list: { 200: body({ provider_keys: z.array(key), count: count() }) },
  save: {
    200: body({
      provider: z.enum(KEY_PROVIDERS),
      status: z.literal('saved'),
      masked: z.string(),
      replaced: z.boolean(),
      message: z.string(),
      warning: z.optional(z.string()),
      sandbox: z.optional(z.literal(true)),
    }),
  },
  remove: { 200: body({ provider: z.enum(KEY_PROVIDERS), deleted: z.literal(true), message: z.string() }) },
} satisfies AnswersOf<typeof providerKeyOperations>
