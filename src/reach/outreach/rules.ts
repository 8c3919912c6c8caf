import type { OutreachKind } from '../../../schema/values/outreach.ts'
import { instantOf } from '../../platform/lib/time.ts'

/** A row as the caller sent it, with known fields and others. */
export type SentRow = { id: string; updated_at?: string | undefined; [field: string]: unknown }

/** Most rows of one kind in a call. */
export const MAX_ROWS = 1_000

/** Deepest nesting of a row's unknown fields, and the greatest length of a row as JSON. */
const MAX_DEPTH = 16
const MAX_ROW_CHARS = 20_000

const FORBIDDEN = 'must not contain the character U+0000 or lone surrogates'

const isStorable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed()

/** Fault of a value, and the field names that lead to it. */
type Fault = { message: string; at: string[] }

const faultOfNumber = (value: number): string | undefined => {
  if (!Number.isFinite(value)) return 'must not contain a number that is too large'
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return undefined
  return `must not contain a whole number past ${Number.MAX_SAFE_INTEGER}, which would be rounded: send it as text`
}

/** Returns the fault of a value that cannot be stored unchanged; undefined if it can. */
const faultOfValue = (value: unknown, depth: number): Fault | undefined => {
  const fault = (message: string | undefined): Fault | undefined =>
    message === undefined ? undefined : { message, at: [] }
  if (typeof value === 'string') return isStorable(value) ? undefined : fault(FORBIDDEN)
  if (typeof value === 'number') return fault(faultOfNumber(value))
  if (typeof value !== 'object' || value === null) return undefined
  if (depth === MAX_DEPTH) return fault(`must not be nested deeper than ${MAX_DEPTH} levels`)
  for (const [name, inner] of Object.entries(value)) {
    if (!isStorable(name)) return fault(FORBIDDEN)
    const found = faultOfValue(inner, depth + 1)
    if (found) return { ...found, at: [name, ...found.at] }
  }
  return undefined
}

const MAX_PATH = 100
const told = ({ message, at }: Fault): string =>
  at.length === 0 ? message : `${message} (in ${at.join('.').slice(0, MAX_PATH)})`

/** Limits of a row, for messages. */
export const ROW_LIMITS = `at most ${MAX_ROW_CHARS} characters as JSON, nested at most ${MAX_DEPTH} levels; fields beside these are kept as they are sent`

/** Returns the fault of a row that cannot be stored unchanged; undefined if it can. */
export const faultOfRow = (row: unknown): string | undefined => {
  const fault = faultOfValue(row, 0)
  if (fault) return told(fault)
  const isLong = (JSON.stringify(row) ?? '').length > MAX_ROW_CHARS
  return isLong ? `must have at most ${MAX_ROW_CHARS} characters as JSON` : undefined
}

/** The one field name that schemas drop. */
const UNKEPT = '__proto__'

/** Returns the fault of a row with a field that would be dropped; undefined if it has none. */
export const faultOfNames = (row: unknown): string | undefined =>
  typeof row === 'object' && row !== null && Object.hasOwn(row, UNKEPT)
    ? `must not have a field named ${UNKEPT}: give it another name`
    : undefined

/** Returns the instant of an ISO 8601 text in microseconds since 1970; a text without an offset is read as UTC. */
const microsOf = (time: string): number => {
  const beyondMs = /[.,]\d{3}(\d{1,3})/.exec(time)?.[1] ?? ''
  return instantOf(time, 'UTC').getTime() * 1_000 + Number(beyondMs.padEnd(3, '0'))
}

/** Returns the version of a row: its `updated_at`, if it has one. */
export const versionOf = ({ updated_at: at }: SentRow): number | null => (at === undefined ? null : microsOf(at))

/**
 * Returns the identity of a row. For suppressions it includes the target, so that no other row with the same id replaces one.
 */
const identityOf = (kind: OutreachKind, row: SentRow): string =>
  kind === 'suppressions' ? `${suppressionKey(row as never)}\n${row.id}` : row.id

/** Returns the rows without duplicates: the newest of each, and the last of equally new ones. */
export const newestOf = (kind: OutreachKind, rows: readonly SentRow[]): SentRow[] => {
  const newest = new Map<string, SentRow>()
  for (const row of rows) {
    const key = identityOf(kind, row)
    const other = newest.get(key)
    if (!other || (versionOf(row) ?? -Infinity) >= (versionOf(other) ?? -Infinity)) newest.set(key, row)
  }
  return [...newest.values()]
}

/** Returns the form in which addresses are compared. Case makes no difference in email addresses and account names. */
export const addressOf = (text: string): string => text.trim().toLowerCase()

/** Returns the domain of an email address and those above it: `a@mail.example.com` has `mail.example.com` and `example.com`. */
export const domainsOf = (address: string): string[] => {
  const domain = /@([^@\s]+)$/.exec(address)?.[1]
  if (domain === undefined) return []
  const labels = domain.split('.')
  return labels.slice(0, Math.max(1, labels.length - 1)).map((_, from) => labels.slice(from).join('.'))
}

/** Returns the target of a suppression: `person:<id>`, `address:<address>` or `domain:<name>`. */
export const suppressionKey = ({ kind, value }: { kind: 'email' | 'domain' | 'person'; value: string }): string => {
  if (kind === 'person') return `person:${value}`
  const address = addressOf(value)
  return kind === 'email' ? `address:${address}` : `domain:${address.replace(/^@/, '').replace(/\.$/, '')}`
}
