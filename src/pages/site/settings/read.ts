import { UpdateProject } from '../../../accounts/projects/operations.ts'
import type { FieldError } from '../../../platform/lib/errors.ts'
import { fieldErrors } from '../../../platform/lib/issues.ts'
import { upper } from '../../parts.tsx'
import type { Group, SettingField } from './kinds.ts'

/** Values of a site's settings, by the field names of the API. */
export type Values = Readonly<Record<string, unknown>>

/** Submitted fields of a form. */
type Sent = Readonly<Record<string, string>>

/** Returns a value as its field shows it. */
export const shownAs = ({ kind }: SettingField, value: unknown): string => {
  if (kind === 'switch') return value === true ? 'yes' : ''
  if (kind === 'color') return typeof value === 'string' ? value.toLowerCase() : '#000000'
  if (Array.isArray(value)) return value.join('\n')
  return value === null || value === undefined ? '' : String(value)
}

/** Returns the submitted text of a field; undefined if the form lacks it. Browsers send nothing for a switch that is off. */
const typedIn = (field: SettingField, sent: Sent): string | undefined => {
  const text = sent[field.name]
  if (field.kind === 'switch') return text === 'yes' ? 'yes' : ''
  return text?.replaceAll(/\r\n?/g, '\n').trim()
}

const entriesOf = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
]

/** Kinds of fields that may be empty. An empty one resets its setting to the default. */
const CLEARED: readonly SettingField['kind'][] = ['text', 'long', 'address', 'dollars']

/** Returns a typed text as a value for the API. */
const givenAs = ({ kind }: SettingField, text: string): unknown => {
  if (kind === 'switch') return text === 'yes'
  if (kind === 'lines') return entriesOf(text)
  if (text === '' && CLEARED.includes(kind)) return null
  if (kind === 'number' || kind === 'dollars') return /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  return text
}

const NO_SIGNS = 'It has characters that no text may have.'

/** Returns the sentence on a wrong value, for people. */
const sentenceOn = (field: SettingField, { field: path, message }: FieldError, given: unknown): string => {
  if (message.includes('lone surrogates')) return NO_SIGNS
  const near = /Did you mean .+\?$/.exec(message)?.[0]
  const isHost = /public host|must use port/.test(message)
  switch (field.kind) {
    case 'lines': {
      const entry = (given as string[])[Number(path.split('.')[1] ?? Number.NaN)]
      if (entry === undefined)
        return isHost ? 'One of these addresses cannot be reached from outside.' : `${upper(message)}.`
      return `“${entry.slice(0, 60)}” ${entry.length <= field.max && field.wrong ? field.wrong : message}.`
    }
    case 'address':
      return isHost
        ? 'This address cannot be reached from outside.'
        : 'That is not an address: write it with https:// and without spaces.'
    case 'listed':
      return near === undefined ? field.wrong : `${field.wrong} ${near}`
    case 'number':
      return `Type a whole number from ${field.min} to ${field.max}.`
    case 'dollars':
      return 'Type dollars such as 120 or 99.50, or nothing.'
    case 'time':
      return 'Type a time such as 09:00.'
    case 'color':
      return 'That is not a colour.'
    case 'choice':
      return 'Choose one of the list.'
    default:
      return `${upper(message)}.`
  }
}

/** Form after reading: the changes, the texts of its fields, and the errors by field. */
export type Read = { changes: Record<string, unknown>; typed: Record<string, string>; wrong: Record<string, string> }

/** Returns a sentence for each field of a group that has an error. */
export const sentencesOn = (
  { fields }: Group,
  errors: readonly FieldError[],
  given: Values,
): Record<string, string> => {
  const wrong: Record<string, string> = {}
  for (const error of errors) {
    const field = fields.find(({ name }) => name === error.field.split('.')[0])
    if (field) wrong[field.name] ??= sentenceOn(field, error, given[field.name])
  }
  return wrong
}

/**
 * Reads the form of a group.
 *
 * Only values that differ from the saved ones are changes. So the scan of the site can still fill in fields that nobody
 * typed.
 */
export const readGroup = (group: Group, saved: Values, sent: Sent): Read => {
  const typed: Record<string, string> = {}
  const given: Record<string, unknown> = {}
  for (const field of group.fields) {
    const [text, shown] = [typedIn(field, sent), shownAs(field, saved[field.name])]
    typed[field.name] = text ?? shown
    if (text !== undefined && text !== shown) given[field.name] = givenAs(field, text)
  }
  const parsed = UpdateProject.safeParse(given)
  if (parsed.success) return { changes: parsed.data, typed, wrong: {} }
  return { changes: given, typed, wrong: sentencesOn(group, fieldErrors(parsed.error.issues, given), given) }
}
