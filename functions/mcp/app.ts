import {
  createMcpHandler,
  hostHeaderValidationResponse,
  originValidationResponse,
  type Server,
} from '@modelcontextprotocol/server'
import type { Scope } from '../../schema/values/accounts.ts'
import { asJson, readableBy, withCompleteAccept } from '../../src/mcp/accept.ts'
import { accessTokens, type KeyOfToken, refusedAddresses } from '../../src/mcp/admission.ts'
import { type ApiAnswer, apiOf, type Caller, type Services } from '../../src/mcp/api.ts'
import { withoutNullArguments } from '../../src/mcp/null-arguments.ts'
import { challenge, RESOURCE_METADATA_PATH, resourceMetadata } from '../../src/mcp/protected-resource.ts'
import type { ReadDocument } from '../../src/mcp/resources.ts'
import { operationAt, servedTools } from '../../src/mcp/served.ts'
import { mcpServer, type Serving, type Toolbox } from '../../src/mcp/server.ts'
import { toolDefinitions } from '../../src/mcp/tool-schemas.ts'
import { isTestKey, presentedKey } from '../../src/platform/accounts/api-key.ts'
import { includesScope, widestOf } from '../../src/platform/accounts/scopes.ts'
import { addressOf } from '../../src/platform/http/address.ts'
import { preflight } from '../../src/platform/http/cors.ts'
import { createKnownCallers } from '../../src/platform/http/deps.ts'
import { sha256 } from '../../src/platform/lib/crypto.ts'
import { ApiError, errorBody } from '../../src/platform/lib/errors.ts'
import { requestIdNow, requestIdOf } from '../../src/platform/lib/request-scope.ts'
import type { Log } from '../../src/platform/runtime/log.ts'

/** Services of the MCP Worker. */
export type McpDeps = {
  services: Services
  /** Asks the OAuth server for the API key behind an access token. */
  keyOfToken: KeyOfToken
  /** Reads the documents of the service. */
  readDocument: ReadDocument
  publicUrl: string
  serviceName: string
  allowTestKeys: boolean
  log: Log
  now: () => Date
  wait: (ms: number) => Promise<void>
  newId: () => string
}

/** Room for an article of the longest content as JSON in JSON, and more. */
const MAX_BODY_BYTES = 1_500_000

/**
 * Waits for the first event of an answer: only then it is known if the endpoint accepted the key.
 *
 * Returns the same answer from its beginning.
 */
const begun = async (response: Response): Promise<Response> => {
  if (!response.body) return response
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    const body = await response.arrayBuffer()
    return new Response(body.byteLength > 0 ? body : null, response)
  }
  const reader = response.body.getReader()
  const read: Uint8Array[] = []
  for (let isAnswer = false; !isAnswer; ) {
    const { done, value } = await reader.read()
    if (value) read.push(value)
    isAnswer = done || !new TextDecoder().decode(value).startsWith(':')
  }
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const first = read.shift()
      if (first) return controller.enqueue(first)
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
  return new Response(body, response)
}

/** Returns a refusal before the caller is known. Throws errors that are not an ApiError. */
const refusalAs = (error: unknown, requestId: string, publicUrl: string): Response => {
  if (!(error instanceof ApiError)) throw error
  const { retry_after: retryAfter } = error.extras
  return Response.json(errorBody(error, requestId, publicUrl), {
    status: error.status,
    headers: retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) },
  })
}

/** Placeholder for an operation that does not exist and has no Worker. */
const NO_WORKER = { worker: '', scope: 'read' } as const

const NOT_CHECKED =
  'The access token or API key cannot be checked at the moment. Nothing was done. Repeat the same call shortly, with the same token or key.'

/** Returns an endpoint's 429 to the caller. Throws 503 for every other answer. */
const passedOn = ({ status, body }: ApiAnswer): Response => {
  if (status !== 429) throw new ApiError('unavailable', NOT_CHECKED, { retry_after: 5 })
  return Response.json(body, { status, headers: { 'Retry-After': String(body.retry_after ?? 1) } })
}

/** Only method whose answer is a stream without an end. */
const LISTEN = 'subscriptions/listen'

/** Returns the address for which refusals are counted. */
const addressIn = (request: Request): string => addressOf(request.headers.get('cf-connecting-ip'))

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** Headers that let a client in a browser call, and read where to sign in. */
const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'WWW-Authenticate, Mcp-Session-Id, X-Request-Id, Retry-After',
} as const

const REQUEST_HEADERS =
  'Authorization, Content-Type, Accept, Last-Event-ID, Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, X-Request-Id'

/** Returns the answer to a preflight request. Clients name headers of tools' arguments (`Mcp-Param-…`), which no list has. */
const preflightOf = (request: Request): Response => {
  const asked = request.headers.get('access-control-request-headers') ?? ''
  const more = /^[\w-]+(?:, ?[\w-]+)*$/.test(asked) ? `, ${asked}` : ''
  return preflight(['POST'], CORS, REQUEST_HEADERS + more)
}

/** Returns the host names of the server: that of the public address, or every name of loopback. */
const hostsOf = (publicUrl: string): string[] => {
  const { hostname } = new URL(publicUrl)
  return LOOPBACK.includes(hostname) ? LOOPBACK : [hostname]
}

/** Returns the narrower of a key's and its token's scope. */
const narrowest = (key: Scope = 'read', token: Scope = key): Scope => (includesScope([token], key) ? key : token)

const toolboxOf = (services: Services): Toolbox => {
  const tools = servedTools(new Set(services.keys()))
  const byName = new Map(tools.map((tool) => [tool.spec.name, tool]))
  return { tools: byName, definitions: toolDefinitions(tools) }
}

/**
 * Returns the hosted MCP server, which checks callers and answers them.
 *
 * `make` makes the server of a request. The protocol's conformance suite replaces it with its own tools.
 */
export const mcpApp = (deps: McpDeps, make: (serving: Serving) => Server = mcpServer) => {
  const hosts = hostsOf(deps.publicUrl)
  // Elsewhere a page has no more access than its key: requests have no cookies.
  const isLocal = hosts === LOOPBACK
  const known = createKnownCallers<Scope>(deps.now)
  const keys = accessTokens(deps.keyOfToken, deps.now)
  const countRefused = refusedAddresses(deps.now)
  let toolbox: Toolbox | undefined

  /**
   * Returns the account endpoint's refusal of a caller, read once a minute. Each call of a tool is checked by its own
   * endpoint.
   */
  const refusalOf = async (caller: Caller, keyHash: string): Promise<ApiAnswer | undefined> =>
    known.has(keyHash) ? undefined : await refusalNow(caller, keyHash)

  const refusalNow = async (caller: Caller, keyHash: string): Promise<ApiAnswer | undefined> => {
    const account = operationAt('GET /account')
    const ask = apiOf(deps, caller, () => {})
    const answer = await ask(account ?? NO_WORKER, { method: 'GET', path: '/account?include=key' })
    if (answer.status !== 200) return answer
    const { scopes } = answer.body.key as { scopes: readonly string[] }
    known.remember(keyHash, widestOf(scopes))
    return undefined
  }

  const challenged = (request: Request, requestId: string, told?: ApiAnswer): Response =>
    challenge(deps.publicUrl, requestId, request.headers.has('authorization'), told)

  /** Returns 401 and counts it for the caller's address. Throws 429 if the address is past its limit. */
  const countedChallenge = (request: Request, requestId: string, told?: ApiAnswer): Response => {
    countRefused(addressIn(request))
    return challenged(request, requestId, told)
  }

  /** Returns the answer to a caller whom an endpoint refused. */
  const turnedAway = (request: Request, requestId: string, told: ApiAnswer): Response =>
    told.status === 401 ? countedChallenge(request, requestId, told) : passedOn(told)

  const serve = async (request: Request, requestId: string): Promise<Response> => {
    const authorization = request.headers.get('authorization')
    const ownKey = presentedKey(authorization ?? undefined)
    const opened = ownKey === undefined ? await keys.behind(authorization) : { apiKey: ownKey, scope: undefined }
    // Clients begin without a token, and come back with an expired one. Neither is a guess.
    if (!authorization?.trim() || opened === 'expired') return challenged(request, requestId)
    if (!opened || (isTestKey(opened.apiKey) && !deps.allowTestKeys)) return countedChallenge(request, requestId)
    const { apiKey, scope: tokenScope } = opened
    const address = request.headers.get('cf-connecting-ip') ?? undefined
    const caller: Caller = { apiKey, address, requestId, isApplication: ownKey === undefined, tokenScope }
    const keyHash = await sha256(apiKey)
    const early = await refusalOf(caller, keyHash)
    if (early) return turnedAway(request, requestId, early)

    let refusal: ApiAnswer | undefined
    const api = apiOf(deps, caller, (answer) => {
      refusal = answer
      known.forget(keyHash)
    })
    toolbox ??= toolboxOf(deps.services)
    const tools = toolbox
    const { now, wait } = deps
    const beforeProgress = async () => {
      const told = refusal ?? (await refusalNow(caller, keyHash))
      if (told?.status === 401) refusal = told
      if (refusal) throw new Error('the key is no longer accepted')
    }
    const handler = createMcpHandler(
      () =>
        make({
          name: deps.serviceName,
          toolbox: tools,
          scope: narrowest(known.of(keyHash), tokenScope),
          api,
          readDocument: deps.readDocument,
          requestId,
          publicUrl: deps.publicUrl,
          now,
          wait,
          beforeProgress,
        }),
      { maxRequestBodySize: MAX_BODY_BYTES },
    )
    const response = await handler.fetch(withCompleteAccept(await withoutNullArguments(request, MAX_BODY_BYTES)))
    if (request.headers.get('mcp-method') === LISTEN) return response
    const begunAnswer = await begun(response)
    const inJson = request.method === 'POST' && !readableBy(request.headers.get('accept')).wantsStream
    const answer = inJson && !refusal ? await asJson(begunAnswer) : begunAnswer
    if (!refusal) return answer
    await answer.body?.cancel()
    return countedChallenge(request, requestId, refusal)
  }

  return async (request: Request): Promise<Response> => {
    const requestId = requestIdNow() ?? requestIdOf(request.headers.get('x-request-id'), deps.newId)
    const { pathname } = new URL(request.url)
    if (pathname.startsWith(RESOURCE_METADATA_PATH))
      return Response.json(resourceMetadata(deps.publicUrl, deps.serviceName), {
        headers: { 'Access-Control-Allow-Origin': '*', 'X-Request-Id': requestId },
      })
    const startedAt = deps.now().getTime()
    const response =
      hostHeaderValidationResponse(request, hosts) ??
      (isLocal ? originValidationResponse(request, hosts) : undefined) ??
      (request.method === 'OPTIONS' ? preflightOf(request) : undefined) ??
      (await serve(request, requestId).catch((error: unknown) => refusalAs(error, requestId, deps.publicUrl)))
    for (const [name, value] of Object.entries(CORS)) response.headers.set(name, value)
    response.headers.set('X-Request-Id', requestId)
    response.headers.set('Cache-Control', 'no-store')
    deps.log('info', 'mcp.request', {
      request_id: requestId,
      method: request.method,
      status: response.status,
      ms: deps.now().getTime() - startedAt,
    })
    return response
  }
}
