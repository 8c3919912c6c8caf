import * as z from 'zod/mini'
import {
  type GuideConfig,
  type MediaFile,
  SOCIAL_PLATFORMS,
  type SocialPlatform,
} from '../../../schema/values/social.ts'

/** Result of a call to another service, or the reason for its failure. `retryable`: the same call may succeed later. */
export type Got<T> =
  | { kind: 'got'; value: T }
  | { kind: 'refused'; reason: string; retryable: boolean; retryAfterS?: number; status?: number }

/** An account at the provider of all networks. `usable` is false while a person must connect it again. */
export type ProviderAccount = {
  platform: SocialPlatform
  id: string
  name: string
  username: string
  usable: boolean
}

/** A post to send. `key` is the same in every attempt, and in no other post. */
export type OutgoingPost = {
  key: string
  platform: SocialPlatform
  accountId: string
  text: string
  link: string | null
  media: readonly MediaFile[]
  options: Readonly<Record<string, unknown>>
  /** Time at which the post was requested. It cannot have gone out before. */
  askedAt: Date
  /** Id that the provider or network gave it in an earlier attempt. */
  remoteId: string | null
}

type Out = { kind: 'published'; remoteId: string; networkId?: string; url?: string; publishedAt?: Date }
type UnderWay = { kind: 'processing'; remoteId: string }
type Refused = { kind: 'refused'; reason: string; retryable: boolean; retryAfterS?: number; remoteId?: string }

/**
 * Outcome of one attempt.
 * - `published`: readers see it. `processing`: it was accepted, and only a look-up shows whether it is published or fails.
 * - `refused`: readers certainly do not see it.
 * - `unknown`: the request may have arrived, but no answer came. Nothing may be sent again before `find` was called.
 */
export type SendOutcome = Out | UnderWay | Refused | { kind: 'unknown'; reason: string }

/** Result of looking a post up. `unsure`: look it up again later. */
export type FindOutcome = Out | UnderWay | Refused | { kind: 'absent' } | { kind: 'unsure'; reason: string }

/** A rule that answers commenters, as the provider has it. */
export type GuideRule = { id: string; isActive: boolean; matches: boolean }

/** The post a rule is for. */
export type GuideTarget = {
  name: string
  profileId: string
  accountId: string
  platform: SocialPlatform
  networkId: string
}

/**
 * Client for rules that answer commenters. Each call is one attempt.
 *
 * `find` sees the effects of earlier calls, even if their answers were lost.
 */
export type GuideRules = {
  find: (target: GuideTarget, config: GuideConfig) => Promise<Got<GuideRule | undefined>>
  make: (target: GuideTarget, config: GuideConfig) => Promise<Got<string>>
  change: (id: string, config: GuideConfig) => Promise<Got<string>>
  stop: (id: string) => Promise<Got<string>>
}

/**
 * The provider of all networks. It returns failures as results and never throws them.
 *
 * Each project has a profile there, whose accounts belong to no other project.
 */
export type SocialProvider = {
  /** Returns the profile with this name, and makes it if there is none. */
  profile: (name: string) => Promise<Got<string>>
  accounts: (profileId: string) => Promise<Got<ProviderAccount[]>>
  /** Returns the address at which a person connects an account of the network to the profile. */
  connectUrl: (profileId: string, platform: SocialPlatform, returnTo: string) => Promise<Got<string>>
  send: (post: OutgoingPost) => Promise<SendOutcome>
  find: (post: OutgoingPost) => Promise<FindOutcome>
  guides: GuideRules
}

/** Tokens that a network gave in exchange for the credentials. */
export type Session = Readonly<Record<string, string>>

/** A direct account, with its secrets opened in memory only. */
export type DirectAccount = {
  remoteId: string
  username: string
  url: string
  secrets: Readonly<Record<string, string>>
  /** Returns the stored tokens. */
  session: () => Promise<Session | null>
  keepSession: (session: Session) => Promise<void>
  /** Disconnects the account for this reason, because the network no longer accepts the credentials. */
  end: (reason: string) => Promise<void>
}

/** A field of the body that proved to be wrong when it was used. */
export type Unfit = { kind: 'unfit'; field: string; code: 'forbidden_url' | 'invalid_input'; reason: string }

/** Result of connecting an account directly. */
export type Connected = {
  remoteId: string
  name: string
  username: string
  url: string
  secrets: Record<string, string>
  session: Session | null
  /** Person who gave the grant, if withdrawing it also ends the person's other grants. */
  grantSub?: string
}

/** A network that is called without the provider. It returns failures as results and never throws them. */
export type DirectNetwork = {
  /** Connects an account with credentials; absent if a person grants access in a browser. */
  credentials?: {
    /** Fields of the body besides `project_id` and `platform`. */
    fields: z.ZodMiniObject
    /** Connects the account, and proves the credentials by using them. */
    connect: (fields: Record<string, unknown>) => Promise<Got<Connected> | Unfit>
  }
  /** Returns the reason why the post cannot be published this way, as a sentence. */
  misfit?: (post: Pick<OutgoingPost, 'media'>) => string | undefined
  send: (account: DirectAccount, post: OutgoingPost) => Promise<SendOutcome>
  /** Looks a post up; absent if the network does not support that. */
  find?: (account: DirectAccount, post: OutgoingPost) => Promise<FindOutcome>
  /** Withdraws the grant, as far as the network supports that. */
  withdraw?: (secrets: Readonly<Record<string, string>>) => Promise<void>
}

/** A file that this service hosts. */
export type StoredFile = { name: string; size: number; open: () => Promise<AsyncIterable<Uint8Array>> }

/** Files of posts that this service hosts, by their addresses. They are sent from storage. */
export type StoredFiles = {
  has: (url: string) => boolean
  /** Returns a file; undefined if there is none. Throws if the storage does not answer. */
  look: (url: string) => Promise<StoredFile | undefined>
}

/** Clients of all networks. */
export type Social = {
  /** The provider; undefined if none is configured. */
  provider: SocialProvider | undefined
  direct: Readonly<Partial<Record<SocialPlatform, DirectNetwork>>>
}

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
