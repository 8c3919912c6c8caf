import { countryNames, WORLDWIDE } from '../../../platform/lib/countries.ts'
import { LANGUAGES } from '../../../platform/lib/languages.ts'
import type { SettingField } from './kinds.ts'

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
