import { ApiError, type ErrorExtras } from '../../platform/lib/errors.ts'
import { withStop } from '../../platform/lib/text.ts'
import type { Crowd, CrowdFailure } from './port.ts'

const WAIT_S = 30

/** Returns a failure of the provider as our error. `outcome` says what became of the call. */
export const failureError = (name: string, failure: CrowdFailure, outcome: string): ApiError => {
  const { reason, message, isOperators = false, status, retryAfterS } = failure
  const upstream = { name, message, ...(status === undefined ? {} : { status }) }
  const extras: ErrorExtras = { upstream, ...(isOperators ? { retryable: false } : {}) }
  const toDo = isOperators ? ' Repeating the call does not help: the operator of this service has to fix that.' : ''
  const sentence = `${withStop(message)} ${outcome}${toDo}`
  if (reason === 'rejected') return new ApiError('crowdwork_rejected', sentence, extras)
  if (reason === 'away')
    return new ApiError('provider_unavailable', sentence, {
      ...extras,
      ...(isOperators ? {} : { retry_after: retryAfterS ?? WAIT_S }),
    })
  return new ApiError('provider_failed', sentence, extras)
}

/** Returns the value of the provider's answer. Throws 404 if it has no such thing, 422, 502, 503. */
export const valueFrom = <T>(name: string, answer: Crowd<T>, what: string): T => {
  if (answer.kind === 'got') return answer.value
  if (answer.reason === 'not_found') {
    const upstream = { name, status: answer.status ?? 404, message: answer.message }
    throw new ApiError('not_found', `${name} has no such ${what}.`, { upstream })
  }
  throw failureError(name, answer, 'Nothing was changed.')
}
