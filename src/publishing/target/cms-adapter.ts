import * as z from 'zod/mini'

/** One article as a CMS adapter gets it. */
export type CmsArticle = {
  /** Ours, the same for every version of one article: adapters store it with the post where the CMS can keep it. */
  marker: string
  title: string
  slug: string
  html: string
  metaDescription: string
  status: 'published' | 'draft'
  /** The post's date, ISO 8601 UTC; absent for drafts that have none. */
  publishedAt?: string
  /** `toHost`: the project wants images at the CMS; for one that hosts the feature image by itself. */
  image?: { url: string; alt: string; toHost?: true }
  tags: readonly string[]
  category: string
  /** The byline; empty leaves the CMS's default. */
  author: string
  /** The title for search engines; absent: the title. */
  seoTitle?: string
  /** The address search engines are to count this text for, where that is another page. */
  canonicalUrl?: string
}

export type CmsPostStatus = 'published' | 'draft' | 'scheduled' | 'trashed'

/** A post as the CMS has it now. */
export type CmsPost = {
  remoteId: string
  slug: string
  title: string
  status: CmsPostStatus
  /** The CMS's own word for the status, where it says more: `private`, `pending`. */
  siteStatus?: string
  /** Address for readers; null while it is no public page or the CMS does not tell. */
  url: string | null
  /** The readers a published post is kept for, where not everybody may read it: `members`. */
  onlyFor?: string
  /** Our marker where the CMS kept it. */
  marker: string | null
  /** ISO 8601; null where the CMS does not tell. */
  createdAt: string | null
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
  | 'plan_limit'
  | 'forbidden_url'
  | 'unexpected_answer'

/**
 * A call that did not succeed, made typed where it is understood.
 * - `refused`: the CMS certainly did not do it; `reason` is one plain sentence with the provider's own words cleaned in.
 * - `unknown`: a writing request may have arrived, its answer did not (time-out, broken connection, 5xx on a write).
 */
export type CmsFailure =
  | {
      kind: 'refused'
      code: CmsFailureCode
      reason: string
      retryable: boolean
      retryAfterS?: number
      httpStatus?: number
      /** The host does not exist or takes no connection. */
      unreachable?: true
      /** Target of a redirect. */
      location?: string
    }
  | { kind: 'unknown'; reason: string; httpStatus?: number }

/** `notes` say what was left out or done otherwise: an image that could not be fetched, a category that cannot be made. */
export type CmsResult<T> = { kind: 'done'; value: T; notes?: readonly string[] } | CmsFailure

/** Result of a connection test; `notes` of the result say what the credentials cannot do. */
export type CmsSite = { name: string; url: string | null }

/**
 * Words of a post as the CMS holds them, without markup: what people there may have written. Absent: the CMS does not tell, or no
 * update writes over it.
 */
export type CmsWords = {
  title?: string
  text?: string
  metaDescription?: string
  seoTitle?: string
  canonicalUrl?: string
  /** Names; of a CMS that keeps no categories, those too. */
  tags?: readonly string[]
  /** Names, of a CMS that keeps categories apart from tags and leaves them where the article has none. */
  categories?: readonly string[]
  /** True if the CMS keeps texts in a form of its own, so that they come back with small differences. */
  isConverted?: true
  /** True if an article without tags leaves the tags of the post. */
  keepsTags?: true
}

/** A remote version kept before a live change, so that it can be put back; the adapter's own JSON. `words` are not kept. */
export type CmsVersion = Record<string, unknown> & { words?: CmsWords }

export type CmsQuery = {
  marker: string
  remoteId?: string
  slug: string
  title: string
  /** Set when an attempt's answer was lost: the post may have been made since then, ISO 8601, and not be searchable yet. */
  maybeMadeSince?: string
  /** The post's present content is wanted with it, where one question can bring both. */
  withVersion?: boolean
}

/** A post that was found, by what, and its present content where that came along. */
export type CmsFound = CmsPost & { matchedBy: 'remote_id' | 'marker' | 'slug'; version?: CmsVersion }

/** The parts of an article that an update can send alone. */
export type CmsField =
  | 'title'
  | 'html'
  | 'metaDescription'
  | 'image'
  | 'tags'
  | 'category'
  | 'author'
  | 'seoTitle'
  | 'canonicalUrl'

/**
 * Purpose of an update.
 * - `complete`: a first publication. The post takes the status and the date of the article.
 * - `change`: the article is published here already. No status and no date is sent, whatever status the post has there.
 *   `only`: the parts that changed; absent: all of them.
 */
export type CmsUpdate = { intent: 'complete' } | { intent: 'change'; only?: readonly CmsField[] }

/**
 * A content management system that can be asked. Each call is one attempt and never throws for what the CMS does. Retrying
 * is decided above: an adapter repeats nothing that writes, except after an answer that says nothing was done.
 */
export type Cms = {
  /** Proves address and credentials; changes nothing. */
  probe: () => Promise<CmsResult<CmsSite>>
  /** The post of an article: by remote id, else by marker, else by slug. Null: certainly not there. Drafts count, trash does not. */
  find: (query: CmsQuery) => Promise<CmsResult<CmsFound | null>>
  /** Makes a new post, live or as a draft. A slug that is taken is `refused` with `slug_taken`, never a post under another slug. */
  create: (article: CmsArticle) => Promise<CmsResult<CmsPost>>
  /** Changes the post in place; its slug stays. Without `update` it is completed. Null: it is gone. */
  update: (remoteId: string, article: CmsArticle, update?: CmsUpdate) => Promise<CmsResult<CmsPost | null>>
  /**
   * Takes the post down: a draft again, under its slug and id, so that `update` publishes the same post. The article is for a CMS
   * that takes whole posts only. Null: it is gone. Absent where the CMS has no way.
   */
  unpublish?: (remoteId: string, article: CmsArticle) => Promise<CmsResult<CmsPost | null>>
  /** The post's present content and fields, for putting back. Null: it is gone. Absent where the CMS cannot tell. */
  read?: (remoteId: string) => Promise<CmsResult<CmsVersion | null>>
  /** Puts a kept version back in place. Null: the post is gone. */
  restore?: (remoteId: string, version: CmsVersion) => Promise<CmsResult<CmsPost | null>>
  /** Takes a post away for good. Only the check of a connection does that, with what it made; publishing cannot call it. */
  discard?: (remoteId: string) => Promise<boolean>
  /** Every image of a post is made the CMS's own: they are hosted whatever the project says, so that each is taken in once. */
  importsImages?: true
  /** The feature image is shown from the address it is given: where images are to be at the CMS, it is hosted like those of the text. */
  linksCover?: true
  /** Hosts an image at the CMS; its public address there. Absent where the CMS links images by address. */
  hostImage?: (image: { url: string; alt: string }) => Promise<CmsResult<string>>
}

/** Calls of the CMS port; those that change something first. */
export const CMS_WRITES = ['create', 'update', 'restore', 'unpublish', 'hostImage'] as const
const CMS_METHODS = [...CMS_WRITES, 'probe', 'find', 'read'] as const
export type CmsMethod = (typeof CMS_METHODS)[number]

/** One call of a CMS as the Workers that publish hand it to the Worker that holds the adapters. */
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

/** Runs a call of a CMS; undefined where its adapter has none of that name. Never throws for what an adapter does. */
export type RunCmsCall = (call: z.infer<typeof CmsCallBody>) => Promise<CmsResult<unknown> | undefined>
