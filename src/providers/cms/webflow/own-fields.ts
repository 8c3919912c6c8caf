import type { OwnFields } from '../../../../schema/values/own-fields.ts'
import { safeHtml } from '../../../content/html/sanitize.ts'
import type { CmsSchema, FieldType } from '../../../publishing/target/cms-adapter.ts'
import type { Setting } from './connect.ts'
import { toRichText } from './transform.ts'
import type { WebflowField } from './types.ts'

/** Types by Webflow's own (https://developers.webflow.com/data/reference/field-types-item-values). */
const TYPES: Readonly<Record<string, FieldType>> = {
  PlainText: 'text',
  RichText: 'html',
  Number: 'number',
  Switch: 'boolean',
  DateTime: 'moment',
  Option: 'text',
  Email: 'email',
  Link: 'url',
  VideoLink: 'url',
  Phone: 'text',
  Color: 'text',
}

const typeOf = ({ type, validations, isEditable }: WebflowField): FieldType => {
  if (isEditable === false) return 'other'
  return type === 'Number' && validations?.format === 'integer' ? 'integer' : (TYPES[type] ?? 'other')
}

const FILLED: Readonly<Record<string, string>> = { name: 'title', slug: 'slug' }

/** Returns the fields of a collection, with the part of an article that fills each. */
export const schemaOf = ({ collection, mapping }: Pick<Setting, 'collection' | 'mapping'>): CmsSchema => {
  const parts = new Map<string, string>(Object.entries(mapping).map(([part, { slug }]) => [slug, part]))
  return {
    collection: collection.displayName ?? collection.slug,
    fields: collection.fields.map((field) => {
      const { slug, displayName, type, isRequired, validations } = field
      const { maxLength, minValue, maxValue, options } = validations ?? {}
      const filledBy = FILLED[slug] ?? parts.get(slug)
      return {
        name: slug,
        ...(displayName ? { label: displayName } : {}),
        type: typeOf(field),
        nativeType: type,
        isRequired: isRequired === true,
        ...(filledBy === undefined ? {} : { filledBy }),
        ...(maxLength ? { maxLength } : {}),
        ...(typeof minValue === 'number' ? { min: minValue } : {}),
        ...(typeof maxValue === 'number' ? { max: maxValue } : {}),
        ...(options ? { choices: options.map(({ name }) => name) } : {}),
      }
    }),
  }
}

const OPEN_HTML = (slug: string): string => `The field "${slug}" was left out: its HTML is not complete.`

/** Returns the values of own fields as items have them: options by their ids, rich text that Webflow keeps. */
export const ownFieldsOf = (
  values: OwnFields,
  { collection }: Pick<Setting, 'collection'>,
): { fields: Record<string, unknown>; notes: string[] } => {
  const fields: Record<string, unknown> = {}
  const notes: string[] = []
  for (const [slug, value] of Object.entries(values)) {
    const field = collection.fields.find((one) => one.slug === slug)
    const option = field?.validations?.options?.find(({ name }) => name === value)
    fields[slug] = field?.type === 'Option' && option ? option.id : value
    if (field?.type !== 'RichText' || typeof value !== 'string') continue
    const html = safeHtml(value)
    if (html === undefined) {
      notes.push(OPEN_HTML(slug))
      delete fields[slug]
    } else fields[slug] = toRichText(html).html
  }
  return { fields, notes }
}
