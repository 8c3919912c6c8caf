import * as z from 'zod/mini'
import { crc32 } from '../../../platform/lib/bytes.ts'
import { fetchablePrefix, type Opened, textsOf } from '../fields.ts'

/** True if a text can be an application password: 24 letters and digits, with or without the blanks that WordPress shows. */
export const isApplicationPassword = (text: string): boolean => /^[A-Za-z0-9]{24}$/.test(text.replace(/\s/g, ''))

/** True if a text is a key from our plugin: `wpk_`, 40 hexadecimal digits, and the 8 of their CRC-32. */
export const isPluginKey = (text: string): boolean => {
  const match = /^wpk_([0-9a-f]{40})([0-9a-f]{8})$/.exec(text.trim())
  return match?.[1] !== undefined && crc32(match[1]).toString(16).padStart(8, '0') === match[2]
}

/** Returns a site's address without parts that people copy with it: the path of the API or the administration, query and trailing slash. */
export const siteUrl = (text: string): string => {
  const url = new URL(text)
  const path = url.pathname
    .replace(/\/(?:wp-json|wp-admin|wp-login\.php|xmlrpc\.php)(?:\/.*)?$/, '')
    .replace(/(?<!\/)\/+(?:index\.php\/*)?$/, '')
  return `${url.origin}${path}`
}

const PASSWORD_FORM =
  'must be a WordPress application password: 24 letters and digits (Users → Profile → Application Passwords)'
const KEY_FORM =
  "must be the plugin's integration key, wpk_ and 48 hexadecimal digits, copied whole: the last 8 check the others (Settings, in the plugin's page); for an application password also send cms_username"

const Fields = z
  .object({
    cms_url: fetchablePrefix(),
    /** The user's login or e-mail. Needed with an application password, not used with our plugin's key. */
    cms_username: z.optional(z.string().check(z.trim(), z.maxLength(200))),
    integration_key: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)),
  })
  .check(
    // The form of the secret says which one it is, whatever other fields are sent.
    z.refine(
      ({ cms_username: user, integration_key: key }) => !user || isPluginKey(key) || isApplicationPassword(key),
      { path: ['integration_key'], error: PASSWORD_FORM },
    ),
    z.refine(({ cms_username: user, integration_key: key }) => !!user || isPluginKey(key), {
      path: ['integration_key'],
      error: KEY_FORM,
    }),
  )

/** Connection form of a WordPress site: its address, and a user with an application password or the key of our plugin. */
export const wordpressConnection = {
  fields: Fields,
  connection: (given: Record<string, unknown>): Opened => {
    const { cms_url, cms_username, integration_key } = Fields.parse(given)
    const url = siteUrl(cms_url)
    const user = isPluginKey(integration_key) ? undefined : cms_username || undefined
    const secrets = textsOf({ integration_key, cms_username: user })
    return { url, urlField: 'cms_url', name: new URL(url).host, secrets }
  },
}
