import type { Connection } from '../../../publishing/target/publish-target.ts'
import { jsonOf } from '../fields.ts'
import { type Got, got, misfit } from '../http.ts'
import type { WebflowApi } from './api.ts'
import { Mapping as ChosenMapping } from './connect.ts'
import { type Mapping, mapFields } from './mapping.ts'
import { urlPrefixOf } from './transform.ts'
import type { WebflowCollection } from './types.ts'

/** The collection as it is now, where an article's parts go in it, and where its items are read. */
export type Setting = { collection: WebflowCollection; mapping: Mapping; urlPrefix: string }

/** Asks once for the collection, and for the site unless the connection says where items are read. */
export const settingOf = (api: WebflowApi, { secrets }: Connection) => {
  let known: Setting | undefined
  const load = async (): Promise<Got<Setting>> => {
    const collection = await api.collection(secrets.collection_id ?? '')
    if (collection.kind !== 'got') return collection
    const chosen = ChosenMapping.safeParse(jsonOf(secrets.field_mapping) ?? {})
    const mapped = mapFields(chosen.success ? chosen.data : {}, collection.value)
    if ('problem' in mapped) return misfit(mapped.problem)
    if (secrets.url_prefix)
      return got({ collection: collection.value, mapping: mapped.mapping, urlPrefix: secrets.url_prefix })
    const site = await api.site(secrets.site_id ?? '')
    if (site.kind !== 'got') return site
    return got({
      collection: collection.value,
      mapping: mapped.mapping,
      urlPrefix: urlPrefixOf(site.value, collection.value.slug),
    })
  }
  return async (): Promise<Got<Setting>> => {
    if (known) return got(known)
    const setting = await load()
    if (setting.kind === 'got') known = setting.value
    return setting
  }
}
