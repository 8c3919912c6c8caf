import * as z from 'zod/mini'

const text = z._default(z.nullable(z.optional(z.string())), null)

/** An id that comes as a text, or as the thing itself. */
const reference = z.union([z.string(), z.object({ _id: z.string() })])

export const Account = z.object({
  _id: z.string(),
  platform: z.string(),
  profileId: z.optional(reference),
  username: text,
  displayName: text,
  isActive: z._default(z.optional(z.boolean()), true),
  needsReconnection: z._default(z.optional(z.boolean()), false),
  enabled: z._default(z.optional(z.boolean()), true),
})

export const Accounts = z.object({ accounts: z.array(Account) })
export const Profiles = z.object({ profiles: z.array(z.object({ _id: z.string(), name: z.string() })) })
export const MadeProfile = z.object({ profile: z.object({ _id: z.string() }) })
export const ConnectUrl = z.object({ authUrl: z.url() })

const PlatformState = z.object({
  platform: z.string(),
  accountId: z.optional(reference),
  status: z.string(),
  platformPostId: text,
  platformPostUrl: text,
  publishedAt: text,
  errorMessage: text,
  errorCategory: text,
})

export const Post = z.object({
  _id: z.string(),
  status: z.string(),
  platforms: z.array(PlatformState),
  metadata: z._default(z.nullable(z.optional(z.record(z.string(), z.unknown()))), null),
  createdAt: text,
})

export const PostAnswer = z.object({ post: z.optional(Post), existingPost: z.optional(Post) })
export const Posts = z.object({ posts: z.array(Post) })
export const Conflict = z.object({ details: z.optional(z.object({ existingPostId: z.optional(z.string()) })) })
export const Fault = z.object({ error: z.optional(z.string()), code: z.optional(z.string()) })

export const Automation = z.object({
  id: z.optional(z.string()),
  _id: z.optional(z.string()),
  name: z._default(z.optional(z.string()), ''),
  isActive: z._default(z.optional(z.boolean()), false),
  accountId: z.optional(reference),
  platformPostId: text,
  keywords: z._default(z.optional(z.array(z.string())), []),
  dmMessage: text,
  commentReply: text,
})

export const Automations = z.object({ automations: z.array(Automation) })
export const MadeAutomation = z.object({ automation: Automation })

export type Post = z.infer<typeof Post>
export type Account = z.infer<typeof Account>
export type Automation = z.infer<typeof Automation>
