import type { FieldValue, OwnFields } from '../../../schema/values/own-fields.ts'
import type { Cms, CmsSchema, CmsSchemaField, FieldType } from '../../publishing/target/cms-adapter.ts'
import type { PublishOutcome, PublishRequest } from '../../publishing/target/publish-target.ts'
import { sends } from './fields.ts'
import { notMade } from './outcomes.ts'
import { updateOf } from './replace.ts'

/** Most names that a refusal lists. */
const MAX_NAMED = 40

const isText = (value: FieldValue): value is string => typeof value === 'string'
const isDate = (value: FieldValue, form: RegExp): boolean =>
  isText(value) && form.test(value) && !Number.isNaN(Date.parse(value))

const isUrl = (value: string): boolean => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)

/** Rule for a value of each type: its words, and the check. */
const RULES: Readonly<Record<Exclude<FieldType, 'other'>, { words: string; fits: (value: FieldValue) => boolean }>> = {
  text: { words: 'a text', fits: isText },
  html: { words: 'a text of HTML', fits: isText },
  integer: { words: 'a whole number', fits: Number.isInteger },
  number: { words: 'a number', fits: (value) => typeof value === 'number' },
  boolean: { words: 'true or false', fits: (value) => typeof value === 'boolean' },
  moment: {
    words: 'an instant such as 2026-01-31T09:00:00Z',
    fits: (value) => isDate(value, /^\d{4}-\d\d-\d\dT\d\d:\d\d.*(?:Z|[+-]\d\d:?\d\d)$/i),
  },
  local: {
    words: 'a time without a zone such as 2026-01-31T09:00:00',
    fits: (value) => isDate(value, /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?$/),
  },
  date: { words: 'a date such as 2026-01-31', fits: (value) => isDate(value, /^\d{4}-\d\d-\d\d$/) },
  list: { words: 'a list of texts', fits: (value) => Array.isArray(value) && value.every(isText) },
  choices: { words: 'a list of its choices', fits: (value) => Array.isArray(value) && value.every(isText) },
  url: { words: 'an http or https address', fits: (value) => isText(value) && isUrl(value) },
  email: {
    words: 'an email address',
    fits: (value) => isText(value) && /^[^\s@]{1,64}@[^\s@.]{1,63}(?:\.[^\s@.]{1,63})+$/.test(value),
  },
}

const boundsOf = ({ min, max }: CmsSchemaField): string => {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`
  if (min !== undefined) return ` of at least ${min}`
  return max === undefined ? '' : ` of at most ${max}`
}

const isWithin = (value: FieldValue, { min, max }: CmsSchemaField): boolean =>
  typeof value !== 'number' || ((min === undefined || value >= min) && (max === undefined || value <= max))

/** Returns what is wrong with a value for a field, with what is allowed; undefined if the field takes it. */
const faultOf = (value: FieldValue, field: CmsSchemaField): string | undefined => {
  const name = `“${field.name}”`
  const { filledBy, type, choices, maxLength } = field
  if (filledBy !== undefined)
    return `${name} gets the article’s ${filledBy.replaceAll('_', ' ')}, not a value of its own`
  if (type === 'other') return `${name} is of the type ${field.nativeType}, which cannot be set here`
  if (value === null) return field.isRequired ? `${name} is required there, so it cannot be empty` : undefined
  const { words, fits } = RULES[type]
  if (!fits(value) || !isWithin(value, field)) return `${name} must be ${words}${boundsOf(field)}`
  const given = Array.isArray(value) ? value : [value]
  if (choices && !given.every((one) => choices.includes(String(one))))
    return `${name} must be ${Array.isArray(value) ? 'of' : 'one of'} these: ${choices.slice(0, MAX_NAMED).join(', ')}`
  if (maxLength !== undefined && isText(value) && value.length > maxLength)
    return `${name} must have at most ${maxLength} characters`
  return undefined
}

/** True if the values of an article can set a field. */
const isSettable = ({ type, filledBy }: CmsSchemaField): boolean => type !== 'other' && filledBy === undefined

/** Returns what is wrong with values for the fields of a CMS, each with the name of its field and what is allowed. */
const faultsOf = (values: OwnFields, { fields }: CmsSchema): string[] => {
  const settable = fields.filter(isSettable).map(({ name }) => name)
  return Object.entries(values).flatMap(([name, value]) => {
    const field = fields.find((one) => one.name === name)
    if (field) return faultOf(value, field) ?? []
    return `there is no field “${name}”. There are: ${settable.slice(0, MAX_NAMED).join(', ') || 'none that can be set'}`
  })
}

/**
 * Compares the article's own fields with the fields of the CMS, before anything is written there. Refuses values that do not fit. The
 * notes name fields that a CMS without own fields cannot have.
 */
export const checkOwnFields = async (
  cms: Cms,
  request: PublishRequest,
): Promise<{ kind: 'checked'; notes: string[] } | PublishOutcome> => {
  const { fields: values = {} } = request.article
  const names = Object.keys(values)
  if (names.length === 0 || !sends(updateOf(request), 'fields')) return { kind: 'checked', notes: [] }
  if (!cms.schema)
    return {
      kind: 'checked',
      notes: [`The platform has no fields of its own that can be set, so these were left out: ${names.join(', ')}.`],
    }
  const schema = await cms.schema()
  if (schema.kind !== 'done') return notMade(schema)
  const faults = faultsOf(values, schema.value)
  if (faults.length === 0) return { kind: 'checked', notes: [] }
  return {
    kind: 'refused',
    reason: `Fields of the article do not fit the platform: ${faults.join('; ')}. Nothing was sent.`,
    retryable: false,
  }
}
