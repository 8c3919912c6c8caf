import * as z from 'zod/mini'
import { SOCIAL_PLATFORMS } from '../../../schema/values/social.ts'

/** Body of the writer Worker's step that writes posts. */
export const PostsRequest = z.object({
  article: z.object({ title: z.string(), description: z.string(), html: z.string() }),
  instructions: z.string(),
  language: z.string(),
  networks: z.array(
    z.object({ platform: z.enum(SOCIAL_PLATFORMS), name: z.string(), maxCharacters: z.int().check(z.gte(1)) }),
  ),
})

/** Its answer. */
export const PostsAnswer = z.union([
  z.object({ kind: z.literal('done'), value: z.record(z.string(), z.string().check(z.maxLength(100_000))) }),
  z.object({
    kind: z.literal('refused'),
    reason: z.string().check(z.maxLength(2_000)),
    retryable: z.boolean(),
    retryAfterS: z.optional(z.number().check(z.gte(0))),
  }),
  z.object({ kind: z.literal('none') }),
])
