import * as z from 'zod/mini'
import type { Connection } from '../../../publishing/target/publish-target.ts'
import { addressPrefix, apiUrl, jsonOf, type Opened, optionalFields, textsOf, token } from '../fields.ts'
import { type Got, got, misfit } from '../http.ts'
import { readOnce } from '../mapped-items.ts'
import type { WebflowApi } from './api.ts'
import { MAPPED, type Mapping, mapFields, urlPrefixOf } from './transform.ts'
import type { WebflowCollection } from './types.ts'

const API_URL = 'https://api.webflow.com'

const id = () =>
  z.string().check(
    z.trim(),
    z.refine((value) => /^[0-9a-f]{24}$/i.test(value), { error: 'must be a Webflow id of 24 hexadecimal digits' }),
  )

/** A field's slug. With an empty one this part of an article is not written. */
const fieldSlug = z.string().check(
  z.trim(),
  z.refine((value) => /^[a-z0-9_-]{0,256}$/i.test(value), { error: 'must be the slug of a field of the collection' }),
)

const ChosenMapping = optionalFields(MAPPED, fieldSlug)

const Fields = z.object({
  api_token: token(),
  site_id: id(),
  collection_id: id(),
  field_mapping: z.optional(ChosenMapping),
  url_prefix: z.optional(addressPrefix()),
  api_url: z.optional(apiUrl()),
})

/** Connection form of Webflow: a site token, the site, the collection, and unusual fields and addresses. */
export const webflowConnection = {
  fields: Fields,
  connection: (given: Record<string, unknown>): Opened => {
    const { api_url, field_mapping, ...fields } = Fields.parse(given)
    return {
      url: api_url ?? API_URL,
      urlField: 'api_url',
      name: `Webflow collection ${fields.collection_id}`,
      secrets: textsOf({ ...fields, field_mapping: field_mapping && JSON.stringify(field_mapping) }),
    }
  },
}

/** The connected collection, its fields for the parts of an article, and the address of its items. */
export type Setting = { collection: WebflowCollection; mapping: Mapping; urlPrefix: string }

/** Returns a function that reads the collection once. It also reads the site, unless the connection has the address of items. */
export const settingOf = (api: WebflowApi, { secrets }: Connection) => {
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
  return readOnce(load)
}
