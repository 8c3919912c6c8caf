import * as z from 'zod/mini'
import type { FieldValue, OwnFields } from '../../../schema/values/own-fields.ts'
import { clearable } from '../../platform/lib/fields.ts'
import { hasForbiddenCharacters } from '../../platform/lib/text.ts'

/** Longest name of a field. */
export const MAX_FIELD_NAME = 200
/** Shopify sets 25 metafields in one call. */
const MAX_FIELDS = 25
const MAX_TEXT = 10_000
const MAX_LIST = 100

const isText = (value: unknown): boolean =>
  typeof value === 'string' && value.length <= MAX_TEXT && !hasForbiddenCharacters(value)

const isScalar = (value: unknown): boolean => isText(value) || (typeof value === 'number' && Number.isFinite(value))

/** True if a value can be sent to a field: a text, a number, true or false, null, or a list of texts and numbers. */
const isFieldValue = (value: unknown): value is FieldValue =>
  value === null ||
  typeof value === 'boolean' ||
  isScalar(value) ||
  (Array.isArray(value) && value.length <= MAX_LIST && value.every(isScalar))

const isName = (name: string): boolean =>
  name.trim() !== '' && name.length <= MAX_FIELD_NAME && !hasForbiddenCharacters(name)

/** True if these can be values of a platform's own fields. */
export const isOwnFields = (values: Readonly<Record<string, unknown>>): values is OwnFields =>
  Object.keys(values).length <= MAX_FIELDS &&
  Object.entries(values).every(([name, value]) => isName(name) && isFieldValue(value))

/** Returns fields in the order in which PostgreSQL returns the keys of JSON, so that the same fields are the same text. */
const inStoredOrder = (values: OwnFields): OwnFields => {
  const bytes = new TextEncoder()
  const keyed = Object.entries(values).map(([name, value]) => ({ name, value, key: bytes.encode(name) }))
  const firstDifference = (a: Uint8Array, b: Uint8Array): number => {
    const at = a.findIndex((byte, n) => byte !== b[n])
    return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0)
  }
  keyed.sort((a, b) => a.key.length - b.key.length || firstDifference(a.key, b.key))
  return Object.fromEntries(keyed.map(({ name, value }) => [name, value]))
}

const Values = z.record(
  z.string(),
  z.unknown().check(
    z.refine(isFieldValue, {
      error: `must be a text of at most ${MAX_TEXT} characters, a number, true, false, null, or a list of at most ${MAX_LIST} texts and numbers`,
    }),
  ),
)

/** Returns the schema of the values of a platform's own fields. Null clears them. */
export const ownFields = () =>
  clearable(
    z.pipe(
      Values.check(
        z.refine((values) => Object.keys(values).length <= MAX_FIELDS && Object.keys(values).every(isName), {
          error: `must have at most ${MAX_FIELDS} fields, with names of at most ${MAX_FIELD_NAME} characters`,
        }),
      ),
      z.transform((values) => inStoredOrder(values as OwnFields)),
    ),
    {},
  )
