import { sql } from 'drizzle-orm'
import type { projects } from '../../../schema/projects.ts'
import { countryNamed, isWorldwide, nearestCountry, WORLDWIDE } from '../../platform/lib/countries.ts'
import { ApiError, invalidInput } from '../../platform/lib/errors.ts'
import { tagOfLanguage } from '../../platform/lib/languages.ts'
import { checkPublicUrl, WEB_PORTS } from '../../platform/lib/urls.ts'
import type { Settings } from '../../platform/runtime/env.ts'
import { imageHostingValue } from './rules.ts'
import { SETTINGS } from './settings.ts'

type Columns = Partial<typeof projects.$inferInsert>
export type Patches = Partial<Record<'articleQualitySettings' | 'imagePreferences', Record<string, unknown>>>

/**
 * Returns the columns in which settings are stored. Settings inside a JSON column are gathered into one patch for that column.
 * Null restores the default.
 */
export const columnsOf = (settings: Record<string, unknown>): { columns: Columns; patches: Patches } => {
  const columns: Record<string, unknown> = {}
  const patches: Patches = {}
  for (const [name, value] of Object.entries(settings)) {
    const place = SETTINGS[name]?.place
    if (!place) continue
    if ('merged' in place) patches[place.merged] = { ...patches[place.merged], [name]: value ?? place.cleared }
    else columns[place.column] = value ?? sql`default`
  }
  return { columns: columns as Columns, patches }
}

/**
 * Throws 400 if `keyword_region` is neither a country nor the world. A country may be named in English or in the project's language.
 * The error suggests the nearest country.
 */
export const checkRegion = ({ keyword_region: region }: Record<string, unknown>, language: string): void => {
  if (typeof region !== 'string' || isWorldwide(region) || countryNamed(region, tagOfLanguage(language))) return
  const near = nearestCountry(region)
  const message = `must be the name of a country, its ISO code (two letters), or ${WORLDWIDE}`
  throw invalidInput([
    { field: 'keyword_region', message: near === undefined ? message : `${message}. Did you mean ${near}?` },
  ])
}

const URL_SETTINGS = ['sitemap_url', 'blog_root_url'] as const

/**
 * Returns settings in their stored form: `image_hosting` and a worldwide region get their stored names, and URLs must have public
 * hosts. Errors name the field.
 *
 * Only rules that depend on the configuration are here. The schemas check everything else.
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
