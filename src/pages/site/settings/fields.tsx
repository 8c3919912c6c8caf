import { UpdateProject } from '../../../accounts/projects/operations.ts'
import { countryNames, WORLDWIDE } from '../../../platform/lib/countries.ts'
import type { FieldError } from '../../../platform/lib/errors.ts'
import { fieldErrors } from '../../../platform/lib/issues.ts'
import { LANGUAGES } from '../../../platform/lib/languages.ts'
import { upper } from '../../parts.tsx'

/** Choices of a field: the submitted value, and its label. */
type Options = readonly (readonly [value: string, label: string])[]

/** Kind of a setting, which decides its control. `lines` has an entry on each line; `listed` suggests names. */
type Kind =
  | { kind: 'text' | 'long'; max: number }
  | { kind: 'address' | 'time' | 'color' | 'switch' | 'dollars' }
  | { kind: 'lines'; max: number; wrong?: string }
  | { kind: 'number'; unit: string; min: number; max: number }
  | { kind: 'choice'; options: Options }
  | { kind: 'listed'; from: 'languages' | 'countries' | 'zones'; max: number; wrong: string }

/** Setting as people see it. `name` is the field of the API. */
type SettingField = Kind & { name: string; label: string; hint?: string }

/** Settings that are saved together. `about` has their purpose, and the time from which a change takes effect. */
export type Group = { key: string; title: string; about: string; fields: readonly SettingField[] }

/** Returns the choices of a closed list of values. A value without a label is a type error. */
export const choicesOf = <const Values extends readonly string[]>(
  values: Values,
  words: Record<Values[number], string>,
): Options => values.map((value) => [value, words[value as Values[number]]] as const)

/** Most characters of a short text, and of a long one. */
export const SHORT = 500
export const LONG = 10_000

/** Returns the suggestions for a field. The browser shows those that match the typed text. */
const suggestions = (from: 'languages' | 'countries' | 'zones'): readonly string[] => {
  if (from === 'languages') return LANGUAGES
  return from === 'countries' ? [WORLDWIDE, ...countryNames()] : ['UTC', ...Intl.supportedValuesOf('timeZone')]
}

type FieldProps = {
  field: SettingField
  /** Text of the field; for a switch, `yes` or empty. */
  text: string
  /** Error of the text, as a sentence. */
  wrong?: string | undefined
  /** Value that another person saved since the page was opened. */
  saved?: string | undefined
}

/** Renders a setting as the control for its kind, with its hint and its error. */
export const Setting = ({ field, text, wrong, saved }: FieldProps) => {
  const { name, label, hint } = field
  const id = `field-${name}`
  const notes = [hint && `${id}-hint`, saved !== undefined && `${id}-saved`, wrong && `${id}-error`].filter(Boolean)
  const shared = {
    id,
    name,
    'aria-describedby': notes.length === 0 ? undefined : notes.join(' '),
    'aria-invalid': wrong ? ('true' as const) : undefined,
    autofocus: Boolean(wrong),
  }
  const around = (
    <>
      {hint && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {saved !== undefined && (
        <span class="hint" id={`${id}-saved`}>
          Saved meanwhile: {saved === '' ? 'nothing' : saved}
        </span>
      )}
      {wrong && (
        <span class="error" id={`${id}-error`}>
          {wrong}
        </span>
      )}
    </>
  )
  if (field.kind === 'switch')
    return (
      <div class="field">
        <label class="check" for={id}>
          <input {...shared} type="checkbox" value="yes" checked={text === 'yes'} />
          {label}
        </label>
        {around}
      </div>
    )
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {around}
      <Control field={field} text={text} shared={shared} />
    </div>
  )
}

type Shared = { id: string; name: string }

const Control = ({ field, text, shared }: { field: SettingField; text: string; shared: Shared }) => {
  switch (field.kind) {
    case 'long':
    case 'lines':
      return (
        <textarea
          {...shared}
          rows={field.kind === 'lines' ? 4 : 5}
          maxlength={field.kind === 'long' ? field.max : undefined}
          dir="auto"
        >
          {text}
        </textarea>
      )
    case 'choice':
      return (
        <select {...shared}>
          {field.options.map(([value, label]) => (
            <option value={value} selected={value === text}>
              {label}
            </option>
          ))}
        </select>
      )
    case 'listed':
      return (
        <>
          <input
            {...shared}
            value={text}
            required
            maxlength={field.max}
            list={`list-${field.name}`}
            autocomplete="off"
          />
          <datalist id={`list-${field.name}`}>
            {suggestions(field.from).map((name) => (
              <option value={name} />
            ))}
          </datalist>
        </>
      )
    case 'number':
      return (
        <span class="row unit">
          <input {...shared} type="number" value={text} min={field.min} max={field.max} step={1} required />
          {field.unit}
        </span>
      )
    case 'dollars':
      return <input {...shared} value={text} inputmode="decimal" maxlength={12} autocomplete="off" />
    case 'time':
      return <input {...shared} type="time" value={text} required />
    case 'color':
      return <input {...shared} type="color" value={text} />
    case 'address':
      return <input {...shared} type="url" value={text} maxlength={2_000} autocomplete="off" />
    default:
      return (
        <input
          {...shared}
          value={text}
          maxlength={field.kind === 'text' ? field.max : undefined}
          autocomplete="off"
          dir="auto"
        />
      )
  }
}

/** Returns a value in words, for people who may not change it. */
export const inWords = (field: SettingField, text: string): string => {
  if (field.kind === 'switch') return text === 'yes' ? 'Yes' : 'No'
  if (field.kind === 'choice') return field.options.find(([value]) => value === text)?.[1] ?? text
  if (field.kind === 'color') return text === '#000000' ? 'None' : text
  if (field.kind === 'number') return `${text} ${field.unit}`
  return text === '' ? 'Nothing' : text.replaceAll('\n', ', ')
}

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
