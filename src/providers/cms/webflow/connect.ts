import * as z from 'zod/mini'
import { addressPrefix, apiUrl, type Opened, optionalFields, textsOf, token } from '../fields.ts'
import { MAPPED } from './mapping.ts'

const API_URL = 'https://api.webflow.com'

const id = () =>
  z.string().check(
    z.trim(),
    z.refine((value) => /^[0-9a-f]{24}$/i.test(value), { error: 'must be a Webflow id of 24 hexadecimal digits' }),
  )

/** Returns the slug of a collection's field; empty: this part of an article goes nowhere. */
const fieldSlug = () =>
  z.string().check(
    z.trim(),
    z.refine((value) => /^[a-z0-9_-]{0,256}$/i.test(value), { error: 'must be the slug of a field of the collection' }),
  )

export const Mapping = optionalFields(MAPPED, fieldSlug)

const Fields = z.object({
  api_token: token(),
  site_id: id(),
  collection_id: id(),
  field_mapping: z.optional(Mapping),
  url_prefix: z.optional(addressPrefix()),
  api_url: z.optional(apiUrl()),
})

/** Form for connecting Webflow: a site token, the site, the collection, and the fields and URLs that differ from the usual. */
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
