import type { SocialPlatform } from '../../../schema/values/social.ts'

/** An article that posts are to tell of, as the project wants it told. */
export type PostsTask = {
  article: { title: string; description: string; html: string }
  instructions: string
  language: string
  /** So many characters the network leaves beside the link. */
  networks: readonly { platform: SocialPlatform; name: string; maxCharacters: number }[]
}

/** Result of writing posts. `none`: no model is set up that could write. */
type PostsWritten =
  | { kind: 'done'; value: Partial<Record<string, string>> }
  | { kind: 'refused'; reason: string; retryable: boolean; retryAfterS?: number | undefined }
  | { kind: 'none' }

/** Writes the words of posts, by network; facts only of the article and the instructions. Never throws for what a provider does. */
export type PostWriter = { posts: (task: PostsTask) => Promise<PostsWritten> }
