import type * as z from 'zod/mini'
import { ApiError, type FieldError, invalidInput } from './errors.ts'
import { checkPublicUrl } from './urls.ts'

const TYPE_NAMES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

const valueAt = (data: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? (at as Record<PropertyKey, unknown>)[key] : undefined),
    data,
  )

const sized = (issue: { origin: string }, count: unknown, word: 'least' | 'most'): string => {
  const isOne = String(count) === '1'
  if (issue.origin === 'string') return `must have at ${word} ${String(count)} ${isOne ? 'character' : 'characters'}`
  if (issue.origin === 'array') return `must have at ${word} ${String(count)} ${isOne ? 'entry' : 'entries'}`
  return `must be at ${word} ${String(count)}`
}

const stated = ({ message }: z.core.$ZodIssue): string =>
  message && message !== 'Invalid input' ? message : 'is not valid'

/** Returns the types of a field's alternatives, if the value's type is the only fault in each of them. */
const formsOf = (issue: z.core.$ZodIssueInvalidUnion): string[] => {
  if (issue.message !== 'Invalid input') return []
  const firsts = issue.errors.map(([first]) => first)
  const types = firsts.flatMap((first) =>
    first?.code === 'invalid_type' && first.path.length === 0 ? [TYPE_NAMES[first.expected] ?? first.expected] : [],
  )
  return types.length === firsts.length ? [...new Set(types)] : []
}

const describe = (issue: z.core.$ZodIssue, missing: boolean): Omit<FieldError, 'field'> => {
  if (missing && issue.code !== 'custom') return { message: 'is required' }
  switch (issue.code) {
    case 'invalid_type':
      return { message: `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}` }
    case 'invalid_value':
      return { message: `must be one of: ${issue.values.join(', ')}`, allowed: issue.values }
    case 'too_small':
      return issue.origin === 'string' && issue.minimum === 1
        ? { message: 'must not be empty' }
        : { message: sized(issue, issue.minimum, 'least'), allowed: { min: Number(issue.minimum) } }
    case 'too_big':
      return { message: sized(issue, issue.maximum, 'most'), allowed: { max: Number(issue.maximum) } }
    case 'custom':
      return {
        message: issue.message,
        ...(issue.params?.allowed === undefined ? {} : { allowed: issue.params.allowed }),
      }
    case 'invalid_union': {
      const forms = formsOf(issue)
      return { message: forms.length > 0 ? `must be ${forms.join(' or ')}` : stated(issue) }
    }
    default:
      return { message: stated(issue) }
  }
}

const MAX_NAMES = 20
const MAX_NAME = 50

/** Returns one issue for each unknown name of an object; any other issue unchanged. */
const named = (issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.slice(0, MAX_NAMES).map((key) => ({
        code: 'custom',
        path: [...issue.path, key.slice(0, MAX_NAME)],
        message: issue.message,
        input: undefined,
      }))
    : [issue]

/** True if an alternative cannot be meant, because the value has another type. */
const isOtherType = (first: z.core.$ZodIssue | undefined): boolean =>
  first?.path.length === 0 &&
  (first.code === 'invalid_type' || (first.code === 'custom' && first.params?.isType === true))

/** Returns the issues of the only alternative with the value's type; the issue itself if there is not exactly one. */
const meant = (issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] => {
  if (issue.code !== 'invalid_union' || issue.message !== 'Invalid input') return [issue]
  const [form, other] = issue.errors.filter(([first]) => !isOtherType(first))
  return form && !other ? form.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })) : [issue]
}

const MAX_SAFE = Number.MAX_SAFE_INTEGER

/** True if an issue only reports that a number is outside the safe integers. */
const isBeyondCounting = (issue: z.core.$ZodIssue): boolean =>
  (issue.code === 'too_big' && issue.maximum === MAX_SAFE) ||
  (issue.code === 'too_small' && issue.minimum === -MAX_SAFE)

/** Removes the safe-integer bound of fields that also broke a narrower rule of their own. */
const narrowed = (issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] => {
  const fieldsElse = new Set(issues.filter((issue) => !isBeyondCounting(issue)).map(({ path }) => path.join('.')))
  return issues.filter((issue) => !isBeyondCounting(issue) || !fieldsElse.has(issue.path.join('.')))
}

/** Returns the faults of all fields. */
const faultsOf = (issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] =>
  narrowed(issues.flatMap(meant).flatMap(named))

const fieldOf = (issue: z.core.$ZodIssue, data: unknown): FieldError => ({
  field: issue.path.length > 0 ? issue.path.join('.') : 'body',
  ...describe(issue, issue.path.length > 0 && valueAt(data, issue.path) === undefined),
})

/** Returns the fields that a validator rejected, in the form of the API. `data`: the input, to tell "missing" from "wrong". */
export const fieldErrors = (issues: readonly z.core.$ZodIssue[], data: unknown): FieldError[] =>
  faultsOf(issues).map((issue) => fieldOf(issue, data))

/** True if the fault is an address's scheme or credentials, for addresses that would be called. */
const isForbiddenAddress = (issue: z.core.$ZodIssue, data: unknown): boolean => {
  if (issue.code !== 'custom' || issue.params?.isAddress !== true) return false
  const checked = checkPublicUrl(String(valueAt(data, issue.path)).trim(), true)
  return 'refusal' in checked && ['not_http', 'credentials'].includes(checked.refusal)
}

/**
 * Returns the refusal of rejected input: 400 `forbidden_url` if only forbidden addresses are wrong, else `invalid_input`.
 *
 * `sentAs`: fields that were sent under another name.
 */
export const refusalOf = (
  issues: readonly z.core.$ZodIssue[],
  data: unknown,
  sentAs: Readonly<Record<string, string>> = {},
): ApiError => {
  const all = faultsOf(issues)
  const details = all.map((issue) => {
    const fault = fieldOf(issue, data)
    return { ...fault, field: sentAs[fault.field] ?? fault.field }
  })
  const [first] = details
  return first && all.every((issue) => isForbiddenAddress(issue, data))
    ? new ApiError('forbidden_url', `${first.field}: ${first.message}`, { details })
    : invalidInput(details)
}

/** Returns the fields of body and query together. Throws 400 if a field has different values in both. */
export const mergedInput = <Q extends object, B extends object>(query: Q, body: B): Q & B => {
  const sent = { ...body } as Record<string, unknown>
  const differ = Object.entries(query).filter(([name, value]) => name in sent && sent[name] !== value)
  if (differ.length === 0) return { ...query, ...body }
  throw invalidInput(
    differ.map(([field]) => ({ field, message: 'is another in the body than in the query; give it once' })),
  )
}

type Given<T, Name extends keyof T> = { [Key in Name]-?: NonNullable<T[Key]> }

/** Checks fields that are required, in either body or query. Throws 400 with those that are missing. */
export const required = <T extends object, Name extends keyof T & string>(
  input: T,
  names: readonly Name[],
): Given<T, Name> => {
  const missing = names.filter((name) => input[name] === undefined || input[name] === null)
  if (missing.length > 0) throw invalidInput(missing.map((field) => ({ field, message: 'is required' })))
  return input as Given<T, Name>
}
