import * as z from 'zod/mini'
import { SOCIAL_PLATFORMS, type SocialPlatform } from '../../../schema/values/social.ts'

/** Task of writing posts about an article, by the project's instructions. */
export type PostsTask = {
  article: { title: string; description: string; html: string }
  instructions: string
  language: string
  /** Networks to write for. `maxCharacters` is the room that each leaves beside the link. */
  networks: readonly { platform: SocialPlatform; name: string; maxCharacters: number }[]
}

/** Result of writing posts. `none`: no model is configured. */
type PostsWritten =
  | { kind: 'done'; value: Partial<Record<string, string>> }
  | { kind: 'refused'; reason: string; retryable: boolean; retryAfterS?: number | undefined }
  | { kind: 'none' }

/**
 * Writer of posts, by network. It uses only facts of the article and the instructions, and never throws a provider's failure.
 */
export type PostWriter = { posts: (task: PostsTask) => Promise<PostsWritten> }

/** Body of the writer Worker's step that writes posts. */
export const PostsRequest = z.object({
  article: z.object({ title: z.string(), description: z.string(), html: z.string() }),
  instructions: z.string(),
  language: z.string(),
  networks: z.array(
    z.object({ platform: z.enum(SOCIAL_PLATFORMS), name: z.string(), maxCharacters: z.int().check(z.gte(1)) }),
  ),
})

/** Answer of that step. */
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
