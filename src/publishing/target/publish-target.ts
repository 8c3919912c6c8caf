import type * as z from 'zod/mini'
import type { StoredFormat } from '../../../schema/values/adopted.ts'
import type { DeliveredArticle } from '../../../schema/values/delivered-article.ts'
import type { EventType } from '../../../schema/values/publishing.ts'
import type { AddedLink } from '../../content/seo/publication.ts'
import type { Spliced } from '../../content/stored/refusals.ts'
import type {
  CmsBuild,
  CmsField,
  CmsProposed,
  CmsPull,
  CmsResult,
  CmsSchema,
  CmsTraffic,
  CmsVersion,
} from './cms-adapter.ts'
import type { SentWords } from './sent-words.ts'
import type { PostRef, SitePostPage, StoredPost } from './site-posts.ts'

/** Request to a target. The same `key` means the same content, in every attempt. */
export type PublishRequest = {
  key: string
  event: EventType
  article: DeliveredArticle
  /** Short name of this installation, part of an article's marker at a CMS. */
  origin: string
  /** Address of the article's page here. */
  page?: string
  /** Number of times the article was detached from its post; part of its marker at a CMS. */
  generation: number
  /** Time at which this delivery was first sent, ISO 8601. */
  firstSentAt: string
  /** True for an update of a published post: if that is gone, no new post is made. */
  updateOnly: boolean
  /** True if the article is already published here. A CMS then keeps the status that its editors gave the post. */
  isChange: boolean
  /** True if the target accepted this text before. It may then answer that nothing changed. */
  isRepeat: boolean
  /** True if the post was at the site before the article: its text is changed in the site's own form. */
  isAdopted?: boolean
  /** The parts that changed; absent for all. A target that only accepts whole articles gets all of it. */
  only?: readonly CmsField[]
  /** True if the project's images are hosted at the CMS, and the HTML must point there. */
  hostImages: boolean
  /** Links to own pages that this publication adds to the text, for dry runs alone. Absent without any, and in a repeat. */
  addedLinks?: readonly AddedLink[]
}

/** Answer of a target, cleaned so that it can be stored and shown: no secrets, at most 2 KiB. */
export type TargetAnswer = { httpStatus?: number; excerpt?: string }

/**
 * Outcome of one attempt.
 * - `accepted`: the target has it. Id and URL are present if it returned them. `isHidden`: readers do not see it there.
 *   `isUnclear`: the answer has words of failure that may concern something else, so a person has to look.
 * - `held`: the target has the post, but a plugin or rule there keeps it from going live.
 * - `proposed`: the target has it in a pull request, at `url`, that people there merge or close.
 * - `refused`: the target certainly does not have it. `retryable`: a retry can help, after `retryAfterS`.
 *   `unreachable`: the host does not exist or accepts no connection.
 * - `unknown`: the request may have arrived, but no answer came. Ask `find` before anything is sent again.
 */
export type PublishOutcome = TargetAnswer &
  (
    | {
        kind: 'accepted'
        remoteId?: string
        url?: string
        notes?: readonly string[]
        isHidden?: true
        isUnclear?: true
        /** Settings that a connection test read from the site. */
        found?: Record<string, string>
      }
    | { kind: 'held'; remoteId: string; reason: string; notes?: readonly string[] }
    | { kind: 'proposed'; url: string; reason: string; notes?: readonly string[] }
    | {
        kind: 'refused'
        reason: string
        retryable: boolean
        retryAfterS?: number
        unreachable?: true
        /** True if the target may have part of the change. */
        wasWritten?: true
      }
    | { kind: 'unknown'; reason: string }
  )

/**
 * Outcome of one attempt to take a post down.
 * - `taken_down`: readers do not see it. It has the same slug and id. `siteStatus`: its status there, if it is no draft.
 * - `gone`: the target has no such post any more.
 * - `refused`, `unknown`: as for publishing. After `unknown` it may be sent again, because taking a post down twice
 *   does no harm.
 */
export type UnpublishOutcome = TargetAnswer &
  (
    | { kind: 'taken_down'; remoteId: string; siteStatus?: string; notes?: readonly string[] }
    | { kind: 'gone' }
    | { kind: 'proposed'; url: string; reason: string }
    | { kind: 'refused'; reason: string; retryable: boolean; retryAfterS?: number }
    | { kind: 'unknown'; reason: string }
  )

/**
 * Result of a look-up of a post.
 * - `found`: the target has it as it was sent.
 * - `absent`: it does not. With an id, the post exists in another state, and the next attempt changes it in place.
 * - `unsure`: the target cannot tell now; ask again later.
 */
export type FindOutcome =
  | { kind: 'found'; remoteId?: string; url?: string }
  | { kind: 'absent'; remoteId?: string }
  | { kind: 'unsure'; reason: string }

/** Result of a look-up of an update. `undecided`: the post is neither as the update left it, nor as it was before. */
export type UpdateSeen = FindOutcome | { kind: 'undecided' }

/** Functions with which an attempt stores data that must outlive it, before it continues. */
export type Keeping = {
  /**
   * Returns the text fields that were sent before: the last that arrived, then the last that may have arrived.
   *
   * `lately`: those of the last deliveries, newest first.
   */
  sentBefore: (which?: 'lately') => Promise<readonly SentWords[]>
  /** Stores the version that readers saw until now, so that it can be put back. The newest one is not stored twice. */
  version: (version: CmsVersion) => Promise<void>
  /** Deletes the version that this attempt stored, because nothing was changed. */
  dropVersion: () => Promise<void>
  /** Returns the images that the target hosts already: their addresses there, by their original address. */
  hostedImages: (urls: readonly string[]) => Promise<ReadonlyMap<string, string>>
  hosted: (url: string, hostedUrl: string) => Promise<void>
  /** True if the attempt has time left for work that the next one could do as well. */
  hasTime: () => boolean
  /**
   * Returns the HTTP status that a receiver answered to an update of a post that does not exist, or why it is not known. Asks it with
   * `ask` unless its answer is stored; `ask` returns null if the answer says nothing.
   */
  unknownPost?: (ask: () => Promise<number | null>) => Promise<number | 'no_answer' | 'being_asked'>
  /** Returns an adopted post's stored text with the smallest change that makes it show the article's HTML. */
  splice?: (stored: { format: StoredFormat; text: string }, html: string) => Promise<Spliced>
}

/** Events of a receiver check. */
export type CheckEvent = 'good' | 'duplicate' | 'reordered' | 'late' | 'forged'

/** Outcomes of the events of one check; an event that was not sent is absent. */
export type Rehearsal = Partial<Record<CheckEvent, PublishOutcome>>

/** Calls for the posts of a site. */
export type SitePosts = {
  list: (cursor: string | null) => Promise<CmsResult<SitePostPage>>
  read: (ref: PostRef) => Promise<CmsResult<StoredPost | null>>
}

/**
 * A place that articles are published to, made by the adapter of its platform.
 *
 * Each call is one attempt and never throws because of the target. Without `keeping` nothing is stored and no image is
 * hosted.
 */
export type PublishTarget = {
  deliver: (request: PublishRequest, keeping?: Keeping) => Promise<PublishOutcome>
  /** Replaces the live post of an article by a kept version. Absent if the platform cannot do that. */
  restore?: (request: PublishRequest, version: CmsVersion, keeping?: Keeping) => Promise<PublishOutcome>
  /**
   * Takes a published post down; it can be published again in the same place. Absent if the platform cannot do that.
   */
  unpublish?: (request: PublishRequest) => Promise<UnpublishOutcome>
  /** Looks for the post by idempotency key, remote id, then slug. Absent if the target cannot be asked (webhooks). */
  find?: (request: PublishRequest) => Promise<FindOutcome>
  /** Looks whether the post is exactly as a version. Present with `restore`. */
  hasVersion?: (remoteId: string, version: CmsVersion) => Promise<FindOutcome>
  /** Looks whether the post has the words of an update, or still those from before. Absent if the target cannot be asked. */
  hasUpdate?: (remoteId: string, request: PublishRequest, keeping: Keeping) => Promise<UpdateSeen>
  /** Returns the build of the site after the post's last change; undefined if it cannot be asked now. Absent without builds. */
  build?: (remoteId: string) => Promise<CmsBuild | undefined>
  /** Reads the newest pull request of the article's changes, and if it has a change: without one, the request's. Absent if changes are made at once. */
  pull?: (request: PublishRequest, change?: CmsProposed) => Promise<CmsResult<CmsPull>>
  /** Closes the article's open pull request with a comment, and returns it as it was before. Present with `pull`. */
  closePull?: (request: PublishRequest, comment: string) => Promise<CmsResult<CmsPull>>
  /** Reads the fields of the target's posts. Absent if they have none of their own. */
  schema?: () => Promise<CmsResult<CmsSchema>>
  /** Makes the site serve a key of IndexNow, and returns the file's address. Absent if the target cannot do that. */
  placeKey?: (key: string) => Promise<CmsResult<{ location: string }>>
  /** Reads the visits and crawls that the site counted on a day (UTC). Absent if no site of the platform counts them. */
  traffic?: (day: string) => Promise<CmsResult<CmsTraffic>>
  /** Lists and reads the posts that the target has, whoever wrote them. Absent if the platform cannot do that. */
  posts?: SitePosts
  /** Reads a post from its live page. Null: there is no page. Present for a receiver, which cannot be asked for its posts. */
  readPage?: (url: string) => Promise<CmsResult<StoredPost | null>>
  /** Tests address and secrets with a harmless request. A receiver may be sent a sample article, and has this time to answer. */
  probe: (options?: { sample?: boolean; timeoutMs?: number }) => Promise<PublishOutcome>
  /** Sends test events of every kind that a receiver must distinguish. Absent if the platform is not a receiver. */
  rehearse?: () => Promise<Rehearsal>
}

/** Connection of an adapter. `secrets` are opened, in memory only. */
export type Connection = { id: number; platform: string; url: string; secrets: Record<string, string> }

/** Returns the adapter of a connection's platform; undefined if there is none. */
export type TargetFactory = (connection: Connection) => PublishTarget | undefined

/** Form for connecting a platform: its own fields, and the connection made from them. */
export type ConnectionForm = {
  /** Fields of the body besides `platform` and `name`. */
  fields: z.ZodMiniType<Record<string, unknown>>
  /**
   * Returns the connection for validated fields.
   *
   * `url` is the address that calls go to, and `urlField` the field it came from; its host must be public. `name` is a
   * label for people. All values of `secrets` are texts; they are stored sealed.
   */
  connection: (fields: Record<string, unknown>) => {
    url: string
    urlField: string
    name: string
    secrets: Record<string, string>
  }
}

/** Connection forms by platform. */
export type ConnectionForms = Readonly<Record<string, ConnectionForm>>
