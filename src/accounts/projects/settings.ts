import * as z from 'zod/mini'
import type { projects } from '../../../schema/projects.ts'
import {
  CTA_INTENSITIES,
  PRODUCT_POSITIONINGS,
  PUBLISHING_STATUSES,
  SOCIAL_PUBLISHING_STATUSES,
  TONES,
  WRITING_PROFILES,
} from '../../../schema/values/projects.ts'
import { dollars, httpUrl, label, lines, list, text, urlOrEmpty } from '../../platform/lib/fields.ts'
import { oneLine } from '../../platform/lib/foreign-data.ts'
import { LANGUAGES, languageOf } from '../../platform/lib/languages.ts'
import { nearestName } from '../../platform/lib/text.ts'
import { isTimeZone, zoneName } from '../../platform/lib/time.ts'
import { hasBlanks, withScheme } from '../../platform/lib/urls.ts'
import { IMAGE_DEFAULTS, QUALITY_DEFAULTS, thresholdNote } from './rules.ts'

const LONG = 10_000
const SHORT = 500

/**
 * Place of a setting: a column of its own, or a key of a JSON column that updates merge into.
 *
 * `fallback` is the value until the setting is first set, `cleared` the value after null was sent.
 */
type Column = keyof typeof projects.$inferInsert
type Place =
  /** `namedAs`: the column that answers name instead. */
  | { column: Column; namedAs?: string }
  | { merged: 'articleQualitySettings' | 'imagePreferences'; fallback: unknown; cleared: unknown }

export type Setting = { schema: z.ZodMiniType; place: Place; aliases?: readonly string[] }

const quality = (name: keyof typeof QUALITY_DEFAULTS): Place => ({
  merged: 'articleQualitySettings',
  fallback: QUALITY_DEFAULTS[name],
  cleared: QUALITY_DEFAULTS[name],
})
const image = (name: keyof typeof IMAGE_DEFAULTS, cleared: unknown = IMAGE_DEFAULTS[name]): Place => ({
  merged: 'imagePreferences',
  fallback: IMAGE_DEFAULTS[name],
  cleared,
})
const at = (column: Column): Place => ({ column })

/**
 * Returns the host of a domain or URL in lower case, without `*.`, `www.` and a final dot. Undefined if it is neither.
 *
 * A domain includes its subdomains, so `*.` adds nothing.
 */
const domainOf = (value: string): string | undefined => {
  if (hasBlanks(value)) return undefined
  try {
    const host = new URL(withScheme(value)).hostname.replace(/^(\*\.)?(www\.)?/, '').replace(/\.$/, '')
    return host.includes('.') ? host : undefined
  } catch {
    return undefined
  }
}

const pillarOf = (value: string): string | undefined => (httpUrl().safeParse(value).success ? value : undefined)

/** Language, given by its label in any case or by its BCP 47 code. Parsed to the label. */
const language = z.pipe(
  z.string().check(
    z.trim(),
    z.refine((given) => languageOf(given) !== undefined, {
      error: 'must be a language: its label, such as French (CA), or its BCP 47 code, such as fr-CA',
      params: { allowed: LANGUAGES, isOpen: true },
    }),
  ),
  z.transform((given) => languageOf(given) ?? given),
)

const flag = z.boolean()
const publishTime = z.string().check(
  z.refine((v) => /^([01]\d|2[0-3]):[0-5]\d$/.test(v), {
    error: 'must be a 24-hour time HH:MM',
    params: { allowed: 'HH:MM' },
  }),
)
const timezone = z.pipe(
  z.string().check(
    z.trim(),
    z.refine((v) => isTimeZone(v), { error: 'must be an IANA time zone, for example Europe/Amsterdam' }),
  ),
  z.transform(zoneName),
)
/** A colour; empty text clears it. */
const color = z.pipe(
  z.string().check(
    z.trim(),
    z.refine((v) => /^(#[0-9a-fA-F]{6})?$/.test(v), {
      error: 'must be a colour #rrggbb',
      params: { allowed: '#rrggbb' },
    }),
  ),
  z.transform((v) => (v === '' ? null : v)),
)

/** Every writable project setting, by its name in the API. The only source for input, storage and answers. */
export const SETTINGS: Record<string, Setting> = {
  ai_instructions: { schema: text(LONG), place: at('aiInstructions') },
  business_name: { schema: text(SHORT).check(z.overwrite(oneLine)), place: at('businessName') },
  business_aliases: { schema: list(), place: at('businessAliases') },
  business_description: { schema: text(SHORT), place: at('businessDescription') },
  target_audience: { schema: list(), place: at('targetAudience') },
  sitemap_url: { schema: urlOrEmpty(), place: at('sitemapUrl') },
  blog_root_url: { schema: urlOrEmpty(), place: at('blogRootUrl') },
  content_pillars: {
    schema: list(pillarOf, 'must be absolute http or https URLs without white space'),
    place: at('contentPillars'),
  },
  internal_links_per_article: {
    schema: z.int().check(z.gte(1), z.lte(5)),
    place: at('internalLinksPerArticle'),
    aliases: ['internal_links'],
  },
  tone: { schema: label(TONES), place: at('contentStyle') },
  language: { schema: language, place: at('language') },
  keyword_region: { schema: text(SHORT, 1), place: at('keywordRegion') },
  primary_location: { schema: text(SHORT).check(z.overwrite(oneLine)), place: at('primaryLocation') },
  writing_profile: { schema: label(WRITING_PROFILES), place: at('writingProfile') },
  product_positioning: { schema: label(PRODUCT_POSITIONINGS), place: at('productPositioning') },
  custom_author_name: { schema: text(SHORT).check(z.overwrite(oneLine)), place: at('customAuthorName') },
  social_media_ai_instructions: { schema: text(LONG), place: at('socialMediaAiInstructions') },
  publish_time: { schema: publishTime, place: at('publishTime') },
  timezone: { schema: timezone, place: at('timezone') },
  publishing_status: { schema: label(PUBLISHING_STATUSES), place: at('publishingStatus') },
  social_media_publishing_status: {
    schema: label(SOCIAL_PUBLISHING_STATUSES),
    place: at('socialMediaPublishingStatus'),
  },
  image_hosting: { schema: text(SHORT, 1), place: image('image_hosting') },
  image_style: { schema: text(SHORT), place: image('image_style') },
  brand_color: { schema: color, place: image('brand_color', null) },
  image_prompt_instructions: { schema: text(LONG), place: image('image_prompt_instructions') },
  title_based_featured_image: { schema: flag, place: image('title_based_featured_image') },
  cta_intensity: {
    schema: label(CTA_INTENSITIES),
    place: { column: 'ctaIntensity', namedAs: 'articleQualitySettings' },
  },
  first_person_writing: { schema: flag, place: quality('first_person_writing') },
  table_of_contents: { schema: flag, place: quality('table_of_contents') },
  avoid_formulaic_section_endings: { schema: flag, place: quality('avoid_formulaic_section_endings') },
  require_operational_examples: { schema: flag, place: quality('require_operational_examples') },
  strict_banned_phrase_guard: { schema: flag, place: quality('strict_banned_phrase_guard') },
  banned_phrases: { schema: lines(), place: at('bannedPhrases'), aliases: ['extra_banned_phrases'] },
  brand_intelligence: { schema: flag, place: quality('brand_intelligence') },
  duplicate_content_protection: {
    schema: flag,
    place: quality('duplicate_content_protection'),
    aliases: ['duplicate_content_guard_enabled'],
  },
  videos_enabled: { schema: flag, place: at('videosEnabled') },
  backlinks_network: { schema: flag, place: at('backlinksNetwork') },
  competitors: {
    schema: list(domainOf, 'must be domains without white space, for example example.com'),
    place: at('competitorWebsites'),
    aliases: ['competitor_websites'],
  },
  weekly_suggestions: { schema: flag, place: at('weeklySuggestions') },
  /** Dollars a month; stored in cents. */
  crowdwork_budget: { schema: dollars(0, 1_000_000), place: at('crowdworkBudget') },
}

const pascal = (name: string): string => name.replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase())

/** Returns the stored column of a setting in PascalCase, as `updated_columns` names it. */
export const columnName = (setting: string): string => {
  const place = SETTINGS[setting]?.place
  if (!place) return pascal(setting)
  return pascal('merged' in place ? place.merged : (place.namedAs ?? place.column))
}

/** Zod fields of all settings and their aliases. Each is optional; null restores the default. */
export const SETTING_FIELDS: Record<string, z.ZodMiniType> = Object.fromEntries(
  Object.entries(SETTINGS).flatMap(([name, { schema, aliases = [] }]) =>
    [name, ...aliases].map((key) => [key, z.optional(z.nullable(schema))] as const),
  ),
)

/** Returns validated input under the canonical names. If a setting is sent under several names, the canonical one wins. */
export const canonicalSettings = (input: Record<string, unknown>): Record<string, unknown> => {
  const settings: Record<string, unknown> = {}
  for (const [name, { aliases = [] }] of Object.entries(SETTINGS)) {
    const key = [name, ...aliases].find((k) => input[k] !== undefined)
    if (key !== undefined) settings[name] = input[key]
  }
  return settings
}

/** All names under which settings can be sent, aliases included. */
export const SETTING_NAMES: readonly string[] = Object.entries(SETTINGS).flatMap(([name, { aliases = [] }]) => [
  name,
  ...aliases,
])
const KNOWN = new Set(SETTING_NAMES)

/** True if the name is known, but callers cannot write it. */
export const isReadOnlySetting = (name: string): boolean =>
  name === 'articles_per_day' || thresholdNote(name) !== undefined

/** Returns the name that wins if `name` is an alias and the body also has the setting under that other name. */
const heldAs = (name: string, body: Record<string, unknown>): string | undefined => {
  for (const [canonical, { aliases = [] }] of Object.entries(SETTINGS)) {
    if (!aliases.includes(name)) continue
    const held = [canonical, ...aliases].find((key) => body[key] !== undefined)
    return held === name ? undefined : held
  }
  return undefined
}

const noteOn = (name: string, id: number): string => {
  if (name === 'articles_per_day')
    return `articles_per_day follows the article plan; change it with POST /projects/${id}/article-plan.`
  const threshold = thresholdNote(name)
  if (threshold !== undefined) return threshold
  if (name === 'website_url') return 'website_url cannot be changed: create a project for another website.'
  const near = nearestName(name, SETTING_NAMES)
  return `This is not a project setting, so it was left out.${near === undefined ? '' : ` Did you mean ${near}?`}`
}

/** Returns the names in the body that are ignored, each with the reason. */
export const ignoredFields = (
  body: Record<string, unknown>,
  { id, others = [] }: { id: number; others?: readonly string[] },
): Record<string, string> =>
  Object.fromEntries(
    Object.keys(body)
      .flatMap((name): [string, string][] => {
        const held = heldAs(name, body)
        if (held !== undefined)
          return [[name, `${name} is another name of ${held}. Both were sent, so ${held} was used.`]]
        return KNOWN.has(name) || others.includes(name) ? [] : [[name.slice(0, 200), noteOn(name, id)]]
      })
      .slice(0, 100),
  )
