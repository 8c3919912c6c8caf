import * as z from 'zod/mini'
import { noBlanks } from '../../../platform/lib/fields.ts'
import type { Opened } from '../fields.ts'

/** Returns a site's admin address without parts that people copy with it: `/ghost`, the API's path, query and trailing slash. */
const adminUrl = (text: string): string => {
  const url = new URL(text)
  return `${url.origin}${url.pathname.replace(/\/ghost(?:\/.*)?$/, '').replace(/(?<!\/)\/+$/, '')}`
}

const Fields = z.object({
  api_url: z.pipe(
    z.string().check(
      z.trim(),
      z.minLength(1),
      z.maxLength(2_000),
      noBlanks(),
      z.refine((text) => URL.canParse(text) && /^https?:/i.test(text), {
        error: 'must be an absolute http or https URL: the API URL shown with the custom integration',
      }),
    ),
    z.transform(adminUrl),
  ),
  admin_api_key: z.string().check(
    z.trim(),
    z.refine((text) => /^[0-9a-f]{24}:[0-9a-f]{64}$/i.test(text), {
      error: 'must be the Admin API key of a custom integration, 24 and 64 hexadecimal digits with a colon between',
    }),
  ),
})

/** Connection form of Ghost: the API URL and the Admin API key of a custom integration. */
export const ghostConnection = {
  fields: Fields,
  connection: (given: Record<string, unknown>): Opened => {
    const { api_url, admin_api_key } = Fields.parse(given)
    return { url: api_url, urlField: 'api_url', name: new URL(api_url).host, secrets: { admin_api_key } }
  },
}
