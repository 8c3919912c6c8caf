import type { ErrorCode } from '../../schema/values/errors.ts'
import { fieldNames } from '../../src/platform/http/ignored.ts'
import { type Operation, paramNames } from '../../src/platform/http/operation.ts'

/** Codes that every operation of a kind can return. `of` names the kind. */
type ErrorRule = { of: string; codes: readonly ErrorCode[]; holds: (op: Operation) => boolean }

/** Codes from admission, request parsing and idempotency. A table of operations names only its own codes. */
export const ERROR_RULES: readonly ErrorRule[] = [
  {
    of: 'every operation',
    codes: ['unauthorized', 'account_inactive', 'rate_limited', 'invalid_input', 'unavailable', 'internal'],
    holds: () => true,
  },
  {
    of: 'an operation with an ID or a name in its path',
    codes: ['invalid_id'],
    holds: ({ path }) => paramNames(path).length > 0,
  },
  {
    of: 'an operation with a JSON body',
    codes: ['invalid_json', 'unsupported_media_type'],
    holds: ({ json }) => json !== undefined,
  },
  {
    of: 'an operation with a JSON body without required fields',
    codes: ['no_fields'],
    holds: ({ json }) => json !== undefined && fieldNames(json) !== undefined && json.safeParse({}).success,
  },
  {
    of: 'an operation with a method other than GET',
    codes: ['body_too_large'],
    holds: ({ method }) => method !== 'GET',
  },
  {
    of: 'a POST, for its `Idempotency-Key`',
    codes: ['idempotency_in_progress', 'idempotency_key_reused'],
    holds: ({ method }) => method === 'POST',
  },
  {
    of: 'an operation that takes `If-Match`',
    codes: ['changed_meanwhile'],
    holds: ({ ifMatch }) => ifMatch === true,
  },
  {
    of: 'an operation with a wider scope than `read`',
    codes: ['key_may_not'],
    holds: ({ scope }) => scope !== 'read',
  },
]

/** Returns the codes that an operation can return because of its kind. */
export const kindErrors = (op: Operation): ErrorCode[] =>
  ERROR_RULES.flatMap(({ codes, holds }) => (holds(op) ? codes : []))

/** Returns every code that an operation can return. */
export const errorsOf = (op: Operation): ErrorCode[] => [...kindErrors(op), ...op.errors]
