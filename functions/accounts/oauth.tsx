import { AuthorizationError, authorizationErrorRedirect, CimdFetchError } from '@cloudflare/workers-oauth-provider'
import { type Context, Hono } from 'hono'
import { addressOf } from '../../src/http/app.ts'
import { requestIdNow } from '../../src/lib/request-scope.ts'
import { type AuthRequest, askConsent, takeConsent } from '../../src/oauth/consent.ts'
import { letIn } from '../../src/oauth/grants.ts'
import { OAUTH, TOKEN_KEY_PATH } from '../../src/oauth/paths.ts'
import { redeem } from '../../src/oauth/redeem.ts'
import { mayManage, withManagement } from '../../src/oauth/registration.ts'
import type { OAuth } from '../../src/oauth/server.ts'
import { errorFields } from '../../src/runtime/log.ts'
import { awayFields } from './away.ts'
import { type Front, formOf, type PagesContext, type PagesEnv, show, signedIn } from './front.tsx'
import { ConsentForm } from './pages/consent.tsx'

export type OAuthFront = Front & { oauth: OAuth }

const REGISTRATIONS = { name: 'oauth.register', perMinute: 10 }
const REDEMPTIONS = { name: 'oauth.token', perMinute: 60 }
const MAX_BODY_BYTES = 16_384

/** A parameter that is given several times, which none may be (RFC 6749, 3.1 and 3.2) but `resource` (RFC 8707). */
const givenTwice = (params: URLSearchParams): string | undefined =>
  [...params.keys()].find((name) => name !== 'resource' && params.getAll(name).length > 1)

/** Whether it is a challenge of PKCE as S256 makes it, which every application must send, also one with a secret (OAuth 2.1, 4.1.1). */
const isChallenge = (given: string | undefined): boolean => /^[\w-]{43}$/.test(given ?? '')

const NO_CHALLENGE = 'code_challenge is required, as S256 makes it: 43 characters'

/** Why an authorization request is not shown to the person, as a page; or the way back to the application, where that is known. */
const refused = (c: PagesContext, front: OAuthFront, error: unknown): Response | Promise<Response> => {
  if (error instanceof AuthorizationError && error.redirectTo !== undefined) return c.redirect(error.redirectTo, 302)
  if (error instanceof AuthorizationError)
    return show(c, front, {
      title: 'This request cannot be taken',
      status: 400,
      body: <p>{error.description}. Start again from the application; if it stays, its makers must fix it.</p>,
    })
  if (error instanceof CimdFetchError)
    return show(c, front, {
      title: 'The application could not be looked up',
      status: 400,
      body: (
        <>
          <p>
            The application describes itself at an address that did not answer as it must. Try again; if it stays, its
            makers must fix it.
          </p>
          <dl>
            <dt>Address</dt>
            <dd>{error.metadataUrl}</dd>
            <dt>What is wrong</dt>
            <dd>{error.detail}</dd>
          </dl>
        </>
      ),
    })
  throw error
}

/** The page on which a person lets an application in. */
const consentPages = (app: Hono<PagesEnv>, front: OAuthFront): void => {
  const { deps, oauth } = front
  const { db, now, settings } = deps
  const described = (request: AuthRequest) => oauth.api.describeConsent(request)

  app.get(OAUTH.authorize, signedIn(front), async (c) => {
    const twice = givenTwice(new URL(c.req.url).searchParams)
    if (twice !== undefined)
      return show(c, front, {
        title: 'This request cannot be taken',
        status: 400,
        body: (
          <p>{twice} is given several times. Start again from the application; if it stays, its makers must fix it.</p>
        ),
      })
    try {
      const request = await oauth.api.parseAuthRequest(c.req.raw)
      if (!isChallenge(request.codeChallenge))
        return c.redirect(authorizationErrorRedirect(request, 'invalid_request', NO_CHALLENGE), 302)
      const consent = await described(request)
      const { id, email } = c.get('person')
      const handle = await askConsent(db, id, request, now())
      return await show(c, front, {
        title: 'Let an application in?',
        formTarget: new URL(request.redirectUri).origin,
        body: (
          <ConsentForm
            service={settings.serviceName}
            email={email}
            client={{
              name: consent.clientName,
              host: consent.redirectHost,
              isLoopback: consent.redirectIsLoopback,
              domain: consent.clientDomain,
            }}
            mayAskToWrite={request.scope.length === 0 || request.scope.includes('write')}
            handle={handle}
          />
        ),
      })
    } catch (error) {
      return await refused(c, front, error)
    }
  })

  app.post(OAUTH.authorize, signedIn(front), async (c) => {
    const { handle = '', decision, scope } = await formOf(c)
    const person = c.get('person')
    const request = await takeConsent(db, person.id, handle, now())
    if (!request)
      return show(c, front, {
        title: 'Too late',
        status: 400,
        body: <p>This question was answered before, or it is too old. Start again from the application.</p>,
      })
    if (decision !== 'allow') return c.redirect(authorizationErrorRedirect(request, 'access_denied'), 302)
    try {
      const consent = await described(request)
      const client = { id: request.clientId, name: consent.clientName, redirectHost: consent.redirectHost }
      const asked = request.scope.length === 0 || request.scope.includes('write')
      const mayWrite = asked && scope === 'write'
      return c.redirect(await letIn({ oauth, db, now }, request, { person, client, mayWrite }), 302)
    } catch (error) {
      return await refused(c, front, error)
    }
  })
}

/** Whether a request says it has more bytes than allowed, or has a body and does not say. */
const isTooLarge = (c: Context): boolean =>
  c.req.raw.body !== null && !(Number(c.req.header('content-length')) <= MAX_BODY_BYTES)

const tooLarge = () =>
  Response.json({ error: 'invalid_request', error_description: 'The request is too large.' }, { status: 413 })

/** What programs are told of a failure, in the words of RFC 6749, 4.1.2.1: they know `temporarily_unavailable` as worth repeating. */
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

/** What programs ask: metadata, registration, tokens; and, from the MCP server alone, the key behind a token. */
const protocolApp = (front: OAuthFront) => {
  const { deps, oauth } = front
  const app = new Hono()
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

  app.onError((error, c) => {
    const away = awayFields(error)
    const seen = { request_id: requestIdNow(), path: c.req.path }
    deps.log('error', away ? 'database.away' : 'request.failed', { ...seen, ...(away ?? errorFields(error)) })
    return failed(away !== undefined)
  })

  app.all(OAUTH.metadata, (c) => answer(c, c.req.raw))
  app.post(OAUTH.register, async (c) => {
    const refusal = isTooLarge(c) ? tooLarge() : await slowDown(c, REGISTRATIONS)
    if (refusal) return refusal
    return await withManagement(deps.settings.secretsKeys, deps.settings.publicUrl, await answer(c, c.req.raw))
  })
  app.get(`${OAUTH.register}/:id`, async (c) => {
    const refusal = await slowDown(c, REGISTRATIONS)
    if (refusal) return refusal
    const id = c.req.param('id')
    const isOwner = await mayManage(deps.settings.secretsKeys, id, c.req.header('authorization'))
    const client = isOwner ? await oauth.api.lookupClient(id) : null
    if (!client) return c.json({ error: 'invalid_token' }, 401)
    return c.json({
      client_id: client.clientId,
      client_name: client.clientName,
      redirect_uris: client.redirectUris,
      grant_types: client.grantTypes,
      response_types: client.responseTypes,
      token_endpoint_auth_method: client.tokenEndpointAuthMethod,
    })
  })
  app.options('*', (c) => answer(c, c.req.raw))
  app.post(OAUTH.token, async (c) => {
    const refusal = isTooLarge(c) ? tooLarge() : await slowDown(c, REDEMPTIONS)
    if (refusal) return refusal
    const text = await c.req.text()
    const form = new URLSearchParams(text)
    const twice = givenTwice(form)
    if (twice !== undefined)
      return c.json({ error: 'invalid_request', error_description: `${twice} is given several times.` }, 400)
    const { db, now, wait, settings } = deps
    return await redeem(
      { db, now, wait, ring: settings.secretsKeys, oauth },
      { form, authorization: c.req.header('authorization') ?? null },
      () => answer(c, new Request(c.req.raw.url, { method: 'POST', headers: c.req.raw.headers, body: text })),
    )
  })
  app.post(TOKEN_KEY_PATH, async (c) => {
    const { token } = (await c.req.json()) as { token: string }
    return c.json((await oauth.keyOf(token)) ?? {})
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

/** The OAuth server: its page for people on `app`; what it answers programs is returned, to be asked first. */
export const oauthServer = (app: Hono<PagesEnv>, front: OAuthFront) => {
  consentPages(app, front)
  const protocol = protocolApp(front)
  const paths: ReadonlySet<string> = new Set([OAUTH.metadata, OAUTH.register, OAUTH.token, TOKEN_KEY_PATH])
  return {
    takes: (pathname: string): boolean => paths.has(pathname) || pathname.startsWith(`${OAUTH.register}/`),
    fetch: protocol.fetch,
  }
}
