import type { Child } from 'hono/jsx'
import type { Right } from '../accounts/people/roles.ts'
import type { FieldError } from '../platform/lib/errors.ts'
import { clockOfPage, momentText, placeOf, viewerMay } from './zone.ts'

/** Returns a text with a capital first letter. */
export const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Returns the error of a form field as a sentence; undefined if it has none. */
export const wrongWith = (errors: readonly FieldError[], name: string): string | undefined => {
  const found = errors.find(({ field }) => field === name || field.startsWith(`${name}.`))
  return found && `${upper(found.message.replaceAll('_', ' '))}.`
}

/** Renders a time in words, by the page's clock, with the exact time for programs. `bare` leaves out the zone. */
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

/** Renders its children only if the person has the right. */
export const For = ({ right, children }: { right: Right; children: Child }) => (viewerMay(right) ? children : null)

/** Renders a table that becomes a list of labelled lines on narrow screens. A column with an empty head gets a hidden one. */
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

/** Colour of a state: good, bad, needs attention, under way, or none. */
export type Tone = 'good' | 'bad' | 'warn' | 'accent' | 'plain'

/** Renders a state as a shape, a word and a colour. */
export const Pill = ({ tone = 'plain', shape, children }: { tone?: Tone; shape?: string; children: Child }) => (
  <span class={tone === 'plain' ? 'pill' : `pill ${tone}`}>
    {shape !== undefined && <i aria-hidden="true">{shape}</i>}
    {children}
  </span>
)

/**
 * Renders the state of a connection by its last use or test: works, does not work, or not tried yet.
 *
 * "Works" needs a use that succeeded. `error` is that of the last use.
 */
export const ConnectionPill = ({ isTried, error }: { isTried: boolean; error: string | null }) =>
  error !== null ? (
    <Pill tone="bad" shape="▲">
      Does not work
    </Pill>
  ) : isTried ? (
    <Pill tone="good" shape="●">
      Works
    </Pill>
  ) : (
    <Pill tone="warn" shape="○">
      Not tried yet
    </Pill>
  )

/** Renders the box that stands for a list without entries. */
export const Empty = ({ children }: { children: Child }) => <div class="empty">{children}</div>

/** Renders a button in a form of its own. `name` tells screen readers what the button acts on. */
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
  /** Error of the value that was sent. */
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

/** Renders a text field with its hint and its error. Browsers focus the first field with an error. */
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

/** Renders a select with a few options, and the error of the value that was sent. */
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

/** Replaces a form that needs mail if the operator has not set up mail. */
export const NoMail = () => <p class="notice">This service sends no mail yet; its operator has to set it up.</p>
