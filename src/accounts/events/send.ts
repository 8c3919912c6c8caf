import { retryAfterOf } from '../../platform/lib/foreign-answers.ts'
import { type SigningSecrets, signatureHeaders } from '../../platform/lib/webhook-signature.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { unsentReason } from '../../platform/runtime/outbound.ts'

const TIMEOUT_MS = 15_000
const MAX_ANSWER_BYTES = 4_096
const GONE = 410

/** Result of one attempt. `error` is null if the endpoint accepted the event. */
export type Attempt = {
  httpStatus: number | null
  error: string | null
  ms: number
  /** True if the endpoint says that it is gone for good. */
  isGone: boolean
  /** Seconds that the endpoint asks to wait. */
  retryAfterS?: number | undefined
}

/** Sends an event to an endpoint once, signed. `id` is the same in every attempt. Redirects are not followed. */
export const sendEvent = async (
  ctx: Ctx,
  url: string,
  secrets: SigningSecrets,
  id: string,
  event: Record<string, unknown>,
): Promise<Attempt> => {
  const began = ctx.now()
  const body = JSON.stringify(event)
  const answer = await ctx.outbound({
    url,
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(await signatureHeaders(secrets, began, id, body)) },
    body,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_ANSWER_BYTES,
  })
  const ms = Math.max(0, ctx.now().getTime() - began.getTime())
  const failed = (error: string): Attempt => ({ httpStatus: null, error, ms, isGone: false })
  if (answer.kind === 'forbidden') return failed('The address is not a public one, so nothing was sent.')
  if (answer.kind === 'unsent') return failed(unsentReason(answer))
  if (answer.kind === 'no_answer')
    return failed(
      answer.reason === 'timeout'
        ? `The endpoint did not answer within ${TIMEOUT_MS / 1000} s.`
        : 'The connection to the endpoint failed.',
    )
  const { status, headers } = answer
  if (status >= 200 && status < 300) return { httpStatus: status, error: null, ms, isGone: false }
  const reason = status >= 300 && status < 400 ? ', a redirect, which is not followed' : ''
  return {
    httpStatus: status,
    error: `The endpoint answered ${status}${reason}.`,
    ms,
    isGone: status === GONE,
    retryAfterS: retryAfterOf(headers, ctx.now()),
  }
}
