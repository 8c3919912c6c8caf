import * as z from 'zod/mini'
import type { OwnFields } from '../../../../schema/values/own-fields.ts'
import type {
  CmsFailure,
  CmsResult,
  CmsSchema,
  CmsSchemaField,
  FieldType,
} from '../../../publishing/target/cms-adapter.ts'
import { done } from '../http.ts'
import { writePost } from './core-posts.ts'
import { askCore, type Core } from './site.ts'

const Property = z.looseObject({
  type: z.catch(z.union([z.string(), z.array(z.string())]), 'object'),
  title: z.catch(z.optional(z.string()), undefined),
  description: z.catch(z.optional(z.string()), undefined),
  format: z.catch(z.optional(z.string()), undefined),
  enum: z.catch(z.optional(z.array(z.union([z.string(), z.number(), z.null()]))), undefined),
  items: z.catch(
    z.optional(z.looseObject({ type: z.optional(z.unknown()), enum: z.optional(z.array(z.string())) })),
    undefined,
  ),
  minimum: z.catch(z.optional(z.number()), undefined),
  maximum: z.catch(z.optional(z.number()), undefined),
  maxLength: z.catch(z.optional(z.number()), undefined),
  required: z.catch(z.optional(z.boolean()), undefined),
})
type Property = z.infer<typeof Property>

const Group = z.catch(z.optional(z.object({ properties: z._default(z.record(z.string(), Property), {}) })), undefined)

/** Answer to a question for the options of posts. ACF shows its fields if their group is shown in REST. */
const Options = z.object({ schema: z.object({ properties: z.looseObject({ meta: Group, acf: Group }) }) })

const TYPES: Readonly<Record<string, FieldType>> = {
  string: 'text',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
}

const FORMATS: Readonly<Record<string, FieldType>> = { uri: 'url', email: 'email', date: 'date', 'date-time': 'local' }

const nativeTypeOf = ({ type }: Property): string =>
  (typeof type === 'string' ? [type] : type).find((one) => one !== 'null') ?? 'null'

const typeOf = (property: Property): FieldType => {
  const type = nativeTypeOf(property)
  if (type === 'array' && property.items?.type === 'string') return property.items.enum ? 'choices' : 'list'
  return (type === 'string' && FORMATS[property.format ?? '']) || (TYPES[type] ?? 'other')
}

const fieldOf = (name: string, property: Property): CmsSchemaField => {
  const { title, description, minimum, maximum, maxLength, required } = property
  const label = title || description
  const choices = property.items?.enum ?? property.enum
  return {
    name,
    ...(label ? { label } : {}),
    type: typeOf(property),
    nativeType: nativeTypeOf(property),
    isRequired: required === true,
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(minimum === undefined ? {} : { min: minimum }),
    ...(maximum === undefined ? {} : { max: maximum }),
    ...(choices ? { choices: choices.filter((one) => one !== null).map(String) } : {}),
  }
}

/** Fields that WordPress has for itself. */
const OWN_OF_CORE = ['footnotes']

/** Beginning of the name of a field of ACF, so that it is told from a custom field of the same name. */
const ACF = 'acf.'

/** Reads the custom fields of posts that the site shows in REST, and those of ACF. */
export const readSchema = async (core: Core): Promise<CmsResult<CmsSchema>> => {
  const read = await askCore(core, Options, {
    method: 'GET',
    path: 'posts',
    headers: { 'X-HTTP-Method-Override': 'OPTIONS' },
  })
  if (read.kind !== 'done') return read
  const { meta, acf } = read.value?.schema.properties ?? {}
  const fields = Object.entries(meta?.properties ?? {}).filter(([name]) => !OWN_OF_CORE.includes(name))
  return done({
    collection: 'posts',
    fields: [
      ...fields.map(([name, property]) => fieldOf(name, property)),
      ...Object.entries(acf?.properties ?? {}).map(([name, property]) => fieldOf(`${ACF}${name}`, property)),
    ],
  })
}

/**
 * Writes own fields of a post, before anything else of it: WordPress refuses a field only after it has changed the rest. Returns the
 * failure if there is one.
 */
export const writeOwnFields = async (
  core: Core,
  id: number,
  values: OwnFields | undefined,
): Promise<CmsFailure | undefined> => {
  const entries = Object.entries(values ?? {})
  if (entries.length === 0) return undefined
  const meta = Object.fromEntries(entries.filter(([name]) => !name.startsWith(ACF)))
  const acf = Object.fromEntries(
    entries.filter(([name]) => name.startsWith(ACF)).map(([name, value]) => [name.slice(ACF.length), value]),
  )
  const written = await writePost(core, id, {
    ...(Object.keys(meta).length > 0 ? { meta } : {}),
    ...(Object.keys(acf).length > 0 ? { acf } : {}),
  })
  return written.kind === 'done' ? undefined : written
}
