import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { Hono } from 'hono/tiny'
import { databaseFields } from '../db/client.ts'
import { sha256 } from '../lib/crypto.ts'
import { ApiError, errorBody } from '../lib/errors.ts'
import { requestIdNow, requestIdOf, spentFields } from '../lib/request-scope.ts'
import { errorFields } from '../runtime/log.ts'
import { addressOf } from './address.ts'
import { CORS_HEADERS, SERVICE_LINK } from './cors.ts'
import type { HttpDeps } from './deps.ts'
import type { Gate } from './gate.ts'

/** Values that a request carries through hono's context. */
export type AppEnv = {
  Variables: {
    requestId: string
    gate: Gate | undefined
    /** True if the answer already has all headers of `headersOf`. */
    isComplete: boolean | undefined
  }
}

/** Returns the headers of every answer. */
const headersOf = (c: Context<AppEnv>): Record<string, string> => ({
  ...CORS_HEADERS,
  ...SERVICE_LINK,
  ...c.get('gate')?.headers(),
  'X-Request-Id': c.get('requestId'),
  'Cache-Control': 'no-store',
})

/** Returns a JSON answer with all of its headers. Setting them one by one later would cost one call out of JavaScript each. */
export const completeJson = (c: Context<AppEnv>, body: object, status: number, tag: string | undefined): Response => {
  const headers = headersOf(c)
  headers['Content-Type'] = 'application/json'
  if (tag !== undefined) headers.ETag = tag
  const answer = new Response(JSON.stringify(body), { status, headers })
  c.set('isComplete', true)
  return answer
}

/** Returns the header `Retry-After`: `retry_after` of the body, rounded up to whole seconds. */
export const retryAfterHeader = (retryAfter: number | undefined): Record<string, string> =>
  retryAfter === undefined ? {} : { 'Retry-After': String(Math.max(1, Math.ceil(retryAfter))) }

/** Returns a mark for an address in the log. The same address has the same mark, and the mark does not reveal it. */
const addressMark = async ({ settings }: HttpDeps, address: string): Promise<string> =>
  (await sha256(`${settings.redisToken} ${address}`)).slice(0, 16)

/** A read that takes this long, ms, is slow and is always logged. */
const SLOW_MS = 1_000

type Answered = { method: string; status: number; ms: number; isNamed: boolean }

/**
 * Returns how many requests a log line stands for; undefined if this request is not logged.
 *
 * Successful reads are sampled at random. Everything else is always logged, and so is a request with an id set by the caller.
 */
const oneIn = ({ settings, random }: HttpDeps, { method, status, ms, isNamed }: Answered): number | undefined => {
  if (method !== 'GET' || status >= 400 || ms >= SLOW_MS || isNamed) return 1
  return random() * settings.logOneReadIn < 1 ? settings.logOneReadIn : undefined
}

const known = (error: unknown): ApiError | undefined => {
  if (error instanceof ApiError) return error
  if (error instanceof HTTPException && error.status < 500)
    return new ApiError('invalid_input', 'The request is not valid.')
  return undefined
}

/**
 * Creates an endpoint group: Hono with request id, CORS, JSON errors and one log line per request.
 *
 * Routes are mounted below `/api/v1`. The gateway already refuses unknown paths and methods.
 */
export const createApp = (deps: HttpDeps) => {
  const app = new Hono<AppEnv>({ strict: false })

  app.use(async (c, next) => {
    const startedAt = deps.now().getTime()
    const requestId = requestIdNow() ?? requestIdOf(c.req.header('x-request-id'), deps.newId)
    c.set('requestId', requestId)
    await next()
    if (!c.get('isComplete')) for (const [name, value] of Object.entries(headersOf(c))) c.res.headers.set(name, value)
    const answered = {
      method: c.req.method,
      status: c.res.status,
      ms: deps.now().getTime() - startedAt,
      isNamed: requestId === c.req.header('x-request-id'),
    }
    const standsFor = oneIn(deps, answered)
    if (standsFor === undefined) return
    const { isNamed: _, ...told } = answered
    deps.log('info', 'request', {
      request_id: requestId,
      ...c.get('gate')?.caller(),
      address: await addressMark(deps, addressOf(c.req.header('cf-connecting-ip'))),
      path: c.req.path,
      ...told,
      ...spentFields(),
      ...(standsFor > 1 ? { one_in: standsFor } : {}),
    })
  })

  app.onError((error, c) => {
    const requestId = c.get('requestId')
    const told = known(error)
    if (!told || told.cause !== undefined) {
      const why = told ? databaseFields(told.cause) : errorFields(error)
      deps.log('error', told ? 'database.away' : 'request.failed', { request_id: requestId, path: c.req.path, ...why })
    }
    const answer =
      told ??
      new ApiError(
        'internal',
        'Something went wrong on our side. Repeat the call, and report the request id if the error persists.',
      )
    const { retry_after: retryAfter, etag } = answer.extras
    if (typeof etag === 'string') c.header('ETag', etag)
    return c.json(errorBody(answer, requestId, deps.settings.publicUrl), answer.status, retryAfterHeader(retryAfter))
  })

  app.notFound((c) => {
    const error = new ApiError('unknown_path', `There is no ${c.req.method} ${c.req.path}.`)
    return c.json(errorBody(error, c.get('requestId'), deps.settings.publicUrl), 404)
  })
  return app
}
