import * as z from 'zod/mini'
import { hasForbiddenCharacters } from './text.ts'
import { isoFault } from './time.ts'
import { checkPublicUrl, hasBlanks, NO_BLANKS } from './urls.ts'

/**
 * Returns a field with its meaning in a sentence, for the reference, the API description and the client.
 *
 * `otherwise`: the value if the field is left out, as a phrase. A schema that has a sentence already is copied.
 */
export const means = <T extends z.ZodMiniType>(sentence: string, field: T, otherwise?: string): T => {
  const known = z.globalRegistry.get(field)
  const own = known?.description === undefined ? field : field.clone()
  z.globalRegistry.add(own, { ...known, description: sentence, otherwise })
  return own
}

/** Returns a field whose name needs no explanation. */
export const selfExplanatory = <T extends z.ZodMiniType>(field: T): T => means('', field)

/** Checks that many fields share, because every check costs time when a Worker starts. */
const trimmed = z.trim()
const printable = z.refine<string>((value) => !hasForbiddenCharacters(value), {
  error: 'must not contain control characters or lone surrogates',
})

/** Returns a trimmed text of `min` to `max` characters without control characters. */
export const text = (max: number, min = 0) => z.string().check(trimmed, z.minLength(min), z.maxLength(max), printable)

/** Returns a token for an HTTP header: visible ASCII without blanks. */
export const headerToken = (max: number) =>
  z.string().check(
    trimmed,
    z.minLength(1),
    z.maxLength(max),
    z.refine((value) => /^[\x21-\x7e]+$/.test(value), { error: 'must be visible ASCII characters without blanks' }),
  )

/** Returns a `headerToken` that may contain blanks, for passwords that are shown in groups. */
export const headerLine = (max: number) =>
  z.string().check(
    trimmed,
    z.minLength(1),
    z.maxLength(max),
    z.refine((value) => /^[\x20-\x7e]+$/.test(value), { error: 'must be visible ASCII characters' }),
  )

/** Returns a text that is kept exactly as sent, including blanks. */
export const rawText = (max: number) => z.string().check(z.maxLength(max), printable)

/** Returns a boolean of a query: `true` or `false` in any case, or `1` or `0`. */
export const flag = () =>
  z.pipe(
    z.string().check(
      z.refine((value) => /^(true|false|1|0)$/i.test(value), {
        error: 'must be true or false',
        params: { allowed: ['true', 'false'] },
      }),
    ),
    z.transform((value) => /^(true|1)$/i.test(value)),
  )

/** Returns one of a list of labels. Ignores case and returns the list's spelling. */
export const label = <const T extends readonly string[]>(values: T) =>
  z.pipe(
    z.string().check(
      trimmed,
      z.refine((given) => values.some((v) => v.toLowerCase() === given.toLowerCase()), {
        error: `must be one of: ${values.join(', ')}`,
        params: { allowed: values },
      }),
    ),
    z.transform((given) => values.find((v) => v.toLowerCase() === given.toLowerCase()) as T[number]),
  )

const MAX_ENTRIES = 200
const MAX_ENTRY = 500

const atLineEnds = (value: string): string[] => value.split(/[\r\n]/)
const atLineEndsAndCommas = (value: string): string[] => value.split(/[\r\n,]/)

const listOf = (
  split: (value: string) => string[],
  form: string,
  entry: (value: string) => string | undefined = (value) => value,
  wrong = 'is not valid',
) =>
  z.pipe(
    z.union([z.array(z.string()), z.string()], { error: `must be a list of strings, or text with ${form}` }),
    z.pipe(
      z.transform((given: string | string[]) => [
        ...new Set((Array.isArray(given) ? given : split(given)).map((v) => v.trim()).filter((v) => v !== '')),
      ]),
      z.pipe(
        z
          .array(
            z.string().check(
              z.maxLength(MAX_ENTRY),
              printable,
              z.refine((v) => entry(v) !== undefined, { error: wrong }),
            ),
          )
          .check(z.maxLength(MAX_ENTRIES)),
        z.transform((values: string[]) => [...new Set(values.map((v) => entry(v) ?? v))]),
      ),
    ),
  )

/**
 * Returns a list, sent as an array or as text split at lines and commas. At most 200 entries of 500 characters.
 *
 * Blank entries and duplicates are dropped.
 */
export const list = (entry?: (value: string) => string | undefined, wrong?: string) =>
  listOf(atLineEndsAndCommas, 'commas or line ends', entry, wrong)

/** Returns a list, sent as an array or as one entry per line, for entries that may contain commas. */
export const lines = () => listOf(atLineEnds, 'one a line')

const urlWith = (params: { isAddress?: true }) =>
  z.string().check(
    trimmed,
    z.maxLength(2_000),
    z.refine((value) => isHttpUrl(value), { error: faultOfUrl, params }),
  )

/**
 * Returns an absolute http(s) URL without credentials, at most 2,000 characters.
 *
 * Its host and port are checked where it is used: a public host and a port of the web.
 */
export const httpUrl = () => urlWith({})

/** Returns an `httpUrl`; empty text clears the field. */
export const urlOrEmpty = () => z.union([z.literal(''), httpUrl()], { error: faultOfUrl })

/** Returns a check for addresses in a format of their own: no white space or control characters. */
export const noBlanks = () => z.refine<string>((value) => !hasBlanks(value), { error: NO_BLANKS })

/** Returns an `httpUrl` that the service will call: other schemes and credentials are refused as `forbidden_url`. */
export const fetchableUrl = () => urlWith({ isAddress: true })

const faultOfUrl = ({ input }: { input?: unknown }): string =>
  typeof input === 'string' && hasBlanks(input)
    ? NO_BLANKS
    : 'must be an absolute http or https URL without credentials'

const isHttpUrl = (value: string): boolean => {
  if (hasBlanks(value)) return false
  const checked = checkPublicUrl(value, true)
  return 'url' in checked || checked.refusal === 'private_host' || checked.refusal === 'port'
}

/** Returns an ISO 8601 date or date-time. */
export const isoTime = () =>
  z.string().check(
    z.refine((value) => isoFault(value) === undefined, {
      error: ({ input }) => isoFault(typeof input === 'string' ? input : ''),
    }),
  )

/** Returns an ISO 8601 date or date-time; null and empty text clear the field. */
export const timeOrEmpty = () =>
  z.pipe(
    z.nullable(
      z.string().check(
        z.refine((value) => value === '' || isoFault(value) === undefined, {
          error: ({ input }) => isoFault(typeof input === 'string' ? input : ''),
        }),
      ),
    ),
    z.transform((value) => (value === '' ? null : value)),
  )

/** Returns a field that null also clears. */
export const clearable = <T extends z.ZodMiniType>(field: T, empty: z.output<T>) =>
  z.pipe(
    z.nullable(field),
    z.transform((value): z.output<T> => (value === null ? empty : (value as z.output<T>))),
  )

/** Returns a field that is left out if it is null, because it cannot be cleared. */
export const absentIfNull = <T extends z.ZodMiniType>(field: T) =>
  z.pipe(
    z.nullable(field),
    z.transform((value): z.output<T> | undefined => (value === null ? undefined : (value as z.output<T>))),
  )

/** Largest id: PostgreSQL's `integer` has 32 bits. */
export const MAX_ID = 2_147_483_647

/** Returns an id in JSON: a positive 32-bit integer. */
export const id = () => z.int().check(z.gte(1), z.lte(MAX_ID))

const isAbove = (given: unknown, max: number): boolean =>
  typeof given === 'string' && /^\d+$/.test(given) && Number(given) > max

/** Returns an integer of a query string, within bounds. */
export const intParam = (min: number, max = MAX_ID) =>
  z.pipe(
    z.string().check(
      z.refine((value) => /^-?\d{1,15}$/.test(value) && Number(value) >= min && Number(value) <= max, {
        error: ({ input }) =>
          max === MAX_ID && !isAbove(input, max)
            ? `must be an integer of at least ${min}`
            : `must be an integer from ${min} to ${max}`,
        params: { allowed: { min, max } },
      }),
    ),
    z.transform((value) => Number(value)),
  )

const lists = new WeakSet<z.core.$ZodType>()

/** True if a query parameter is a list, which may be given several times. */
export const isListParam = (schema: z.core.$ZodType): boolean => {
  const { innerType } = schema._zod.def as { innerType?: z.core.$ZodType }
  return lists.has(innerType ?? schema)
}

/** Returns labels from a comma-separated list of a query, in the spelling of `values`, without duplicates. */
export const labels = <const T extends readonly string[]>(values: T) => {
  const find = (given: string) => values.find((v) => v.toLowerCase() === given.toLowerCase()) as T[number] | undefined
  const split = (given: string) => given.split(',').map((part) => part.trim())
  const list = z.pipe(
    z.string().check(
      z.maxLength(500),
      z.refine((given) => split(given).every((part) => find(part) !== undefined), {
        error: `must be one of, or a comma list of: ${values.join(', ')}`,
        params: { allowed: values, isList: true },
      }),
    ),
    z.transform((given) => [...new Set(split(given).map((part) => find(part) as T[number]))]),
  )
  lists.add(list)
  return list
}

const isCents = (dollars: number): boolean => Math.abs(dollars * 100 - Math.round(dollars * 100)) < 1e-6

/** Returns an amount of dollars with at most two decimals, converted to cents. */
export const dollars = (min: number, max: number) =>
  z.pipe(
    z.number().check(
      z.refine((value) => value >= min && value <= max && isCents(value), {
        error: `must be dollars from ${min} to ${max} with at most two decimals`,
        params: { allowed: { min, max } },
      }),
    ),
    z.transform((value: number) => Math.round(value * 100)),
  )
