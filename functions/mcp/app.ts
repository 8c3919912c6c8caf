import {
  createMcpHandler,
  hostHeaderValidationResponse,
  originValidationResponse,
  type Server,
} from '@modelcontextprotocol/server'
import { isTestKey, presentedKey } from '../../src/accounts/api-key.ts'
import { createKnownCallers } from '../../src/http/callers.ts'
import { sha256 } from '../../src/lib/crypto.ts'
import { ApiError, ERROR_CODES, errorBody } from '../../src/lib/errors.ts'
import { requestIdNow } from '../../src/lib/request-scope.ts'
import { accessTokens, type KeyOfToken } from '../../src/mcp/access-tokens.ts'
import { type ApiAnswer, apiOf, type Caller, type Services } from '../../src/mcp/api.ts'
import { DEFINITIONS } from '../../src/mcp/definitions.built.ts'
import { challenge, RESOURCE_METADATA_PATH, resourceMetadata } from '../../src/mcp/protected-resource.ts'
import { operationAt, servedTools } from '../../src/mcp/served.ts'
import { mcpServer, type Serving, type Toolbox } from '../../src/mcp/server.ts'
import type { Log } from '../../src/runtime/log.ts'
import { requestIdOf } from '../../src/runtime/request-id.ts'

export type McpDeps = {
  services: Services
  /** Asks the OAuth server for the API key behind an access token. */
  keyOfToken: KeyOfToken
  publicUrl: string
  serviceName: string
  allowTestKeys: boolean
  log: Log
  now: () => Date
  wait: (ms: number) => Promise<void>
  newId: () => string
}

/** An article of the longest content as JSON in JSON, with room for the rest. */
const MAX_BODY_BYTES = 1_500_000

/**
 * An answer as it goes on after its first piece, comments aside: only then it is known whether the endpoint took the key.
 * Returns the same answer, its pieces unread again.
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

/** What is told before it is known who calls. Throws what is no answer. */
const refusal = (error: unknown, requestId: string): Response => {
  if (!(error instanceof ApiError)) throw error
  const { retry_after: retryAfter } = error.extras
  return Response.json(errorBody(error, requestId), {
    status: ERROR_CODES[error.code].status,
    headers: retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) },
  })
}

/** Where an operation is asked that is not built: nowhere. */
const NO_GROUP = { group: '', scope: 'read' } as const

/** The one method whose answer is a stream without an end. */
const LISTEN = 'subscriptions/listen'

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** The host names the server answers under: that of the public address; on loopback each name of it. */
const hostsOf = (publicUrl: string): string[] => {
  const { hostname } = new URL(publicUrl)
  return LOOPBACK.includes(hostname) ? LOOPBACK : [hostname]
}

const toolboxOf = (services: Services): Toolbox => {
  const tools = servedTools(new Set(services.keys()))
  const byName = new Map(tools.map((tool) => [tool.spec.name, tool]))
  return { tools: byName, definitions: DEFINITIONS.filter(({ name }) => byName.has(name)) }
}

/**
 * The hosted MCP server: who may speak to it, and what it answers with. `make` makes the server of a request; it is ours but for
 * the protocol's conformance suite, which brings tools of its own.
 */
export const mcpApp = (deps: McpDeps, make: (serving: Serving) => Server = mcpServer) => {
  const hosts = hostsOf(deps.publicUrl)
  const known = createKnownCallers(deps.now)
  const keys = accessTokens(deps.keyOfToken, deps.now)
  let toolbox: Toolbox | undefined

  /** Why the key is not taken. Asked once a minute; each call of a tool is judged by its endpoint anyway. */
  const refusalOf = async (caller: Caller, keyHash: string): Promise<ApiAnswer | undefined> =>
    known.knows(keyHash) ? undefined : await refusalNow(caller, keyHash)

  const refusalNow = async (caller: Caller, keyHash: string): Promise<ApiAnswer | undefined> => {
    const refusals: ApiAnswer[] = []
    const account = operationAt('GET /account')
    const ask = apiOf(deps, caller, (answer) => refusals.push(answer))
    await ask(account ?? NO_GROUP, { method: 'GET', path: '/account' })
    if (refusals.length === 0) known.remember(keyHash)
    return refusals[0]
  }

  const serve = async (request: Request, requestId: string): Promise<Response> => {
    const authorization = request.headers.get('authorization')
    const ownKey = presentedKey(authorization ?? undefined)
    const opened = ownKey === undefined ? await keys.behind(authorization) : { apiKey: ownKey, mayWrite: true }
    if (!opened || (isTestKey(opened.apiKey) && !deps.allowTestKeys))
      return challenge(deps.publicUrl, requestId, authorization !== null)
    const { apiKey, mayWrite } = opened
    const address = request.headers.get('cf-connecting-ip') ?? undefined
    const caller: Caller = { apiKey, address, requestId, isApplication: ownKey === undefined, onlyReads: !mayWrite }
    const keyHash = await sha256(apiKey)
    const early = await refusalOf(caller, keyHash)
    if (early) return challenge(deps.publicUrl, requestId, true, early)

    let refused: ApiAnswer | undefined
    const api = apiOf(deps, caller, (answer) => {
      refused = answer
      known.forget(keyHash)
    })
    toolbox ??= toolboxOf(deps.services)
    const tools = toolbox
    const { now, wait } = deps
    const beforeTelling = async () => {
      refused ??= await refusalNow(caller, keyHash)
      if (refused) throw new Error('the key is not taken any longer')
    }
    const handler = createMcpHandler(
      () => make({ name: deps.serviceName, toolbox: tools, api, requestId, now, wait, beforeTelling }),
      { maxRequestBodySize: MAX_BODY_BYTES },
    )
    const response = await handler.fetch(request)
    if (request.headers.get('mcp-method') === LISTEN) return response
    const answer = await begun(response)
    if (!refused) return answer
    await answer.body?.cancel()
    return challenge(deps.publicUrl, requestId, true, refused)
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
      originValidationResponse(request, hosts) ??
      (await serve(request, requestId).catch((error: unknown) => refusal(error, requestId)))
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
