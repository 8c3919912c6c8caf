import { sha256 } from '../../../platform/lib/crypto.ts'
import type { CmsPost } from '../../../publishing/target/cms-adapter.ts'
import { textIn } from '../mapped-values.ts'
import type { DirectusItem } from './api.ts'
import type { Setting } from './connect.ts'

/** Returns a UUID that is always the same for a text (version 8 of RFC 9562). */
export const uuidOf = async (text: string): Promise<string> => {
  const hash = await sha256(text)
  const variant = '89ab'[Number.parseInt(hash[16] ?? '0', 16) % 4]
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-${variant}${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}

/** Returns the names of the fields that every read and write answers. */
export const readFields = ({ key, mapping, createdAt, changedAt }: Setting): string[] => [
  ...new Set([
    key.name,
    ...Object.values(mapping).map(({ name }) => name),
    ...[createdAt, changedAt].filter((name) => name !== undefined),
  ]),
]

const timeIn = (item: DirectusItem, field: string | undefined): string | undefined => {
  const value = field && item[field]
  return typeof value === 'string' ? value : undefined
}

/** Returns the time of an item's last change. A new item has only that of its creation. */
export const changeTimeOf = (item: DirectusItem, { createdAt, changedAt }: Setting): string | undefined =>
  changedAt === undefined ? undefined : (timeIn(item, changedAt) ?? timeIn(item, createdAt))

/** Returns an item's key, which is a number or a text. */
export const keyIn = (item: DirectusItem, { key }: Setting): string => String(item[key.name] ?? '')

/** Returns our form of an item. `ownKey`: the key that an item of this article has, if keys are chosen. */
export const toPost = (item: DirectusItem, setting: Setting, own?: { key: string; marker: string }): CmsPost => {
  const { mapping, states, urlPrefix } = setting
  const value = item[mapping.status.name]
  const isLive = value === states.published
  const slug = textIn(item, mapping.slug)
  const remoteId = keyIn(item, setting)
  const changedAt = changeTimeOf(item, setting)
  return {
    remoteId,
    slug,
    title: textIn(item, mapping.title),
    status: isLive ? 'published' : 'draft',
    ...(typeof value === 'string' ? { siteStatus: value } : {}),
    url: isLive && urlPrefix && slug ? `${urlPrefix}/${slug}` : null,
    marker: own && remoteId === own.key ? own.marker : textIn(item, mapping.marker) || null,
    createdAt: timeIn(item, setting.createdAt) ?? null,
    ...(changedAt === undefined ? {} : { changedAt }),
  }
}
