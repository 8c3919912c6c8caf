import { ERROR_CODES, type ErrorCode } from '../../../schema/values/errors.ts'

/** One rejected field and why. `allowed`: its values, if they are a list or a range. */
export type FieldError = { field: string; message: string; allowed?: unknown }

/** Fields of an error answer, in addition to `error`, `code`, `retryable` and `request_id`. */
export type ErrorExtras = {
  details?: FieldError[]
  retry_after?: number
  next_calls?: { method: string; path: string; body?: unknown; why: string }[]
  instructions_for_agent?: string
  upstream?: { name: string; status?: number; message: string }
  [field: string]: unknown
}

/**
 * The only error that this service throws on purpose.
 *
 * `message` is a plain sentence for the caller. It reveals nothing internal, neither ours nor other systems'.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly extras: ErrorExtras

  constructor(code: ErrorCode, message: string, extras: ErrorExtras = {}, cause?: unknown) {
    super(message, { cause })
    this.code = code
    this.extras = extras
  }

  get status() {
    return ERROR_CODES[this.code].status
  }

  /** True if the same call may succeed later. */
  get retryable(): boolean {
    return ERROR_CODES[this.code].retryable
  }
}

/** Returns the address of an error code's page. `publicUrl`: the service's address, without a slash at its end. */
const docsUrl = (code: ErrorCode, publicUrl: string): string => `${publicUrl}/docs/errors/${code}`

/** Returns the body of an error answer. `publicUrl`: the service's address; the code's page is below it. */
export const errorBody = (error: ApiError, requestId: string, publicUrl: string): Record<string, unknown> => ({
  ...(ERROR_CODES[error.code].isNamed ? { error: error.code, message: error.message } : { error: error.message }),
  code: error.code,
  retryable: error.retryable,
  ...(error.status === 400 ? { details: [{ field: 'path', message: error.message }] } : {}),
  docs_url: docsUrl(error.code, publicUrl),
  ...error.extras,
  request_id: requestId,
})

const MAX_DETAILS = 50
const MAX_FIELDS = 200

/** Returns a limited number of details: first one for each field of the body, then others. */
const chosen = (details: readonly FieldError[]): FieldError[] => {
  const seen = new Set<string>()
  const isFirst = details.map(({ field }) => seen.size < seen.add(field.split('.')[0] ?? '').size)
  const room = Math.max(0, MAX_DETAILS - isFirst.filter(Boolean).length)
  let others = 0
  return details.filter((_, n) => {
    if (isFirst[n]) return true
    others += 1
    return others <= room
  })
}

/** Returns the 400 for rejected fields. Its message is the first fault; it names at most 50 faults in `details`. */
export const invalidInput = (details: FieldError[]): ApiError => {
  const fields = [...new Set(details.map((d) => d.field))]
  const first = details[0]
  return new ApiError('invalid_input', first ? `${first.field}: ${first.message}` : 'The request is not valid.', {
    details: chosen(details).slice(0, MAX_DETAILS),
    ...(fields.length > 1 ? { invalid_fields: fields.slice(0, MAX_FIELDS) } : {}),
  })
}

/** Returns the refusal of a body with nothing to do, with the names it could have. */
export const noFields = (
  message: string,
  allowed: readonly string[],
  fault = 'has no field this operation knows',
): ApiError => new ApiError('no_fields', message, { details: [{ field: 'body', message: fault, allowed }] })
