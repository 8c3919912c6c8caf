import { type Context, Hono } from 'hono'
import { OAUTH, TOKEN_KEY_PATH } from '../../src/accounts/oauth/paths.ts'
import { redeem } from '../../src/accounts/oauth/redeem.ts'
import {
  givenTwice,
  mayManage,
  ownRegistration,
  refusalOf,
  registrationAnswer,
  withCanonicalResource,
  withPlainFields,
} from '../../src/accounts/oauth/requests.ts'
import { hasGrant } from '../../src/accounts/oauth/store.ts'
import type { OAuthFront } from '../../src/pages/oauth/consent.tsx'
import { databaseFailureFields } from '../../src/platform/db/client.ts'
import { addressOf } from '../../src/platform/http/address.ts'
import { requestIdNow } from '../../src/platform/lib/request-scope.ts'
import { errorFields } from '../../src/platform/runtime/log.ts'

const REGISTRATIONS = { name: 'oauth.register', perMinute: 10 }
const REDEMPTIONS = { name: 'oauth.token', perMinute: 60 }
const MAX_BODY_BYTES = 16_384

/** True if the Content-Length of a request's body is above the limit, or missing. */
const isTooLarge = (c: Context): boolean =>
  c.req.raw.body !== null && !(Number(c.req.header('content-length')) <= MAX_BODY_BYTES)

const tooLarge = () =>
  Response.json({ error: 'invalid_request', error_description: 'The request is too large.' }, { status: 413 })

/** Returns a failure in the form of RFC 6749, 4.1.2.1. Programs repeat the call after `temporarily_unavailable`. */
const failed = (isAway: boolean): Response =>
  Response.json(
    isAway
      ? {
          error: 'temporarily_unavailable',
          error_description: 'The database does not answer at the moment. Repeat the same call shortly.',
        }
      : { error: 'server_error', error_description: 'Something went wrong on our side. Repeat the call.' },
    {
      status: isAway ? 503 : 500,
      headers: { 'Cache-Control': 'no-store', ...(isAway ? { 'Retry-After': '5' } : {}) },
    },
  )

/** Returns the request with another body. */
const asked = (c: Context, body: string): Request => {
  const headers = new Headers(c.req.raw.headers)
  headers.delete('content-length')
  return new Request(c.req.raw.url, { method: 'POST', headers, body })
}

/** Returns an app that logs its failures and reports them to programs. */
const appForPrograms = ({ deps }: OAuthFront) => {
  const app = new Hono()
  app.onError((error, c) => {
    const away = databaseFailureFields(error)
    const seen = { request_id: requestIdNow(), path: c.req.path }
    deps.log('error', away ? 'database.away' : 'request.failed', { ...seen, ...(away ?? errorFields(error)) })
    return failed(away !== undefined)
  })
  return app
}

/** Returns the app that the MCP server calls for the key of a token. */
export const tokenKeyApp = (front: OAuthFront) =>
  appForPrograms(front).post(TOKEN_KEY_PATH, async (c) => {
    const { token } = (await c.req.json()) as { token: string }
    const key = await front.oauth.keyOf(token)
    return c.json(key ?? { isOfGrant: await hasGrant(front.deps.db, token, front.deps.now()) })
  })

/** Returns the app for programs: metadata, registration, tokens. */
export const protocolApp = (front: OAuthFront) => {
  const { deps, oauth } = front
  const { secretsKeys, publicUrl } = deps.settings
  const app = appForPrograms(front)
  const slowDown = async (c: Context, policy: { name: string; perMinute: number }) => {
    const { allowed, resetS = 1 } = await deps.limiter.take(policy, addressOf(c.req.header('cf-connecting-ip')))
    return allowed
      ? undefined
      : Response.json(
          { error: 'temporarily_unavailable', error_description: `Too many requests; repeat after ${resetS} s.` },
          { status: 429, headers: { 'Retry-After': String(resetS) } },
        )
  }
  const answer = (c: Context, request: Request) => oauth.answer(request, c.executionCtx as ExecutionContext)

  app.all(OAUTH.metadata, (c) => answer(c, c.req.raw))
  app.post(OAUTH.register, async (c) => {
    const early = isTooLarge(c) ? tooLarge() : await slowDown(c, REGISTRATIONS)
    if (early) return early
    const given = withPlainFields(await c.req.text())
    const refusal = refusalOf(given)
    if (refusal) return c.json(refusal, 400)
    const sent = asked(c, given)
    return await registrationAnswer(secretsKeys, publicUrl, await answer(c, sent))
  })
  app.get(`${OAUTH.register}/:id`, async (c) => {
    const refusal = await slowDown(c, REGISTRATIONS)
    if (refusal) return refusal
    const id = c.req.param('id')
    const authorization = c.req.header('authorization')
    const isOwner = await mayManage(secretsKeys, id, authorization)
    const client = isOwner ? await oauth.api.lookupClient(id) : null
    c.header('Cache-Control', 'no-store')
    if (client) return c.json(await ownRegistration(secretsKeys, publicUrl, client))
    c.header('WWW-Authenticate', authorization === undefined ? 'Bearer' : 'Bearer error="invalid_token"')
    return c.json({ error: 'invalid_token' }, 401)
  })
  app.options('*', (c) => answer(c, c.req.raw))
  app.post(OAUTH.token, async (c) => {
    const refusal = isTooLarge(c) ? tooLarge() : await slowDown(c, REDEMPTIONS)
    if (refusal) return refusal
    const form = new URLSearchParams(await c.req.text())
    withCanonicalResource(oauth.resource, form)
    const twice = givenTwice(form)
    if (twice !== undefined)
      return c.json({ error: 'invalid_request', error_description: `${twice} is sent more than once.` }, 400)
    const { db, now, wait } = deps
    return await redeem(
      { db, now, wait, ring: secretsKeys, oauth },
      { form, authorization: c.req.header('authorization') ?? null },
      (sent) => answer(c, asked(c, sent.toString())),
    )
  })
  const only = (method: string) => (c: Context) =>
    c.json(
      { error: 'invalid_request', error_description: `${c.req.method} is not allowed here, only ${method}.` },
      405,
      {
        Allow: `${method}, OPTIONS`,
      },
    )
  app.all(OAUTH.register, only('POST'))
  app.all(`${OAUTH.register}/:id`, only('GET'))
  app.all(OAUTH.token, only('POST'))
  app.notFound((c) => c.json({ error: 'invalid_request', error_description: 'There is nothing here.' }, 404))
  return app
}
