import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { presentedKey } from '../accounts/api-key.ts'
import { sha256 } from '../lib/crypto.ts'
import { ApiError, ERROR_CODES, errorBody } from '../lib/errors.ts'
import type { AppEnv, HttpDeps } from './app.ts'
import { readJson } from './body.ts'
import { type Gate, openGate } from './gate.ts'
import { fingerprintOf, type IdempotencyKey, parseIdempotencyKey } from './idempotency.ts'
import type { Operation } from './operation.ts'

/** The header's key with the body's fingerprint; undefined without the header. Only POST takes one. */
const idempotencyOf = (c: Context<AppEnv>, op: Operation, text: () => Promise<string>) => {
  const header = op.method === 'POST' ? c.req.header('idempotency-key') : undefined
  return async (): Promise<IdempotencyKey | undefined> => {
    if (header === undefined) return undefined
    const key = parseIdempotencyKey(header)
    return { key, operation: op.id, fingerprint: await fingerprintOf(op.method, c.req.path, await text()) }
  }
}

const defer = (c: Context<AppEnv>) => (work: Promise<unknown>) => {
  c.executionCtx.waitUntil(work)
}

/** Reads and parses the body for the validators that follow; refuses a bad one only after admission. */
const takeBody = async (c: Context<AppEnv>, op: Operation, gate: Gate, body: ReturnType<typeof readJson>) => {
  const { value, failure, text } = await body
  if (failure && (op.json || failure.code === 'body_too_large')) {
    await gate.admit()
    throw failure
  }
  const missing = op.json !== undefined && !op.bodyOptional && text.trim() === ''
  if (missing) {
    await gate.admit()
    throw new ApiError('invalid_input', 'A JSON body is required.', {
      details: [{ field: 'body', message: 'is required' }],
    })
  }
  c.req.bodyCache.json = Promise.resolve(value ?? {})
}

/** Keeps a refused body under the request's Idempotency-Key, as any other answer, and throws it on. */
const keepRefusal = async (c: Context<AppEnv>, gate: Gate, error: unknown): Promise<never> => {
  if (error instanceof ApiError && gate.isAdmitted())
    await gate.keep(ERROR_CODES[error.code].status, async () => JSON.stringify(errorBody(error, c.get('requestId'))))
  throw error
}

/**
 * Key, scope and rate of one operation. Starts the rate limit at once and sets `ctx`; the caller is admitted with the
 * handler's first read. After the handler, the answer is kept under the request's Idempotency-Key.
 */
export const guard = (deps: HttpDeps, op: Operation) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const key = presentedKey(c.req.header('authorization'))
    const keyHash = key === undefined ? undefined : await sha256(key)
    const body = op.method === 'GET' ? undefined : readJson(c.req.raw)
    const gate = openGate(deps, deps.limiter, {
      operation: op,
      keyHash,
      address: c.req.header('cf-connecting-ip') ?? 'local',
      idempotency: idempotencyOf(c, op, async () => (await body)?.text ?? ''),
      defer: defer(c),
    })
    c.set('gate', gate)
    c.set('ctx', gate.ctx)
    if (body) await takeBody(c, op, gate, body).catch((error: unknown) => keepRefusal(c, gate, error))
    await next()
    if (!gate.isAdmitted() && c.res.ok) throw new Error(`operation ${op.id} answered without admission`)
    await gate.keep(c.res.status, () => c.res.clone().text())
  })
