import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../local/root.ts'
import { PUBLISHING_PLATFORMS, type PublishingPlatform, TARGET_NAMES } from '../../schema/values/publishing.ts'
import { inputSchemaOf, type JsonSchema } from '../../src/platform/http/json-schemas.ts'
import { connectionForms } from '../../src/providers/publishing.ts'
import { noteMissing } from './missing.ts'

type Json = Record<string, unknown>

/** Operation whose body has other fields for each platform. */
export const CONNECT = 'integrations.connect'

/** True for an operation whose body has the fields of a platform. */
export const takesPlatformFields = (operation: string): boolean => operation === CONNECT || operation === 'targets.add'

/** Platforms in the order of the reference: the webhook, which every site can have, comes first. */
const PLATFORMS = [...PUBLISHING_PLATFORMS].sort((a, b) => Number(b === 'webhook') - Number(a === 'webhook'))

const WEBHOOK: Readonly<Record<string, string>> = {
  url: 'URL that receives the deliveries.',
  access_token: 'Token of your choice, sent with each delivery.',
}

/** Returns the words for each field, from the table below the platform's heading in docs/design/cms.md. */
const wordsOf = (platform: PublishingPlatform): ReadonlyMap<string, string> => {
  if (platform === 'webhook') return new Map(Object.entries(WEBHOOK))
  const page = readFileSync(join(ROOT, 'docs/design/cms.md'), 'utf8')
  const section = page.split(/^## /m).find((part) => part.startsWith(`${TARGET_NAMES[platform]}\n`)) ?? ''
  const rows = [...section.matchAll(/^\| (`[^|]+?) \| (.+) \|$/gm)]
  return new Map(
    rows.flatMap(([, names = '', meaning = '']) =>
      [...names.matchAll(/`(\w+)\??`/g)].map(([, name = '']): [string, string] => [name, meaning]),
    ),
  )
}

const formOf = (platform: PublishingPlatform) => {
  const form = connectionForms[platform]
  if (!form) throw new Error(`${platform} has no form`)
  return form
}

/** Fields for connecting a platform. */
export type PlatformForm = {
  platform: PublishingPlatform
  title: string
  schema: JsonSchema
}

/**
 * Returns the fields of each platform that docs/design/cms.md explains. Notes a required field without one as missing.
 */
export const platformForms = (): PlatformForm[] =>
  PLATFORMS.map((platform) => {
    const words = wordsOf(platform)
    const schema = inputSchemaOf(formOf(platform).fields)
    for (const name of schema.required ?? [])
      if (!words.has(name)) noteMissing(`docs/design/cms.md: the meaning of the field ${name} of ${platform}`)
    const properties = Object.fromEntries(
      Object.entries(schema.properties ?? {})
        .filter(([name]) => words.has(name))
        .map(([name, field]) => [name, { ...(field as JsonSchema), description: words.get(name) ?? '' }]),
    )
    return { platform, title: TARGET_NAMES[platform], schema: { ...schema, properties } }
  })

/** Returns the body as one of several forms, distinguished by `platform`. `shared` has the fields of all forms. */
export const platformBody = (shared: JsonSchema, describe: (form: PlatformForm) => Json, schemas: Json): Json => {
  const names = platformForms().map((form) => {
    const name = `Connect${form.title.replace(/\W/g, '')}`
    const { platform: _, ...common } = (shared.properties ?? {}) as Json
    schemas[name] = {
      type: 'object',
      title: form.title,
      properties: {
        platform: { type: 'string', const: form.platform, description: form.title },
        ...common,
        ...describe(form),
      },
      required: ['platform', ...(form.schema.required ?? [])],
    }
    return [form.platform, `#/components/schemas/${name}`] as const
  })
  return {
    type: 'object',
    oneOf: names.map(([, $ref]) => ({ $ref })),
    discriminator: { propertyName: 'platform', mapping: Object.fromEntries(names) },
  }
}
