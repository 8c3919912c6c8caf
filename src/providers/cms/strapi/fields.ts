import type { FieldKind, TargetField } from '../mapped-fields.ts'
import type { StrapiAttribute, StrapiContentType } from './api.ts'

const KINDS: Readonly<Record<string, FieldKind>> = {
  string: 'text',
  text: 'text',
  uid: 'text',
  enumeration: 'text',
  richtext: 'markdown',
  blocks: 'blocks',
  json: 'list',
  datetime: 'moment',
  timestamp: 'moment',
  date: 'date',
  boolean: 'boolean',
  integer: 'integer',
  decimal: 'number',
  float: 'number',
  email: 'email',
}

/** Custom fields of editors that store HTML. */
const HTML_EDITORS = /ckeditor|tinymce|tiptap|quill|jodit|html/i

const kindOf = ({ type, multiple, customField }: StrapiAttribute): FieldKind => {
  if (type === 'customField') return HTML_EDITORS.test(customField ?? '') ? 'html' : 'other'
  if (type === 'media') return multiple ? 'other' : 'file'
  return KINDS[type] ?? 'other'
}

/** Names of attributes that Strapi sets by itself. */
const OWN = ['createdAt', 'updatedAt', 'publishedAt', 'locale', 'localizations', 'createdBy', 'updatedBy']

/** Returns the fields of a content type in the form that the mapping reads. */
export const targetFields = ({ schema }: StrapiContentType): TargetField[] =>
  Object.entries(schema.attributes)
    .filter(([name]) => !OWN.includes(name))
    .map(([name, attribute]) => {
      const choices = attribute.type === 'enumeration' ? attribute.enum : undefined
      const { maxLength, min, max } = attribute
      return {
        name,
        kind: kindOf(attribute),
        nativeType: attribute.customField ?? attribute.type,
        isRequired: attribute.required === true && (attribute.default ?? null) === null,
        ...(choices ? { choices } : {}),
        ...(typeof maxLength === 'number' ? { maxLength } : {}),
        ...(typeof min === 'number' ? { min } : {}),
        ...(typeof max === 'number' ? { max } : {}),
      }
    })
