import { and, eq } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import type { DeliveredArticle, SentArticle } from '../../../schema/values/delivered-article.ts'
import type { EventType } from '../../../schema/values/publishing.ts'
import { judgementChanges } from '../../content/articles/assess.ts'
import { statusAllows } from '../../content/articles/parts.ts'
import type { ArticleChanges } from '../../content/articles/writes.ts'
import { withoutHidden } from '../../content/html/shown.ts'
import type { AddedLink, PublicationFound, Unpublished } from '../../content/seo/publication.ts'
import { optimise } from '../../content/seo/work.ts'
import { sha256 } from '../../platform/lib/crypto.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { DeliveryRow, Publishable, PublishableRow } from '../queries.ts'
import { siteOf } from '../remote.ts'
import { withMarkdown } from '../sent.ts'
import type { PublishRequest, PublishTarget } from '../target/publish-target.ts'
import { deliveryKey } from './rules.ts'

/** Returns the article's payload as targets receive it. */
const payloadOf = (a: PublishableRow, markdown: string, live: boolean, now: Date): DeliveredArticle => ({
  id: String(a.id),
  title: a.title,
  slug: a.slug,
  ...(a.urlHere === null ? {} : { url: a.urlHere }),
  ...(a.remoteId === null ? {} : { external_id: a.remoteId }),
  content_html: withoutHidden(a.content),
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
  ...(Object.keys(a.fields).length === 0 ? {} : { fields: a.fields }),
  status: live ? 'Published' : 'Draft',
})

type Stored = Pick<DeliveryRow, 'idempotencyKey' | 'eventType' | 'createdAt' | 'projectId' | 'articleId'> & {
  payload: SentArticle
  imageHosting: string | null
}

/** Returns the address of an article's page. */
const pageOf = ({ settings }: Pick<Ctx, 'settings'>, projectId: number, articleId: number): string =>
  `${settings.publicUrl}/p/${projectId}/articles/${articleId}`

/** Returns the request that a stored delivery was sent with. `given`: what the article's state says of it now. */
export const storedRequest = async (
  d: Stored,
  given: Pick<PublishRequest, 'updateOnly' | 'isChange' | 'isRepeat' | 'generation' | 'only'> & { isAdopted: boolean },
  ctx: Pick<Ctx, 'settings' | 'toMarkdown'>,
): Promise<PublishRequest> => ({
  key: d.idempotencyKey,
  event: d.eventType,
  article: await withMarkdown(ctx, d.payload),
  origin: await originName(ctx.settings.publicUrl),
  ...(d.articleId === null ? {} : { page: pageOf(ctx, d.projectId, d.articleId) }),
  firstSentAt: d.createdAt.toISOString(),
  ...given,
  hostImages: d.imageHosting === 'CMS',
})

/** Returns a short name for the installation at a public URL. */
const originName = async (publicUrl: string): Promise<string> => (await sha256(publicUrl)).slice(0, 8)

/**
 * Returns the text that the delivery key is hashed from.
 *
 * A publication's text names the content, so the same content has the same key in every attempt. A live article can be
 * sent again at any time. Each time is a new delivery, so its text also names the author and the last delivery that
 * reached the target.
 */
const keyed = (a: PublishableRow, event: EventType, live: boolean, origin: string): string => {
  const again = a.generation > 0 ? ` post ${a.generation}` : ''
  const sent = `${origin} article ${a.id} ${event} ${a.revision} ${live ? 'live' : 'draft'}${again}`
  return a.status === 'Published' ? `${sent} after ${a.lastDelivered} by ${a.author}` : sent
}

/** Returns the parts that a publication sends: of an adopted post none, so that its state changes and its text stays. */
export const stateAlone = ({
  origin,
  status,
}: Pick<PublishableRow, 'origin' | 'status'>): Pick<PublishRequest, 'only'> =>
  origin === 'adopted' && status !== 'Published' ? { only: [] } : {}

/** Returns the request for the article's current content. */
export const snapshot = async (
  ctx: Pick<Ctx, 'settings' | 'toMarkdown'>,
  a: PublishableRow,
  live: boolean,
  now: Date,
  isRepeat = false,
): Promise<PublishRequest> => {
  const origin = ctx.settings.publicUrl
  const event = a.status === 'Published' || a.sentAsDraftAt ? 'update_articles' : 'publish_articles'
  const key = deliveryKey(await sha256(keyed(a, event, live, origin)))
  return {
    key,
    event,
    article: payloadOf(a, await ctx.toMarkdown(a.content), live, now),
    origin: await originName(origin),
    page: pageOf(ctx, a.projectId, a.id),
    firstSentAt: now.toISOString(),
    updateOnly: a.status === 'Published' || a.origin === 'adopted',
    isChange: a.status === 'Published',
    isRepeat,
    isAdopted: a.origin === 'adopted',
    ...stateAlone(a),
    generation: a.generation,
    hostImages: a.imageHosting === 'CMS',
  }
}

/**
 * An article as it will be sent, the changes that the claim saves (undefined if it is sent as stored), and the links to own pages
 * among them.
 */
export type Prepared = { article: PublishableRow; changes: ArticleChanges | undefined; links: readonly AddedLink[] }

const unpublished = ({ mainKeyword, ...article }: PublishableRow): Unpublished => ({
  keyword: mainKeyword,
  title: article.title,
  slug: article.slug,
  metaDescription: article.metaDescription,
  featureImage: article.featureImage,
  articleStyle: article.articleStyle,
  content: article.content,
  url: article.url,
  seo: article.seo,
})

/**
 * Optimises an article that no agent claimed, as its next revision. `find` reads the data for this, only if it is
 * needed.
 *
 * Content that was sent before (`isSent`) stays as it is: a second publication must have the same content and key.
 */
export const prepareArticle = async (
  { texts, now }: Pick<Ctx, 'texts' | 'now'>,
  article: PublishableRow,
  find: () => Promise<PublicationFound>,
  isSent: boolean,
): Promise<Prepared> => {
  if (isSent || article.claimedAt !== null || article.origin === 'adopted')
    return { article, changes: undefined, links: [] }
  const made = await optimise(texts, await find(), unpublished(article))
  if (!made) return { article, changes: undefined, links: [] }
  const { content, metaDescription, judgement, links } = made
  const saved = { content, metaDescription, revision: article.revision + 1, updatedAt: now() }
  return { article: { ...article, ...saved }, changes: { ...saved, ...judgementChanges(judgement) }, links }
}

/** Post that an earlier delivery left at the target: its id if there is one, or the reason why it is not known. */
type Left = { kind: 'known'; remoteId: string | null } | { kind: 'unsure'; reason: string; deliveryId: number }

/**
 * Asks the target for the post of an open delivery before a new one with other content replaces it.
 *
 * The old title and slug may be the only way to find the post. Its id is saved in the article first, so that the new
 * content changes that post instead of making a second one.
 */
export const askForReplaced = async (
  ctx: Ctx,
  target: PublishTarget,
  { article, open, target: row }: Publishable,
  fresh: PublishRequest,
): Promise<Left> => {
  // If a delivery is `retrying`, its target reported that it made no post.
  const mayHaveArrived = open !== null && open.status !== 'retrying' && open.key !== fresh.key
  // The post of a delivery to another target is not at this one.
  if (open?.integrationId !== row?.id) return { kind: 'known', remoteId: article.remoteId }
  if (!mayHaveArrived || !target.find) return { kind: 'known', remoteId: article.remoteId }
  const old = { ...fresh, key: open.key, article: open.payload, firstSentAt: open.createdAt.toISOString() }
  const known = await target.find(old)
  if (known.kind === 'unsure') return { kind: 'unsure', reason: known.reason, deliveryId: open.id }
  const remoteId = known.remoteId ?? article.remoteId
  if (remoteId !== null && remoteId !== article.remoteId)
    await ctx.batch(
      {
        changedArticles: ctx.db
          .update(articles)
          .set({ remoteId, remoteSite: siteOf(open.integrationId) })
          .where(and(eq(articles.id, article.id), statusAllows('publish'))),
      },
      { unaudited: 'the publication that follows is in the audit log' },
    )
  return { kind: 'known', remoteId }
}
