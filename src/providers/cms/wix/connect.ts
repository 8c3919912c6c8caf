import * as z from 'zod/mini'
import { apiUrl, type Opened, textsOf, token } from '../fields.ts'

const API_URL = 'https://www.wixapis.com'

const guid = () =>
  z.string().check(
    z.trim(),
    z.toLowerCase(),
    z.refine((value) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value), {
      error: 'must be an id like 0f1e2d3c-…',
    }),
  )

const Fields = z.object({
  api_key: token(),
  site_id: guid(),
  member_id: z.optional(guid()),
  api_url: z.optional(apiUrl()),
})

/** Connection form of Wix: an API key of the site owner's account, the site, and the member who is the author. */
export const wixConnection = {
  fields: Fields,
  connection: (given: Record<string, unknown>): Opened => {
    const { api_url, ...secrets } = Fields.parse(given)
    return {
      url: api_url ?? API_URL,
      urlField: 'api_url',
      name: `Wix site ${secrets.site_id}`,
      secrets: textsOf(secrets),
    }
  },
}
