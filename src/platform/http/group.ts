import type { Context, Hono } from 'hono'
import { ERROR_CODES } from '../../../schema/values/errors.ts'
import { isTestKey, presentedKey } from '../accounts/api-key.ts'
import { listIn } from '../accounts/check-owner.ts'
import { openAnswer, sha256 } from '../lib/crypto.ts'
import { ApiError, errorBody } from '../lib/errors.ts'
import { readIfMatch, tagOf } from '../lib/etag.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { errorFields } from '../runtime/log.ts'
import { NeedsApproval } from '../runtime/needs-approval.ts'
import { addressOf } from './address.ts'
import { type AppEnv, completeJson, createApp, retryAfterHeader } from './app.ts'
import { type Body, NO_BODY, readBody, readBodyOrFile, withoutEncoding } from './body.ts'
import type { HttpDeps } from './deps.ts'
import { answerDryRun, isDryRun } from './dry-run.ts'
import { type Gate, openGate } from './gate.ts'
import { fingerprintOf, parseIdempotencyKey, Replay } from './idempotency.ts'
import { type Ignored, withIgnored } from './ignored.ts'
import { ignoredOf, inputOf, knownQuery } from './input.ts'
import { bySpecificity, type Operation, paramNames, usualStatus } from './operation.ts'
import { type Answer, answer, bodyStream, chunksOf, type Input, type Route, statusOf } from './route.ts'

/** Maximum size (address and body) of a request that is read before its caller is admitted. */
const EARLY_BYTES = 4_096

/** Time to wait for a small body before its caller is admitted, ms. It usually arrives with the headers. */
const EARLY_MS = 100

/** Returns the announced length of a body; infinite if none is announced. */
const announcedBytes = ({ body, headers }: Request): number =>
  body === null ? 0 : Number(headers.get('content-length') ?? Number.POSITIVE_INFINITY)

const gateOf = async (deps: HttpDeps, c: Context<AppEnv>, op: Operation, body: () => Promise<Body>): Promise<Gate> => {
  const key = presentedKey(c.req.header('authorization'))
  const isUnwanted = key !== undefined && isTestKey(key) && !deps.settings.allowTestKeys
  const header = op.method === 'POST' ? c.req.header('idempotency-key') : undefined
  return openGate(deps, {
    operation: op,
    keyHash: key === undefined || isUnwanted ? undefined : await sha256(key),
    isTestKey: isUnwanted,
    isAnonymous: !c.req.header('authorization')?.trim(),
    address: addressOf(c.req.header('cf-connecting-ip')),
    idempotency: () => {
      if (header === undefined) return undefined
      const fingerprint = async () =>
        fingerprintOf(op.method, c.req.path, (await body()).parsed(), knownQuery(op, c.req.query()))
      return { key: parseIdempotencyKey(header), operation: op.id, fingerprint }
    },
    defer: (work) => c.executionCtx.waitUntil(work),
  })
}

/** Returns a reader that reads the body once, on first use, and a function to call when the request has ended. */
const bodyReader = (deps: HttpDeps, c: Context<AppEnv>, op: Operation) => {
  let leave = () => {}
  let read: Promise<Body> | undefined
  const readOnce = async (): Promise<Body> => {
    if (op.method === 'GET') return NO_BODY
    const { body: bodyOfFile } = op.csv ?? {}
    if (bodyOfFile) return await readBodyOrFile(c.req.raw, op.maxBytes, (text) => bodyOfFile(text, c.req.query()))
    if (!op.upload && !op.attachment) return await readBody(c.req.raw, undefined, op.maxBytes)
    if (!deps.files) throw new Error(`operation ${op.id} takes files, and its Worker cannot read them`)
    const defer = (work: Promise<unknown>) => c.executionCtx.waitUntil(work)
    return await deps.files(c.req.raw, op, defer, (free) => {
      leave = free
    })
  }
  return {
    body: () => {
      read ??= readOnce().then((body) => withoutEncoding(c.req.raw, body))
      return read
    },
    leave: () => leave(),
  }
}

/** True if a caller accepts CSV, but no JSON. */
const wantsFile = (accept = ''): boolean => /\btext\/csv\b/i.test(accept) && !/\bjson\b/i.test(accept)

/** Answers with text in the operation's own media type, sent while it is produced. */
const streamedAnswer = (deps: HttpDeps, c: Context<AppEnv>, op: Operation, chunks: AsyncIterable<string>): Response => {
  const failed = (error: unknown) =>
    deps.log('error', 'stream.failed', { request_id: c.get('requestId'), path: c.req.path, ...errorFields(error) })
  return c.body(bodyStream(chunks, failed), 200, { 'Content-Type': op.produces ?? 'text/plain; charset=utf-8' })
}

/** Returns the field to name in a refusal that names none: the last id in the path, else the body, else the query. */
const fieldOf = (op: Operation): string =>
  paramNames(op.path).at(-1) ?? (op.json === undefined && op.query !== undefined ? 'query' : 'body')

/** Returns the error with details: `not_found` names the list of existing ids, and any 400 names a field. */
const complete = (error: unknown, op: Operation, params: Record<string, string>): unknown => {
  if (!(error instanceof ApiError)) return error
  const { code, message, extras, cause } = error
  const isBad = ERROR_CODES[code].status === 400 && extras.details === undefined
  const more = {
    ...(code === 'not_found' && extras.next_calls === undefined ? listIn(op.path, params) : {}),
    ...(isBad ? { details: [{ field: fieldOf(op), message }] } : {}),
  }
  return Object.keys(more).length > 0 ? new ApiError(code, message, { ...extras, ...more }, cause) : error
}

/** Returns the error; a refusal of input also lists the ignored names, because a missing field may be among them. */
const namingIgnored = (error: unknown, ignored: () => Ignored): unknown =>
  error instanceof ApiError && error.code === 'invalid_input'
    ? new ApiError(error.code, error.message, withIgnored(error.extras, ignored()), error.cause)
    : error

/** Runs the handler, or asks a person if the call needs approval. */
const carriedOut = async (
  { askPerson }: HttpDeps,
  { operation, handler }: Route,
  ctx: Ctx,
  input: Input<Operation>,
) => {
  try {
    return await handler(ctx, input)
  } catch (error) {
    if (!(error instanceof NeedsApproval) || !askPerson) throw error
    // The verb stored no answer because it was refused. This answer is stored later.
    const { wanted } = error
    const kept = wanted.body === undefined ? input : { ...input, body: wanted.body }
    return answer(202, await askPerson(ctx, { operation: operation.id, input: kept }, wanted))
  }
}

/**
 * Answers one request. A refusal from before admission is sent after it, so 401 and 429 come before 400.
 *
 * A small request is read during admission, and so is one of a caller who was admitted a moment ago. Otherwise nothing is parsed
 * before admission.
 */
const respond = async (
  deps: HttpDeps,
  c: Context<AppEnv>,
  route: Route,
  siblings: readonly Operation[],
): Promise<Response> => {
  const { operation: op } = route
  const { body, leave } = bodyReader(deps, c, op)
  const gate = await gateOf(deps, c, op, body)
  c.set('gate', gate)
  try {
    const returned = await gate.hold(async () => {
      const isSmall = c.req.url.length + announcedBytes(c.req.raw) <= EARLY_BYTES
      // Before admission, large bodies are not read and slow ones are not waited for.
      if (gate.isTurnedAway || op.attachment || op.upload || !(isSmall || gate.isKnown)) await gate.admit()
      else if (!gate.isKnown && (await Promise.race([body(), deps.wait(EARLY_MS)])) === undefined) await gate.admit()
      const ifMatch = op.ifMatch ? readIfMatch(c.req.header('if-match')) : undefined
      const read = await body()
      try {
        const input = await inputOf(op, c, read, siblings)
        if (op.wider?.needs(input.body as Readonly<Record<string, unknown>>)) gate.demand(op.wider.scope, op.wider.when)
        return await carriedOut(deps, route, { ...gate.ctx, ifMatch }, input)
      } catch (error) {
        throw namingIgnored(complete(error, op, c.req.param() as Record<string, string>), () => ignoredOf(op, c, read))
      }
    })
    if (!gate.isAdmitted()) throw new Error(`operation ${op.id} answered without admission`)
    const chunks = chunksOf(returned)
    if (chunks) return streamedAnswer(deps, c, op, chunks)
    const status = statusOf(returned) ?? usualStatus(op)
    const answered = statusOf(returned) === undefined ? returned : (returned as Answer).body
    await gate.keepAfter(status, () => answered)
    const file = op.csv?.answer && wantsFile(c.req.header('accept')) ? op.csv.answer(answered) : undefined
    if (file !== undefined) return c.body(file, 200, { 'Content-Type': 'text/csv; charset=utf-8' })
    const shown = withIgnored(answered, ignoredOf(op, c, await body()))
    return completeJson(c, shown, status, op.etag ? tagOf(answered) : undefined)
  } catch (error) {
    if (error instanceof Replay) return await replayed(deps, c, error, ignoredOf(op, c, await body()))
    // An error after an effect is stored as the call's answer, like a successful one.
    if (error instanceof ApiError && error.extras.saved === true)
      await gate.keepAfter(error.status, () => errorBody(error, c.get('requestId'), deps.settings.publicUrl))
    throw error
  } finally {
    leave()
  }
}

/** Returns the stored answer of an earlier call with the same Idempotency-Key. */
const replayed = async (deps: HttpDeps, c: Context<AppEnv>, replay: Replay, ignored: Ignored) => {
  const { accountId, body, etag, status } = replay
  const text = await openAnswer(deps.settings.secretsKeys, accountId, body)
  const saysIgnored = Object.keys(ignored).length > 0 && status < 300
  const { retry_after: retryAfter } = status < 400 ? {} : (JSON.parse(text) as { retry_after?: number })
  return c.body(saysIgnored ? JSON.stringify(withIgnored(JSON.parse(text) as object, ignored)) : text, status as 200, {
    'Content-Type': 'application/json',
    'Idempotency-Replayed': 'true',
    ...retryAfterHeader(retryAfter),
    ...(etag === null ? {} : { ETag: etag }),
  })
}

/** Returns an endpoint group: the given routes, mounted below `/api/v1`. */
export const groupApp = (deps: HttpDeps, ...given: Route[][]): Hono<AppEnv> => {
  const app = createApp(deps)
  const sorted = given.flat().sort((a, b) => bySpecificity(a.operation.path, b.operation.path))
  const operations = sorted.map(({ operation }) => operation)
  for (const route of sorted)
    app.on(route.operation.method, `/api/v1${route.operation.path}`, (c) => {
      const answer = () => respond(deps, c, route, operations)
      return isDryRun(route.operation, c) ? answerDryRun(deps, c, route.operation, answer) : answer()
    })
  return app
}
