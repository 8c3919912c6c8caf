import type { DeliveredArticle } from '../../../schema/values/delivered-article.ts'
import type { EventType } from '../../../schema/values/publishing.ts'
import { sha256 } from '../../platform/lib/crypto.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { DeliveryRow, PublishableRow } from '../read/queries.ts'
import type { PublishRequest } from '../target/publish-target.ts'
import { deliveryKey } from './rules.ts'

const payloadOf = (a: PublishableRow, markdown: string, live: boolean, now: Date): DeliveredArticle => ({
  id: String(a.id),
  title: a.title,
  slug: a.slug,
  ...(a.urlHere === null ? {} : { url: a.urlHere }),
  ...(a.remoteId === null ? {} : { external_id: a.remoteId }),
  content_html: a.content,
  content_markdown: markdown,
  meta_description: a.metaDescription,
  ...(live ? { published_at: (a.publishedAt ?? now).toISOString() } : {}),
  created_at: a.createdAt.toISOString(),
  updated_at: a.updatedAt.toISOString(),
  image_url: a.featureImage,
  alt_text: a.altText,
  tags: a.tags,
  category: a.category,
  author: a.author,
  ...(a.seoTitle === '' ? {} : { seo_title: a.seoTitle }),
  ...(a.canonicalUrl === '' ? {} : { canonical_url: a.canonicalUrl }),
  status: live ? 'Published' : 'Draft',
})

type Stored = Pick<DeliveryRow, 'idempotencyKey' | 'eventType' | 'createdAt'> & {
  payload: DeliveredArticle
  imageHosting: string | null
}

/**
 * Returns a delivery as it went out the first time. `updateOnly`: no new post may be made. `isChange`: its article is published, so
 * nothing goes live.
 */
export const storedRequest = async (
  d: Stored,
  { updateOnly, isChange, generation }: Pick<PublishRequest, 'updateOnly' | 'isChange' | 'generation'>,
  publicUrl: string,
): Promise<PublishRequest> => ({
  key: d.idempotencyKey,
  event: d.eventType,
  article: d.payload,
  origin: await originName(publicUrl),
  firstSentAt: d.createdAt.toISOString(),
  updateOnly,
  isChange,
  generation,
  hostImages: d.imageHosting === 'CMS',
})

/** Returns a short name of the installation at this public address. */
const originName = async (publicUrl: string): Promise<string> => (await sha256(publicUrl)).slice(0, 8)

/**
 * Returns the text that the key is made from.
 *
 * For a publication it is the content, so that the same content has the same key in every attempt. A live article is sent again
 * as often as its owner asks. Each time that is another delivery, until it has reached the target.
 */
const keyed = (a: PublishableRow, event: EventType, live: boolean, origin: string): string => {
  const again = a.generation > 0 ? ` post ${a.generation}` : ''
  const sent = `${origin} article ${a.id} ${event} ${a.revision} ${live ? 'live' : 'draft'}${again}`
  return a.status === 'Published' ? `${sent} after ${a.lastDelivered} by ${a.author}` : sent
}

/** Returns the article as it goes out now. */
export const snapshot = async (
  ctx: Pick<Ctx, 'settings' | 'toMarkdown'>,
  a: PublishableRow,
  live: boolean,
  now: Date,
): Promise<PublishRequest> => {
  const origin = ctx.settings.publicUrl
  const event = a.status === 'Published' || a.sentAsDraftAt ? 'update_articles' : 'publish_articles'
  const key = deliveryKey(await sha256(keyed(a, event, live, origin)))
  return {
    key,
    event,
    article: payloadOf(a, await ctx.toMarkdown(a.content), live, now),
    origin: await originName(origin),
    firstSentAt: now.toISOString(),
    updateOnly: a.status === 'Published',
    isChange: a.status === 'Published',
    generation: a.generation,
    hostImages: a.imageHosting === 'CMS',
  }
}
