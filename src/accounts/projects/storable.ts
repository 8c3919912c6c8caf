import { isWorldwide, WORLDWIDE } from '../../platform/lib/countries.ts'
import { ApiError, invalidInput } from '../../platform/lib/errors.ts'
import { checkPublicUrl, WEB_PORTS } from '../../platform/lib/urls.ts'
import type { Settings } from '../../platform/runtime/env.ts'
import { imageHostingValue } from './rules.ts'

const URL_SETTINGS = ['sitemap_url', 'blog_root_url'] as const

/**
 * Settings as they are stored: `image_hosting` under its stored name, URLs checked for public hosts. What depends on the
 * configuration is decided here, the rest in the schemas. Throws 400 naming the field.
 */
export const storable = (
  settings: Record<string, unknown>,
  config: Pick<Settings, 'serviceName' | 'allowPrivateHosts'>,
): Record<string, unknown> => {
  const result = { ...settings }
  if (typeof settings.keyword_region === 'string' && isWorldwide(settings.keyword_region))
    result.keyword_region = WORLDWIDE
  if (typeof settings.image_hosting === 'string') {
    const value = imageHostingValue(settings.image_hosting, config.serviceName)
    const allowed = [config.serviceName, 'CMS']
    if (!value)
      throw invalidInput([{ field: 'image_hosting', message: `must be one of: ${allowed.join(', ')}`, allowed }])
    result.image_hosting = value
  }
  const urls = [
    ...URL_SETTINGS.map((field) => ({ field, value: settings[field] })),
    ...((settings.content_pillars as string[] | undefined) ?? []).map((value) => ({ field: 'content_pillars', value })),
  ]
  for (const { field, value } of urls) {
    if (typeof value !== 'string' || value === '') continue
    const checked = checkPublicUrl(value, config.allowPrivateHosts)
    if ('refusal' in checked) {
      const message = checked.refusal === 'port' ? WEB_PORTS : 'must be a URL with a public host'
      throw new ApiError('forbidden_url', `${field}: ${message}`, { details: [{ field, message }] })
    }
  }
  return result
}
