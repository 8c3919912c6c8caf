import * as z from 'zod/mini'
import type { FieldValue, OwnFields } from '../../../../schema/values/own-fields.ts'
import type { CmsResult, CmsSchema, CmsSchemaField, FieldType } from '../../../publishing/target/cms-adapter.ts'
import { jsonOf } from '../fields.ts'
import { done } from '../http.ts'
import type { ShopifyApi } from './api.ts'
import { DEFINITIONS } from './documents.ts'

const maybe = <T extends z.ZodMiniType>(schema: T) => z.optional(z.nullable(schema))

const Definition = z.object({
  namespace: z.string(),
  key: z.string(),
  name: z.string(),
  type: z.object({ name: z.string() }),
  validations: z.array(z.object({ name: z.string(), value: maybe(z.string()) })),
})
const Definitions = z.object({ metafieldDefinitions: z.object({ nodes: z.array(Definition) }) })

/** Types by Shopify's own (https://shopify.dev/docs/apps/build/metafields/list-of-data-types). */
const TYPES: Readonly<Record<string, FieldType>> = {
  single_line_text_field: 'text',
  multi_line_text_field: 'text',
  number_integer: 'integer',
  number_decimal: 'number',
  boolean: 'boolean',
  date: 'date',
  date_time: 'moment',
  url: 'url',
  color: 'text',
  'list.single_line_text_field': 'list',
}

/** Metafields that the parts of an article fill. */
const FILLED: Readonly<Record<string, string>> = {
  'global.description_tag': 'meta_description',
  'global.title_tag': 'seo_title',
}

/** Returns the parts of a field's name: the namespace, which may have points, and the key. */
const partsOf = (name: string): { namespace: string; key: string } => {
  const at = name.lastIndexOf('.')
  return { namespace: name.slice(0, at), key: name.slice(at + 1) }
}

const listIn = (text: string | null | undefined): string[] | undefined => {
  const list = jsonOf(text ?? undefined)
  return Array.isArray(list) ? list.map(String) : undefined
}

const fieldOf = ({ namespace, key, name, type, validations }: z.infer<typeof Definition>): CmsSchemaField => {
  const rule = (wanted: string) => validations.find((one) => one.name === wanted)?.value
  const number = (wanted: string): number | undefined => {
    const value = rule(wanted)
    return value === undefined || value === null || Number.isNaN(Number(value)) ? undefined : Number(value)
  }
  const field = `${namespace}.${key}`
  const filledBy = FILLED[field]
  const isText = TYPES[type.name] === 'text'
  const [min, max] = [number('min'), number('max')]
  const choices = listIn(rule('choices'))
  return {
    name: field,
    label: name,
    type: type.name.startsWith('list.') && choices ? 'choices' : (TYPES[type.name] ?? 'other'),
    nativeType: type.name,
    isRequired: false,
    ...(filledBy === undefined ? {} : { filledBy }),
    // The bounds of a text are those of its length.
    ...(isText && max !== undefined ? { maxLength: max } : {}),
    ...(!isText && min !== undefined ? { min } : {}),
    ...(!isText && max !== undefined ? { max } : {}),
    ...(choices ? { choices } : {}),
  }
}

/** Reads the metafields that the shop defines for articles. */
export const readSchema = async (api: ShopifyApi, blog: string): Promise<CmsResult<CmsSchema>> => {
  const read = await api.ask({ document: DEFINITIONS, variables: {}, data: Definitions, writes: false })
  if (read.kind !== 'got') return read
  return done({ collection: blog, fields: read.value.metafieldDefinitions.nodes.map(fieldOf) })
}

const textOf = (value: FieldValue): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Returns the metafields of own values that are not empty. Their type is that of the shop's definition. */
export const ownMetafields = (values: OwnFields) =>
  Object.entries(values).flatMap(([name, value]) =>
    value === null || value === '' ? [] : [{ ...partsOf(name), value: textOf(value) }],
  )

/** Returns the metafields that own values empty, because Shopify stores no empty one. */
export const emptiedMetafields = (values: OwnFields) =>
  Object.entries(values).flatMap(([name, value]) => (value === null || value === '' ? [partsOf(name)] : []))
