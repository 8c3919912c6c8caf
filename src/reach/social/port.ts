import type * as z from 'zod/mini'
import type { GuideConfig, MediaFile, SocialPlatform } from '../../../schema/values/social.ts'

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

/** A post as it goes out. `key` is the same in every attempt and in no other post. */
export type OutgoingPost = {
  key: string
  platform: SocialPlatform
  accountId: string
  text: string
  link: string | null
  media: readonly MediaFile[]
  options: Readonly<Record<string, unknown>>
  /** Time of the request for the post: nothing of it can be older. */
  askedAt: Date
  /** The id the provider or network gave it in an attempt before. */
  remoteId: string | null
}

type Out = { kind: 'published'; remoteId: string; networkId?: string; url?: string; publishedAt?: Date }
type UnderWay = { kind: 'processing'; remoteId: string }
type Refused = { kind: 'refused'; reason: string; retryable: boolean; retryAfterS?: number; remoteId?: string }

/**
 * The end of one attempt.
 * - `published`: readers see it. `processing`: it was taken and will be, or fail; only looking it up tells.
 * - `refused`: readers certainly do not see it.
 * - `unknown`: the request may have arrived, the answer did not. Nothing may be sent before `find` was asked.
 */
export type SendOutcome = Out | UnderWay | Refused | { kind: 'unknown'; reason: string }

/** The answer to "how does this post stand?". `unsure`: ask again later. */
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

/** Rules that answer commenters. Each call is one attempt; `find` sees what a call before it left, whatever was answered. */
export type GuideRules = {
  find: (target: GuideTarget, config: GuideConfig) => Promise<Got<GuideRule | undefined>>
  make: (target: GuideTarget, config: GuideConfig) => Promise<Got<string>>
  change: (id: string, config: GuideConfig) => Promise<Got<string>>
  stop: (id: string) => Promise<Got<string>>
}

/** The provider of all networks. Each project has a profile there; its accounts are no other project's. Never throws for what the provider does. */
export type SocialProvider = {
  /** The profile of this name; made if there is none. */
  profile: (name: string) => Promise<Got<string>>
  accounts: (profileId: string) => Promise<Got<ProviderAccount[]>>
  /** Returns the address at which a person connects an account of the network to the profile. */
  connectUrl: (profileId: string, platform: SocialPlatform, returnTo: string) => Promise<Got<string>>
  send: (post: OutgoingPost) => Promise<SendOutcome>
  find: (post: OutgoingPost) => Promise<FindOutcome>
  guides: GuideRules
}

/** Tokens a network gave in exchange for the credentials. */
export type Session = Readonly<Record<string, string>>

/** An account that is called directly, its secrets opened in memory only. */
export type DirectAccount = {
  remoteId: string
  username: string
  url: string
  secrets: Readonly<Record<string, string>>
  /** The tokens as they are kept now. */
  session: () => Promise<Session | null>
  keepSession: (session: Session) => Promise<void>
  /** The network no longer accepts the credentials for good: the account is disconnected, for this reason. */
  end: (reason: string) => Promise<void>
}

/** A field of the body that sending showed to be wrong. */
export type Unfit = { kind: 'unfit'; field: string; code: 'forbidden_url' | 'invalid_input'; reason: string }

/** Result of connecting an account directly. */
export type Connected = {
  remoteId: string
  name: string
  username: string
  url: string
  secrets: Record<string, string>
  session: Session | null
  /** Person of the grant, if withdrawing one grant ends every other of the same person. */
  grantSub?: string
}

/** A network that is called without the provider. Never throws for what the network does. */
export type DirectNetwork = {
  /** Connects an account with credentials; absent if a person grants access in a browser. */
  credentials?: {
    /** Fields of the body besides `project_id` and `platform`. */
    fields: z.ZodMiniObject
    /** Proves the credentials by using them. */
    connect: (fields: Record<string, unknown>) => Promise<Got<Connected> | Unfit>
  }
  /** Returns the reason for which the post cannot be published this way, as a sentence. */
  misfit?: (post: Pick<OutgoingPost, 'media'>) => string | undefined
  send: (account: DirectAccount, post: OutgoingPost) => Promise<SendOutcome>
  /** Absent where a network cannot be asked. */
  find?: (account: DirectAccount, post: OutgoingPost) => Promise<FindOutcome>
  /** Takes back what was granted, where the network knows how; as well as it can. */
  withdraw?: (secrets: Readonly<Record<string, string>>) => Promise<void>
}

/** A file that this service hosts. */
export type StoredFile = { name: string; size: number; open: () => Promise<AsyncIterable<Uint8Array>> }

/** Files of posts that this service hosts, by their addresses: they are sent on from where they are kept. */
export type StoredFiles = {
  has: (url: string) => boolean
  /** Undefined if there is none. Throws when the storage does not answer. */
  look: (url: string) => Promise<StoredFile | undefined>
}

/** Every way to the networks. */
export type Social = {
  /** Undefined if none is configured. */
  provider: SocialProvider | undefined
  direct: Readonly<Partial<Record<SocialPlatform, DirectNetwork>>>
}
