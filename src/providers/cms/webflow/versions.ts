import * as z from 'zod/mini'
import type { CmsPost, CmsResult, CmsVersion } from '../../../publishing/target/cms-adapter.ts'
import { misfit } from '../got.ts'
import { done } from '../http.ts'
import type { WebflowApi } from './api.ts'
import { publishItem } from './publish.ts'
import type { Setting } from './setting.ts'
import { toPost, wordsOf } from './transform.ts'

const Version = z.object({ live: z.boolean(), fieldData: z.record(z.string(), z.unknown()) })

/** Reads the item that readers see, or its staged content if it is no live item. */
export const readVersion = async (
  api: WebflowApi,
  { collection, mapping }: Setting,
  remoteId: string,
): Promise<CmsResult<CmsVersion | null>> => {
  const staged = await api.item(collection.id, remoteId)
  if (staged.kind !== 'got') return staged
  if (staged.value === null) return done(null)
  const published = staged.value.lastPublished ? await api.liveItem(collection.id, remoteId) : undefined
  if (published && published.kind !== 'got') return published
  const live = published?.value ?? undefined
  const words = wordsOf(staged.value, mapping)
  return done({ live: live !== undefined, fieldData: (live ?? staged.value).fieldData, words })
}

/** Puts kept fields back; slug and what Webflow does not let change stay as they are. */
export const restoreVersion = async (
  api: WebflowApi,
  { collection, mapping, urlPrefix }: Setting,
  remoteId: string,
  version: CmsVersion,
): Promise<CmsResult<CmsPost | null>> => {
  const kept = Version.safeParse(version)
  if (!kept.success) return misfit('The kept version cannot be read.')
  const writable = new Set(collection.fields.filter((f) => f.isEditable !== false).map((f) => f.slug))
  const fieldData = Object.fromEntries(
    Object.entries(kept.data.fieldData).filter(([slug]) => writable.has(slug) && slug !== 'slug'),
  )
  const known = await api.item(collection.id, remoteId)
  if (known.kind !== 'got') return known
  if (known.value === null) return done(null)
  // An item that people took down meanwhile stays down.
  const isShown = kept.data.live && toPost(known.value, urlPrefix, mapping).status === 'published'
  const changed = await api.change(collection.id, remoteId, { ...(isShown ? { isDraft: false } : {}), fieldData })
  if (changed.kind === 'invalid') return changed.refusal.failure
  if (changed.kind === 'refused' && changed.code === 'site_not_found') return done(null)
  if (changed.kind !== 'got') return changed
  if (!isShown) return done(toPost(changed.value, urlPrefix, mapping))
  const live = await publishItem(api, collection.id, changed.value)
  return live.kind === 'got' ? done(toPost(live.value, urlPrefix, mapping)) : live
}
