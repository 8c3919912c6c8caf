import * as z from 'zod/mini'
import { means } from '../../platform/lib/fields.ts'
import { nearestName } from '../../platform/lib/text.ts'
import { thresholdNote } from './rules.ts'
import { SETTINGS } from './settings.ts'

const pascal = (name: string): string => name.replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase())

/** Returns the stored column of a setting in PascalCase, as `updated_columns` names it. */
export const columnName = (setting: string): string => {
  const place = SETTINGS[setting]?.place
  if (!place) return pascal(setting)
  return pascal('merged' in place ? place.merged : (place.namedAs ?? place.column))
}

/** Zod fields of all settings and their aliases. Each is optional; null restores the default. */
export const SETTING_FIELDS: Record<string, z.ZodMiniType> = Object.fromEntries(
  Object.entries(SETTINGS).flatMap(([name, { schema, means: words, sent, otherwise, aliases = [] }]) => {
    const own = [words, sent].filter(Boolean).join(' ')
    return [
      [name, means(own, z.optional(z.nullable(schema)), otherwise)] as const,
      ...aliases.map((alias) => [alias, means(`Older name of \`${name}\`.`, z.optional(z.nullable(schema)))] as const),
    ]
  }),
)

/** Returns the zod fields of all settings in answers. */
export const shownSettings = (): Record<string, z.ZodMiniType> =>
  Object.fromEntries(
    Object.entries(SETTINGS).map(([name, { means: words, shown = z.string }]) => [name, means(words, shown())]),
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
  if (name === 'website_url')
    return `website_url cannot be changed here. If the site has a new address, POST /projects/${id}/move looks for its articles there, and a person confirms the move. For another website, create a project.`
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
