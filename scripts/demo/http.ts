import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { Mismatch, type Tour } from './tour.ts'

type Request = {
  body?: unknown
  idempotencyKey?: string
  /** True if the tour does not show the call (polls). */
  quiet?: boolean
}
type Answer<T> = { status: number; headers: Headers; body: T }

/**
 * Function that makes one call. Every status in `shapes` is expected, with the body of its schema; otherwise it throws
 * Mismatch.
 */
export type Caller = <S extends Record<number, z.ZodType>>(
  method: 'GET' | 'POST',
  path: string,
  shapes: S,
  request?: Request,
) => Promise<Answer<z.infer<S[keyof S & number]>>>

const TRIES = 6
const TIMEOUT_MS = 60_000
const DEFAULT_WAIT_S = 5

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const show = (value: unknown): string => (JSON.stringify(value) ?? String(value)).slice(0, 600)

const checked = (call: string, shapes: Record<number, z.ZodType>, status: number, body: unknown): unknown => {
  const shape = shapes[status]
  if (!shape) throw new Mismatch(call, `status ${Object.keys(shapes).join(' or ')}`, `${status} ${show(body)}`)
  const parsed = shape.safeParse(body)
  if (parsed.success) return parsed.data
  throw new Mismatch(`${call} answered ${status}`, z.prettifyError(parsed.error).replaceAll('\n', ' '), show(body))
}

/**
 * Makes calls below `baseUrl` and shows each in the tour. After a 429 it waits for Retry-After (seconds).
 *
 * `label` is shown before the path of calls to other services.
 */
export const createCaller = (baseUrl: string, headers: Record<string, string>, tour: Tour, label = ''): Caller => {
  const root = baseUrl.replace(/\/$/, '')

  const once = async (method: string, path: string, { body, idempotencyKey }: Request): Promise<Response> =>
    fetch(`${root}${path}`, {
      method,
      headers: {
        ...headers,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })

  return async (method, path, shapes, request = {}) => {
    for (let attempt = 1; ; attempt += 1) {
      const began = performance.now()
      const answer = await once(method, path, request)
      const text = await answer.text()
      const { status } = answer
      if (!request.quiet || status >= 400)
        tour.call(method, label + path, status, Math.round(performance.now() - began))
      if (status === 429 && !(429 in shapes) && attempt < TRIES) {
        const seconds = Number(answer.headers.get('retry-after')) || DEFAULT_WAIT_S
        tour.note(`The rate limit of this operation is used up. Waiting ${seconds} s (Retry-After).`)
        await sleep(seconds * 1000)
        continue
      }
      const body = checked(`${method} ${label}${path}`, shapes, status, parseJson(text))
      return { status, headers: answer.headers, body: body as z.infer<(typeof shapes)[keyof typeof shapes & number]> }
    }
  }
}
