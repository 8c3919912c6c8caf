import { type Got, got } from '../got.ts'
import { refused } from '../http.ts'
import type { WebflowApi } from './api.ts'
import type { WebflowItem } from './types.ts'

/** Makes a staged item live. Webflow answers 202 even when it did not: the reason is in `errors`. */
export const publishItem = async (
  api: WebflowApi,
  collectionId: string,
  item: WebflowItem,
): Promise<Got<WebflowItem>> => {
  const published = await api.publish(collectionId, [item.id])
  if (published.kind === 'invalid') return published.refusal.failure
  if (published.kind !== 'got') return published
  const { errors, publishedItemIds } = published.value
  if (errors?.length || publishedItemIds?.includes(item.id) === false)
    return refused(
      'conflict',
      `Webflow did not publish the item (${errors?.map(String).join('; ') || 'no reason given'}).`,
      202,
    )
  return got({ ...item, isDraft: false, lastPublished: item.lastPublished ?? item.createdOn ?? 'now' })
}
