/** All error codes, with their status and whether the same call may succeed later. Docs and tests are made from this list. */
export const ERROR_CODES = {
  invalid_input: { status: 400, retryable: false },
  invalid_json: { status: 400, retryable: false },
  invalid_id: { status: 400, retryable: false },
  forbidden_url: { status: 400, retryable: false },
  no_fields: { status: 400, retryable: false },
  published_article: { status: 400, retryable: false },
  not_published: { status: 400, retryable: false },
  empty_content: { status: 400, retryable: false },
  no_cms_integration: { status: 400, retryable: false },
  unsupported_platform: { status: 400, retryable: false },
  unsupported_for_sync: { status: 400, retryable: false },
  profile_not_connected: { status: 404, retryable: false },
  no_social_account: { status: 400, retryable: false },
  nothing_to_roll_back: { status: 409, retryable: false },
  unauthorized: { status: 401, retryable: false },
  account_inactive: { status: 401, retryable: false },
  project_limit_reached: { status: 402, retryable: true },
  plan_not_included: { status: 402, retryable: true },
  plan_required: { status: 402, retryable: true },
  no_article_credits: { status: 402, retryable: true },
  byo_keys_required: { status: 402, retryable: false },
  byo_keys_invalid: { status: 402, retryable: false },
  budget_reached: { status: 402, retryable: true },
  key_budget_used: { status: 402, retryable: true },
  key_may_not: { status: 403, retryable: false },
  policy: { status: 403, retryable: false },
  beta_closed: { status: 403, retryable: false },
  not_entitled: { status: 403, retryable: false },
  forbidden: { status: 403, retryable: false },
  not_found: { status: 404, retryable: false },
  unknown_path: { status: 404, retryable: false },
  method_not_allowed: { status: 405, retryable: false },
  already_being_written: { status: 409, retryable: true },
  site_scan_running: { status: 409, retryable: true },
  publish_in_progress: { status: 409, retryable: true },
  sync_in_progress: { status: 409, retryable: true },
  idempotency_in_progress: { status: 409, retryable: true },
  scan_running: { status: 409, retryable: true },
  no_prompts: { status: 409, retryable: false },
  prompt_limit: { status: 409, retryable: false },
  campaign_in_progress: { status: 409, retryable: true },
  already_rated: { status: 409, retryable: false },
  delivery_in_progress: { status: 409, retryable: true },
  duplicate_post: { status: 409, retryable: false },
  edit_conflict: { status: 409, retryable: true },
  invalid_transition: { status: 409, retryable: false },
  changed_meanwhile: { status: 412, retryable: false },
  superseded: { status: 409, retryable: false },
  changed_since_staged: { status: 409, retryable: false },
  project_archived: { status: 409, retryable: false },
  body_too_large: { status: 413, retryable: false },
  image_too_large: { status: 413, retryable: false },
  video_too_large: { status: 413, retryable: false },
  unsupported_media_type: { status: 415, retryable: false },
  unsupported_image: { status: 415, retryable: false },
  unsupported_media: { status: 415, retryable: false },
  image_not_fetched: { status: 422, retryable: true },
  media_not_fetched: { status: 422, retryable: true },
  screenshot_failed: { status: 422, retryable: false },
  cms_rejected: { status: 422, retryable: false },
  profile_rejected: { status: 422, retryable: false },
  crowdwork_rejected: { status: 422, retryable: false },
  social_account_rejected: { status: 422, retryable: false },
  idempotency_key_reused: { status: 422, retryable: false },
  rate_limited: { status: 429, retryable: true },
  internal: { status: 500, retryable: true },
  sync_failed: { status: 502, retryable: true },
  unpublish_failed: { status: 502, retryable: true },
  rollback_failed: { status: 502, retryable: true },
  provider_failed: { status: 502, retryable: true },
  provider_unavailable: { status: 503, retryable: true },
  unavailable: { status: 503, retryable: true },
} as const

/** Code of an error answer. The documentation has a page for each. */
export type ErrorCode = keyof typeof ERROR_CODES

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

/** Codes that the interface puts into `error` itself; their sentence is in `message`. */
const NAMED: ReadonlySet<ErrorCode> = new Set([
  'project_limit_reached',
  'already_being_written',
  'site_scan_running',
  'publish_in_progress',
  'no_cms_integration',
  'published_article',
  'idempotency_in_progress',
  'idempotency_key_reused',
  'key_may_not',
  'policy',
  'forbidden_url',
  'plan_not_included',
  'plan_required',
  'no_article_credits',
  'byo_keys_required',
  'byo_keys_invalid',
  'provider_unavailable',
  'not_published',
  'sync_in_progress',
  'sync_failed',
  'cms_rejected',
  'unsupported_for_sync',
  'nothing_to_roll_back',
  'rollback_failed',
  'unpublish_failed',
  'changed_meanwhile',
  'no_social_account',
  'duplicate_post',
  'profile_not_connected',
  'profile_rejected',
  'invalid_transition',
  'social_account_rejected',
  'superseded',
  'changed_since_staged',
  'project_archived',
  'prompt_limit',
  'beta_closed',
  'budget_reached',
  'key_budget_used',
  'campaign_in_progress',
  'already_rated',
  'crowdwork_rejected',
  'provider_failed',
  'not_entitled',
  'scan_running',
  'no_prompts',
])

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
}

/** Returns the address of an error code's page. `publicUrl`: the service's address, without a slash at its end. */
const docsUrl = (code: ErrorCode, publicUrl: string): string => `${publicUrl}/docs/errors/${code}`

/** Returns the body of an error answer. `publicUrl`: the service's address; the code's page is below it. */
export const errorBody = (error: ApiError, requestId: string, publicUrl: string): Record<string, unknown> => ({
  error: NAMED.has(error.code) ? error.code : error.message,
  ...(NAMED.has(error.code) ? { message: error.message } : {}),
  code: error.code,
  retryable: ERROR_CODES[error.code].retryable,
  ...(ERROR_CODES[error.code].status === 400 ? { details: [{ field: 'path', message: error.message }] } : {}),
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
