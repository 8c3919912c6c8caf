import type * as z from 'zod/mini'
import type { DeliveredArticle } from '../../../schema/values/delivered-article.ts'
import type { EventType } from '../../../schema/values/publishing.ts'
import type { CmsField, CmsVersion } from './cms-adapter.ts'

/** One thing to put at a target: the same `key` means the same content, whatever the attempt. */
export type PublishRequest = {
  key: string
  event: EventType
  article: DeliveredArticle
  /** Short name of this installation, part of an article's mark at a CMS. */
  origin: string
  /** Number of times the article was detached from its post; part of its mark at a CMS. */
  generation: number
  /** Time at which this delivery was first sent, ISO 8601. */
  firstSentAt: string
  /** An update of a published post: no new post is made when it is gone. */
  updateOnly: boolean
  /** The article is published here already, so a CMS keeps the status that its editors gave the post. */
  isChange: boolean
  /** The parts that changed; absent: all. A target that takes whole articles only is sent all of it. */
  only?: readonly CmsField[]
  /** The project wants images at the CMS: the HTML is made to point there. */
  hostImages: boolean
}

/** Answer of a target, cleaned for storing and for passing on: never a secret, at most 2 KiB. */
export type TargetAnswer = { httpStatus?: number; excerpt?: string }

/**
 * The end of one attempt.
 * - `accepted`: the target has it; its id and public URL, where it told them. `isHidden`: readers do not see it there.
 * - `held`: the target has the post, but not live as was asked: a plugin or a rule there holds it back.
 * - `refused`: it certainly does not have it; `retryable` says whether trying again can help, `retryAfterS` when;
 *   `unreachable`: the host does not exist or takes no connection.
 * - `unknown`: the request may have arrived, the answer did not. Nothing may be sent before `find` has been asked.
 */
export type PublishOutcome = TargetAnswer &
  (
    | { kind: 'accepted'; remoteId?: string; url?: string; notes?: readonly string[]; isHidden?: true }
    | { kind: 'held'; remoteId: string; reason: string; notes?: readonly string[] }
    | { kind: 'refused'; reason: string; retryable: boolean; retryAfterS?: number; unreachable?: true }
    | { kind: 'unknown'; reason: string }
  )

/**
 * The end of one attempt to take a post down.
 * - `taken_down`: readers do not see it; it is a draft under the same slug and id.
 * - `gone`: the target has no such post any more.
 * - `refused`, `unknown`: as for publishing. After `unknown` it may be sent again: taking down twice does no harm.
 */
export type UnpublishOutcome = TargetAnswer &
  (
    | { kind: 'taken_down'; remoteId: string; notes?: readonly string[] }
    | { kind: 'gone' }
    | { kind: 'refused'; reason: string; retryable: boolean; retryAfterS?: number }
    | { kind: 'unknown'; reason: string }
  )

/**
 * The answer to "do you have this already?". `absent` with an id: the post is there, not yet as it was to be, and the next
 * attempt changes it in place. `unsure` means: ask again later.
 */
export type FindOutcome =
  | { kind: 'found'; remoteId?: string; url?: string }
  | { kind: 'absent'; remoteId?: string }
  | { kind: 'unsure'; reason: string }

/** Words of an article as an earlier delivery sent them. */
export type SentWords = Pick<
  DeliveredArticle,
  'title' | 'content_html' | 'meta_description' | 'tags' | 'category' | 'seo_title' | 'canonical_url'
>

/** Means by which an attempt keeps what has to outlive it, before it goes on. */
export type Keeping = {
  /**
   * Returns the words that were sent before: those that arrived last, then those that may have arrived. `lately`: those of the last
   * deliveries, the newest first.
   */
  sentBefore: (which?: 'lately') => Promise<readonly SentWords[]>
  /** Keeps what readers saw until now, so that it can be put back. */
  version: (version: CmsVersion) => Promise<void>
  /** Returns the images that the target hosts already: their addresses there by their address here. */
  hostedImages: (urls: readonly string[]) => Promise<ReadonlyMap<string, string>>
  hosted: (url: string, hostedUrl: string) => Promise<void>
  /** True if the attempt has time left for what can wait for the next one. */
  hasTime: () => boolean
}

/** Events of a receiver check. */
export type CheckEvent = 'good' | 'duplicate' | 'reordered' | 'late' | 'forged'

/** Ends of the events of one check, by event; absent for one that was not sent. */
export type Rehearsal = Partial<Record<CheckEvent, PublishOutcome>>

/** A place articles are published to. Without `keeping` nothing is kept and no image hosted. One adapter per platform; each call is one attempt and never throws for what the target does. */
export type PublishTarget = {
  deliver: (request: PublishRequest, keeping?: Keeping) => Promise<PublishOutcome>
  /** Puts a kept version back instead of what readers see. Absent where that cannot be done. */
  restore?: (remoteId: string, version: CmsVersion, keeping?: Keeping) => Promise<PublishOutcome>
  /** Takes a published post down, to be published again later in the same place. Absent where the platform has no way. */
  unpublish?: (request: PublishRequest) => Promise<UnpublishOutcome>
  /** Looks for the post by idempotency key, remote id, then slug. Absent where a target cannot be asked (webhooks). */
  find?: (request: PublishRequest) => Promise<FindOutcome>
  /** Sends or asks something harmless to prove that address and secrets work; a receiver may be sent a sample article. */
  probe: (options?: { sample?: boolean }) => Promise<PublishOutcome>
  /** Sends test events of every kind that a receiver has to tell apart. Absent where the platform is no receiver. */
  rehearse?: () => Promise<Rehearsal>
}

/** Everything an adapter needs to know of the connection. `secrets` is the opened JSON, in memory only. */
export type Connection = { id: number; platform: string; url: string; secrets: Record<string, string> }

/** Makes the adapter of a connection's platform; undefined when no adapter for it exists. */
export type TargetFactory = (connection: Connection) => PublishTarget | undefined

/** Form for connecting a platform: its own fields, and the connection made from them. */
export type ConnectionForm = {
  /** Fields of the body besides `platform` and `name`. */
  fields: z.ZodMiniType<Record<string, unknown>>
  /**
   * The connection of validated fields. `url` is the address calls go to, `urlField` the field it came from (its host must be
   * public), `name` a label for people. All values of `secrets` are texts; they are stored sealed.
   */
  connection: (fields: Record<string, unknown>) => {
    url: string
    urlField: string
    name: string
    secrets: Record<string, string>
  }
}

/** The form of each platform that can be connected. */
export type ConnectionForms = Readonly<Record<string, ConnectionForm>>
