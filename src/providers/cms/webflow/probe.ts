import type { CmsResult, CmsSite } from '../../../publishing/target/cms-adapter.ts'
import type { Connection } from '../../../publishing/target/publish-target.ts'
import { type Got, misfit } from '../got.ts'
import { done, refused } from '../http.ts'
import type { WebflowApi } from './api.ts'
import type { Setting } from './setting.ts'

const NEEDED = ['cms:read', 'cms:write', 'sites:read']

const siteNotes = (setting: Setting, lastPublished: string | null | undefined): string[] => {
  const { mapping } = setting
  const parts = Object.entries(mapping).map(([part, field]) => `${part} → ${field.slug}`)
  return [
    `Fields used: ${parts.join(', ')}.`,
    ...(lastPublished
      ? []
      : [
          'The site was never published. Publish it once in Webflow with the collection page, or items cannot go live.',
        ]),
  ]
}

/** Proves token, site, collection and field mapping; the rights of the token where it tells them. Changes nothing. */
export const probeSite = async (
  api: WebflowApi,
  { secrets }: Connection,
  setting: () => Promise<Got<Setting>>,
): Promise<CmsResult<CmsSite>> => {
  const site = await api.site(secrets.site_id ?? '')
  if (site.kind !== 'got') return site
  const collections = await api.collections(site.value.id)
  if (collections.kind !== 'got') return collections
  const list = collections.value.collections
  if (!list.some((c) => c.id === secrets.collection_id))
    return misfit(
      `collection_id: the site has no such collection. It has: ${list.map((c) => `${c.displayName ?? c.slug} (${c.id})`).join(', ') || 'none'}.`,
    )
  const known = await setting()
  if (known.kind !== 'got') return known
  const rights = await api.rights()
  const missing = rights.kind === 'got' && rights.value ? NEEDED.filter((scope) => !rights.value?.includes(scope)) : []
  if (missing.length > 0)
    return refused(
      'auth_forbidden',
      `The API token lacks the rights ${missing.join(', ')}. Make one that has them.`,
      403,
    )
  const name = site.value.displayName ?? site.value.shortName
  return done({ name, url: new URL(known.value.urlPrefix).origin }, siteNotes(known.value, site.value.lastPublished))
}
