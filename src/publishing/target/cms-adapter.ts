import * as z from 'zod/mini'
import type { StoredFormat } from '../../../schema/values/adopted.ts'
import type { OwnFields } from '../../../schema/values/own-fields.ts'
import type { TrafficKind } from '../../../schema/values/traffic.ts'
import type { SentWords } from './sent-words.ts'
import type { CmsPostStatus, PlainText, PostRef, SitePostPage, StoredPost } from './site-posts.ts'

/** Article as a CMS adapter receives it. */
export type CmsArticle = {
  /** Our id, the same for every version of one article. Adapters store it with the post if the CMS can keep it. */
  marker: string
  title: PlainText
  slug: string
  html: string
  /**
   * Text in the CMS’s own form that is sent instead of `html`: a post that the service did not make, with the smallest change.
   * `from` is the text that it was made of; if the post has another one now, the update refuses with `changed`.
   */
  stored?: { from: string; to: string }
  /** True for a post that was at the site before the article. */
  isAdopted?: true
  metaDescription: PlainText
  status: 'published' | 'draft'
  /** The post's date, ISO 8601 UTC; absent for drafts that have none. */
  publishedAt?: string
  /** `toHost`: the project's images are hosted at the CMS; set only for a CMS that hosts the feature image itself. */
  image?: { url: string; alt: PlainText; toHost?: true }
  tags: readonly PlainText[]
  category: PlainText
  /** The byline; empty leaves the CMS's default. */
  author: PlainText
  /** The title for search engines; absent: the title. */
  seoTitle?: PlainText
  /** The address that search engines should credit for this text, if that is another page. */
  canonicalUrl?: string
  /** Values of fields that only the CMS has, by their names there, as `schema` of the adapter lists them. */
  fields?: OwnFields
  /** Address of the article's page here, for the people at the CMS. */
  page?: string
}

/** Article that a change belongs to: its marker, and its page here. */
export type CmsOwner = Pick<CmsArticle, 'marker' | 'page'>

/** Current state of a post at the CMS. */
export type CmsPost = {
  remoteId: string
  slug: string
  title: PlainText
  status: CmsPostStatus
  /** The CMS's own status, if it is more precise: `private`, `pending`. */
  siteStatus?: string
  /** Public address; null if the post is not public or the CMS does not return it. */
  url: string | null
  /** Group that a published post is limited to, if not everybody may read it: `members`. */
  onlyFor?: string
  /** Our marker, if the CMS kept it. */
  marker: string | null
  /** ISO 8601; null if the CMS does not return it. */
  createdAt: string | null
  /** The CMS's time of the post's last change, in its own form; absent if it does not return it. */
  changedAt?: string
  /** Address of the pull request with the change. Until people merge it, the site does not have the change. */
  mergeAt?: string
}

export type CmsFailureCode =
  | 'auth_invalid'
  | 'auth_forbidden'
  | 'site_not_found'
  | 'blocked'
  | 'slug_taken'
  | 'validation'
  | 'conflict'
  | 'rate_limited'
  | 'unavailable'
  | 'cached'
  | 'changed'
  | 'plan_limit'
  | 'forbidden_url'
  | 'unexpected_answer'

/**
 * Typed failure of a call.
 * - `refused`: the CMS certainly did not do it. `reason` is one plain sentence that includes the CMS's cleaned message.
 * - `unknown`: a writing request may have arrived, but its answer did not (time-out, broken connection, 5xx on a
 *   write).
 */
export type CmsFailure =
  | {
      kind: 'refused'
      code: CmsFailureCode
      reason: string
      retryable: boolean
      retryAfterS?: number
      httpStatus?: number
      /** True if the host does not exist or accepts no connection. */
      unreachable?: true
      /** True if an earlier request of the same call changed something. */
      wasWritten?: true
      /** True if a page answered instead of the API. */
      isPage?: true
      /** Target of a redirect. */
      location?: string
    }
  | { kind: 'unknown'; reason: string; httpStatus?: number }

/** Result of a call. `notes` name what was left out or done differently, such as an image that could not be fetched. */
export type CmsResult<T> = { kind: 'done'; value: T; notes?: readonly string[] } | CmsFailure

/**
 * Result of a connection test. The result's `notes` name what the credentials cannot do. `found`: settings that were read
 * from the site. They are saved with the connection.
 */
export type CmsSite = { name: string; url: string | null; found?: Record<string, string> }

/**
 * Build of the site after a post's last change, at a CMS whose site is built from its posts. `none`: no build was seen. `url`: its
 * log or its preview.
 */
export type CmsBuild = { state: 'none' | 'waiting' | 'built' | 'failed'; url: string | null }

/**
 * Newest pull request of an article's changes. `said`: comments of people. `isCurrent`: its newest commit has the change that
 * was asked for.
 */
export type CmsPull = {
  state: 'none' | 'open' | 'merged' | 'closed'
  url: string | null
  said: string
  isCurrent: boolean
}

/**
 * Text fields of a post as the CMS has them, without markup. People there may have edited them.
 *
 * A field is absent if the CMS does not return it or no update overwrites it.
 */
export type CmsWords = {
  title?: PlainText
  text?: PlainText
  metaDescription?: PlainText
  seoTitle?: PlainText
  canonicalUrl?: string
  /** Names. If the CMS has no categories, the category is included. */
  tags?: readonly PlainText[]
  /** Names, if the CMS has categories besides tags and keeps them for an article without one. */
  categories?: readonly PlainText[]
  /** True if the CMS converts texts to its own format, so that they come back with small differences. */
  isConverted?: true
  /** True if sending an article without tags keeps the post's tags. */
  keepsTags?: true
  /** True if an update keeps what people wrote and changes only the rest. A rollback still replaces it. */
  isMerged?: true
}

/**
 * Version of a post, kept before a live change so that it can be put back. The JSON is the adapter's own. `words`,
 * `stored` and `changedAt`, as in `CmsPost`, are not stored.
 *
 * `stored`: the text in the CMS's own form. Absent if the CMS does not change it in parts.
 */
export type CmsVersion = Record<string, unknown> & {
  words?: CmsWords
  stored?: { format: StoredFormat; text: string }
  changedAt?: string
}

export type CmsQuery = {
  marker: string
  remoteId?: string
  slug: string
  title: string
  /**
   * Set if an attempt's answer was lost. The post may have been made since this time (ISO 8601) and not be searchable
   * yet.
   */
  maybeMadeSince?: string
  /** True to also read the post's current content, if one request can return both. */
  withVersion?: boolean
}

/**
 * Kinds of values that a field of a CMS takes.
 * - `html`: HTML, which is stored in the field's own format
 * - `moment`: an instant; `local`: date and time without a zone; `date`: a day
 * - `list`: texts; `choices`: several of the field's choices
 * - `other`: values that the service does not send, such as relations
 */
export const FIELD_TYPES = [
  'text',
  'html',
  'integer',
  'number',
  'boolean',
  'moment',
  'local',
  'date',
  'list',
  'choices',
  'url',
  'email',
  'other',
] as const
export type FieldType = (typeof FIELD_TYPES)[number]

/**
 * Field of the posts at a CMS. `filledBy`: the part of the article that fills it. `isRequired`: the CMS refuses a post without it.
 * `choices`: the only values that it takes.
 */
export type CmsSchemaField = {
  name: string
  /** Name for people, if it differs. */
  label?: string
  type: FieldType
  /** The CMS's own word for the type. */
  nativeType: string
  isRequired: boolean
  filledBy?: string
  maxLength?: number
  min?: number
  max?: number
  choices?: readonly string[]
}

/** Number of visits or requests that a site counted for a post. `name`: the assistant or the agent. */
type CmsCount = { postId: string; kind: TrafficKind; name: string; count: number }

/**
 * Visits and crawls that a site counted on a day. `since`: first day that it counts from its beginning; null if it does not count.
 * `isCounted`: it counted the whole day, so what is not in `counts` is zero.
 */
export type CmsTraffic = { since: string | null; isCounted: boolean; counts: readonly CmsCount[] }

/** Fields of the posts at a CMS. `collection`: the collection, blog or type that has the posts. */
export type CmsSchema = { collection: string; fields: readonly CmsSchemaField[] }

/** A post that was found, how it was matched, and its current content if that was returned too. */
export type CmsFound = CmsPost & { matchedBy: 'remote_id' | 'marker' | 'slug'; version?: CmsVersion }

/** The parts of an article that an update can send alone. */
export const CMS_FIELDS = [
  'title',
  'html',
  'metaDescription',
  'image',
  'tags',
  'category',
  'author',
  'seoTitle',
  'canonicalUrl',
  'fields',
] as const
export type CmsField = (typeof CMS_FIELDS)[number]

/**
 * Purpose of an update.
 * - `complete`: a publication. The post gets the article's status and date.
 * - `change`: the article is already published here. Neither status nor date is sent, so the post keeps its own.
 * `only`: the parts that are sent besides; absent for all. `before`: the texts that arrived last, for an adapter that
 * merges.
 */
export type CmsUpdate = { intent: 'complete' | 'change'; only?: readonly CmsField[]; before?: SentWords }

/** Change that a pull request may have: an update, a kept version that is put back, or a take-down. */
export type CmsProposed = CmsUpdate | { intent: 'restore'; version: CmsVersion } | { intent: 'take_down' }

/**
 * Adapter of a content management system. Each call is one attempt and never throws because of the CMS.
 *
 * Callers decide about retries. An adapter repeats a write only after an answer that proves that nothing was done.
 */
export type Cms = {
  /** Tests address and credentials; changes nothing. */
  probe: () => Promise<CmsResult<CmsSite>>
  /**
   * Finds an article's post by remote id, else by marker, else by slug. Null means that it certainly does not exist.
   * Drafts count, trash does not.
   */
  find: (query: CmsQuery) => Promise<CmsResult<CmsFound | null>>
  /**
   * Makes a new post, live or as a draft. If the slug is taken, refuses with `slug_taken` and never uses another slug.
   */
  create: (article: CmsArticle) => Promise<CmsResult<CmsPost>>
  /**
   * Changes the post in place; its slug stays. Without `update` the purpose is `complete`. Null: the post is gone.
   *
   * `seenAt`: the time of change of the version that was read. A CMS that knows these times refuses with `changed` if
   * the post has another one, so that no words are replaced unread.
   */
  update: (
    remoteId: string,
    article: CmsArticle,
    update?: CmsUpdate,
    seenAt?: string,
  ) => Promise<CmsResult<CmsPost | null>>
  /**
   * Makes the post a draft with the same slug and id, so that `update` publishes the same post again.
   *
   * The article is for a CMS that only accepts whole posts. Null: the post is gone. Absent if the CMS cannot do that.
   */
  unpublish?: (remoteId: string, article: CmsArticle) => Promise<CmsResult<CmsPost | null>>
  /**
   * Reads the post's current content, so that it can be put back. Null: the post is gone. Absent if the CMS cannot
   * return it.
   */
  read?: (remoteId: string) => Promise<CmsResult<CmsVersion | null>>
  /**
   * Looks whether the post has an update whose answer was lost. Null: the post is gone. Present for an adapter that merges
   * an update with what people wrote. Others compare the words of `read`.
   */
  hasUpdate?: (remoteId: string, article: CmsArticle, update: CmsUpdate) => Promise<CmsResult<boolean | null>>
  /** Returns the build of the site after the post's last change. Absent if the site shows posts by itself. */
  build?: (remoteId: string) => Promise<CmsResult<CmsBuild>>
  /** Reads the newest pull request of an article's changes. Absent if changes are made at once. */
  pull?: (article: CmsArticle, change?: CmsProposed) => Promise<CmsResult<CmsPull>>
  /** Closes the open pull request of an article with a comment. Returns it as it was before. Present with `pull`. */
  closePull?: (marker: string, comment: string) => Promise<CmsResult<CmsPull>>
  /** Reads the fields of the CMS's posts. Absent if the posts have no fields of their own that an API sets. */
  schema?: () => Promise<CmsResult<CmsSchema>>
  /** Reads the visits and crawls that the site counted on a day (UTC). Absent if no site of the platform counts them. */
  traffic?: (day: string) => Promise<CmsResult<CmsTraffic>>
  /** Lists one page of the site's posts, its own ones included. Trash is not listed. Absent if the CMS cannot list posts. */
  listPosts?: (cursor: string | null) => Promise<CmsResult<SitePostPage>>
  /** Reads a post that somebody wrote at the site. Null: there is no such post. Present with `listPosts`. */
  readPost?: (ref: PostRef) => Promise<CmsResult<StoredPost | null>>
  /**
   * Puts a kept version back in place; `seenAt` as for `update`. Null: the post is gone. Absent if the CMS cannot do that.
   *
   * `of`: the article, for a CMS that keeps it with each change.
   */
  restore?: (
    remoteId: string,
    version: CmsVersion,
    of?: CmsOwner,
    seenAt?: string,
  ) => Promise<CmsResult<CmsPost | null>>
  /**
   * Deletes a post for good. Only the connection check uses it, for posts it made itself; publishing cannot call it.
   */
  discard?: (remoteId: string) => Promise<boolean>
  /**
   * True if the CMS copies every image of a post. Images are then always hosted first, so that each is copied only
   * once.
   */
  importsImages?: true
  /**
   * True if the CMS shows the feature image from its given address. If images are hosted at the CMS, this one is too.
   */
  linksCover?: true
  /**
   * Makes the site serve a key of IndexNow as `<key>.txt`, and returns the file's address. Absent if the CMS cannot do that.
   */
  placeKey?: (key: string) => Promise<CmsResult<{ location: string }>>
  /** Hosts an image at the CMS and returns its public address there. Absent if the CMS links images by address. */
  hostImage?: (image: { url: string; alt: string }) => Promise<CmsResult<string>>
}

/** CMS calls that change something. */
export const CMS_WRITES = ['create', 'update', 'restore', 'unpublish', 'closePull', 'hostImage', 'placeKey'] as const
const CMS_METHODS = [
  ...CMS_WRITES,
  'probe',
  'find',
  'read',
  'hasUpdate',
  'build',
  'pull',
  'schema',
  'traffic',
  'listPosts',
  'readPost',
] as const
export type CmsMethod = (typeof CMS_METHODS)[number]

/** CMS call that publishing Workers send to the Worker with the adapters. */
export const CmsCallBody = z.object({
  connection: z.object({
    id: z.number(),
    platform: z.string(),
    url: z.string(),
    secrets: z.record(z.string(), z.string()),
  }),
  method: z.enum(CMS_METHODS),
  args: z.array(z.unknown()),
})

/** Runs a CMS call; returns undefined if the adapter does not have it. Never throws because of an adapter. */
export type RunCmsCall = (call: z.infer<typeof CmsCallBody>) => Promise<CmsResult<unknown> | undefined>
