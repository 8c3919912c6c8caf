import type { DeliveredArticle } from '../../../../schema/values/delivered-article.ts'
import type { CmsField } from '../../../publishing/target/cms-adapter.ts'
import type { PublishRequest } from '../../../publishing/target/publish-target.ts'
import { slugAt } from './page.ts'

/** Options of a connection test. `isEmpty`: it sends no article. */
export type Test = { isTest?: boolean; isEmpty?: boolean }

/** Fields that an adopted post may have at its site without the service knowing them, by the part that a change names. */
const PARTS = {
  meta_description: 'metaDescription',
  image_url: 'image',
  alt_text: 'image',
  tags: 'tags',
  author: 'author',
} as const satisfies Partial<Record<keyof DeliveredArticle, CmsField>>

type Sent = Omit<DeliveredArticle, 'category'>

/**
 * Returns what is sent of an adopted post: its own slug, no dates, and of the fields that the service may not know no empty one, unless
 * the change empties it. A receiver leaves what is absent as it is.
 */
const adoptedPost = (
  { published_at: _published, created_at: _created, ...article }: Sent,
  only: readonly CmsField[] = [],
): Partial<Sent> => {
  const isUnknown = (name: keyof typeof PARTS) => article[name].length === 0 && !only.includes(PARTS[name])
  const unknown: string[] = (Object.keys(PARTS) as (keyof typeof PARTS)[]).filter(isUnknown)
  const known = Object.entries(article).filter(([name]) => !unknown.includes(name))
  return { ...Object.fromEntries(known), slug: slugAt(article.url ?? '') || article.slug }
}

/** Returns the body of a delivery. It is built for each attempt, so that `timestamp` is the time of sending. */
export const deliveryBody = (
  { event, article, isAdopted, only }: PublishRequest,
  sentAt: Date,
  { isTest = false, isEmpty = false }: Test = {},
): string => {
  const isUpdate = event === 'update_articles'
  const { category, ...rest } = article
  return JSON.stringify({
    event_type: event,
    timestamp: sentAt.toISOString(),
    ...(isTest ? { test: true } : {}),
    data: {
      articles: isEmpty
        ? []
        : [
            {
              ...(isAdopted ? adoptedPost(rest, only) : rest),
              ...(category === '' ? {} : { category }),
              ...(rest.url === undefined ? {} : { published_url: rest.url }),
              is_update: isUpdate,
              update_only: isUpdate,
            },
          ],
    },
  })
}
