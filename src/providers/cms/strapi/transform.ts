import type { CmsPost } from '../../../publishing/target/cms-adapter.ts'
import { textIn } from '../mapped-values.ts'
import type { StrapiDocument } from './api.ts'
import type { Setting } from './connect.ts'

/** Returns our form of a document. `isLive`: it has a published version. */
export const toPost = (document: StrapiDocument, isLive: boolean, { mapping, urlPrefix }: Setting): CmsPost => {
  const slug = textIn(document, mapping.slug)
  return {
    remoteId: document.documentId,
    slug,
    title: textIn(document, mapping.title),
    status: isLive ? 'published' : 'draft',
    url: isLive && urlPrefix && slug ? `${urlPrefix}/${slug}` : null,
    marker: textIn(document, mapping.marker) || null,
    createdAt: document.createdAt ?? null,
    ...(document.updatedAt ? { changedAt: document.updatedAt } : {}),
  }
}

/** Returns a document with the ids of its files, as they are written, in place of the records that are read. */
export const withFileIds = (document: StrapiDocument, { populate }: Setting): StrapiDocument => ({
  ...document,
  ...Object.fromEntries(
    populate.map((name) => [name, (document[name] as { id?: number } | null | undefined)?.id ?? null]),
  ),
})

/** Returns the mapped fields, except the sent ones, in which a draft differs from what readers see. */
export const pendingIn = (
  draft: StrapiDocument,
  published: StrapiDocument,
  { mapping }: Setting,
  sent: readonly string[],
): string[] =>
  Object.values(mapping)
    .map(({ name }) => name)
    .filter((name) => !sent.includes(name) && JSON.stringify(draft[name]) !== JSON.stringify(published[name]))
