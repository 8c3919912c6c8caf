import type { Child } from 'hono/jsx'
import type { Right } from '../accounts/people/roles.ts'
import type { FieldError } from '../platform/lib/errors.ts'
import { clockOfPage, mayHere, momentText, placeOf } from './zone.ts'

/** Returns a text that begins with a capital letter. */
export const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Returns the fault of a form's field, as a sentence; undefined if there is none. */
export const wrongWith = (errors: readonly FieldError[], name: string): string | undefined => {
  const found = errors.find(({ field }) => field === name)
  return found && `${upper(found.message.replaceAll('_', ' '))}.`
}

/** Renders a moment in words by the clock of the page, with the exact one for programs. `bare`: the page says the zone itself. */
export const Moment = ({ at, bare = false }: { at: Date | null; bare?: boolean }) => {
  const clock = clockOfPage()
  if (at === null) return <>never</>
  const words = momentText(at, clock)
  return (
    <time datetime={at.toISOString()} title={at.toISOString()}>
      {bare ? words : `${words} (${placeOf(clock.zone)})`}
    </time>
  )
}

/** Shows something only to those who have a right. */
export const For = ({ right, children }: { right: Right; children: Child }) => (mayHere(right) ? children : null)

/** Renders a table that becomes a list of labelled lines on narrow screens. The column of buttons has no head to be seen. */
export const Table = ({ caption, heads, rows }: { caption: string; heads: string[]; rows: Child[][] }) => (
  <table>
    <caption class="hint">{caption}</caption>
    <thead>
      <tr>
        {heads.map((head) => (
          <th scope="col">{head === '' ? <span class="unseen">What can be done</span> : head}</th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr>
          {row.map((cell, n) => (
            <td data-label={heads[n]}>
              <span>{cell}</span>
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)

export type Tone = 'good' | 'bad' | 'warn' | 'accent' | 'plain'

/** Renders a state as a shape and a word; its colour says the same. */
export const Pill = ({ tone = 'plain', shape, children }: { tone?: Tone; shape?: string; children: Child }) => (
  <span class={tone === 'plain' ? 'pill' : `pill ${tone}`}>
    {shape !== undefined && <i aria-hidden="true">{shape}</i>}
    {children}
  </span>
)

export const Empty = ({ children }: { children: Child }) => <div class="empty">{children}</div>

/** Renders a button that is a form of its own. `name` says what it acts on, for those who hear the page. */
export const ActionButton = (props: {
  action: string
  label: string
  name: string
  fields: Record<string, string>
  danger?: boolean
}) => (
  <form method="post" action={props.action}>
    {Object.entries(props.fields).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
    <button class={props.danger ? 'danger' : 'plain'} type="submit" aria-label={`${props.label} ${props.name}`.trim()}>
      {props.label}
    </button>
  </form>
)

type FieldProps = {
  name: string
  label: string
  hint?: string | undefined
  type?: 'text' | 'password' | 'email'
  value?: string | undefined
  /** Fault of the value that was sent. */
  error?: string | undefined
  required?: boolean
  minlength?: number
  maxlength?: number
  autocomplete?: string
}

const Wrong = ({ id, error }: { id: string; error: string | undefined }) =>
  error ? (
    <span class="error" id={`${id}-error`}>
      {error}
    </span>
  ) : null

/** Renders a text field with its hint and, where something was wrong, why. Of several such fields browsers go to the first. */
export const Field = ({ name, label, hint, type = 'text', value, error, required, ...rest }: FieldProps) => {
  const id = `field-${name}`
  const notes = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      <input
        id={id}
        type={type}
        name={name}
        value={value}
        required={required}
        aria-describedby={notes === '' ? undefined : notes}
        aria-invalid={error ? 'true' : undefined}
        autofocus={Boolean(error)}
        minlength={rest.minlength}
        maxlength={rest.maxlength ?? 4_000}
        autocomplete={rest.autocomplete ?? 'off'}
      />
      <Wrong id={id} error={error} />
    </div>
  )
}

/** Renders a choice among a few, and why what was sent is none of them. */
export const Select = (props: {
  name: string
  label: string
  options: readonly (readonly [value: string, label: string])[]
  chosen?: string | undefined
  error?: string | undefined
}) => {
  const id = `field-${props.name}`
  return (
    <label>
      {props.label}
      <select
        name={props.name}
        aria-describedby={props.error ? `${id}-error` : undefined}
        aria-invalid={props.error ? 'true' : undefined}
        autofocus={Boolean(props.error)}
      >
        {props.options.map(([value, label]) => (
          <option value={value} selected={value === props.chosen}>
            {label}
          </option>
        ))}
      </select>
      <Wrong id={id} error={props.error} />
    </label>
  )
}

/** Takes the place of a form that would end in a mail, if the operator has not set up mail. */
export const NoMail = () => <p class="notice">This service sends no mail yet; its operator has to set it up.</p>
