import type { FieldKind, TargetField } from '../mapped-fields.ts'
import type { DirectusField, KeyField } from './api.ts'

/** Specials of fields whose values Directus sets by itself. */
const OWN_VALUES = ['date-created', 'date-updated', 'user-created', 'user-updated', 'uuid']

const specialsOf = ({ meta }: DirectusField): readonly string[] => meta?.special ?? []

/** Kinds by the type of the field, if neither interface nor special says more. */
const KINDS: Readonly<Record<string, FieldKind>> = {
  string: 'text',
  text: 'text',
  boolean: 'boolean',
  timestamp: 'moment',
  dateTime: 'local',
  date: 'date',
  csv: 'list',
  integer: 'integer',
  bigInteger: 'integer',
  float: 'number',
  decimal: 'number',
}

const BY_INTERFACE: Readonly<Record<string, FieldKind>> = {
  'input-rich-text-html': 'html',
  'input-rich-text-md': 'markdown',
  tags: 'list',
  'select-multiple-checkbox': 'list',
  'select-multiple-dropdown': 'list',
}

const kindOf = (field: DirectusField): FieldKind => {
  const specials = specialsOf(field)
  if (specials.includes('file')) return 'file'
  if (field.schema?.is_primary_key || OWN_VALUES.some((special) => specials.includes(special))) return 'other'
  return BY_INTERFACE[field.meta?.interface ?? ''] ?? KINDS[field.type] ?? 'other'
}

/** True if Directus refuses a new item without the field. */
const isRequired = ({ schema, meta }: DirectusField): boolean =>
  schema?.is_nullable === false &&
  !schema.is_primary_key &&
  !schema.has_auto_increment &&
  !schema.is_generated &&
  (schema.default_value === null || schema.default_value === undefined) &&
  !OWN_VALUES.some((special) => meta?.special?.includes(special))

const choicesOf = ({ meta }: DirectusField): readonly string[] | undefined => {
  const { choices, allowOther } = meta?.options ?? {}
  if (!choices || allowOther === true) return undefined
  const values = choices.map(({ value }) => value).filter((value) => typeof value === 'string')
  return values.length > 0 ? values : undefined
}

/** Returns a field of Directus in the form that the mapping reads. */
export const toTargetField = (field: DirectusField): TargetField => {
  const kind = kindOf(field)
  const choices = kind === 'text' || kind === 'list' ? choicesOf(field) : undefined
  const maxLength = field.schema?.max_length
  return {
    name: field.field,
    kind,
    nativeType: field.meta?.interface ?? field.type,
    isRequired: isRequired(field),
    ...(choices ? { choices } : {}),
    ...(typeof maxLength === 'number' && maxLength > 0 ? { maxLength } : {}),
  }
}

/** Returns the primary key of a collection. */
export const keyOf = (fields: readonly DirectusField[]): KeyField | undefined => {
  const key = fields.find(({ schema }) => schema?.is_primary_key)
  return key && { name: key.field, type: key.type }
}

/** True if the caller may choose the key of a new item, so that a repeated creation is refused. */
export const isKeyChosen = ({ type }: KeyField): boolean => type === 'uuid' || type === 'string'

/** Returns the name of the field that Directus fills in at a creation or a change; undefined if the collection has none. */
export const stampedBy = (
  fields: readonly DirectusField[],
  special: 'date-created' | 'date-updated',
): string | undefined => fields.find((field) => specialsOf(field).includes(special))?.field

/** True if a text can be a key of this type. Directus refuses a search for another one. */
export const canBeKey = ({ type }: KeyField, text: string): boolean => {
  if (type === 'uuid') return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
  return type === 'string' ? text.length > 0 && text.length <= 255 : /^\d{1,18}$/.test(text)
}
