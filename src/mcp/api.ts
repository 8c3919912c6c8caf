import type { Scope } from '../../schema/values/accounts.ts'
import { ERROR_CODES } from '../../schema/values/errors.ts'
import { includesScope, keyMayNot } from '../platform/accounts/scopes.ts'
import { ApiError, errorBody } from '../platform/lib/errors.ts'
import { errorFields, type Log } from '../platform/runtime/log.ts'
import type { ApiRequest, Call } from './call.ts'

type Service = { fetch: (request: Request) => Promise<Response> }

/** Workers of operations that are bound, by name. */
export type Services = ReadonlyMap<string, Service>

/**
 * Caller of the MCP server, from the headers of its request.
 *
 * `isApplication`: a user connected it by OAuth, so the key is not its own. `tokenScope`: the scope of its access
 * token, which may be narrower than the key's.
 */
export type Caller = {
  apiKey: string
  address: string | undefined
  requestId: string
  isApplication: boolean
  tokenScope: Scope | undefined
}

/** Answer of an endpoint. */
export type ApiAnswer = { status: number; body: Record<string, unknown> }

/** Calls an endpoint with the caller's key. Limits, scopes and errors are those of any other call. */
export type Api = (op: Pick<Call, 'worker' | 'scope'>, request: ApiRequest) => Promise<ApiAnswer>

const unavailable = (requestId: string, publicUrl: string): ApiAnswer => ({
  status: 503,
  body: errorBody(
    new ApiError(
      'unavailable',
      'A part of the service does not answer at the moment. It is not known whether the call changed anything; check before you repeat it.',
      { retry_after: 5 },
    ),
    requestId,
    publicUrl,
  ),
})

/** Maximum length of an answer that is no JSON object, characters. */
const MAX_TEXT = 30_000

/** Returns the start of a text, without reading the rest. */
const startOf = async (response: Response): Promise<{ text: string; truncated: boolean }> => {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of (response.body ?? []) as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > MAX_TEXT) return { text: text.slice(0, MAX_TEXT), truncated: true }
  }
  return { text, truncated: false }
}

/** Returns an answer's JSON object; of an answer in another format, its type and the start of its text. */
const bodyOf = async (response: Response): Promise<Record<string, unknown>> => {
  const type = response.headers.get('content-type') ?? ''
  if (type.startsWith('application/json')) return (await response.json()) as Record<string, unknown>
  return { content_type: type, ...(await startOf(response)) }
}

const MAY: Readonly<Record<Scope, string>> = {
  read: 'only read',
  draft: 'only read and draft',
  write: 'read and change',
  admin: 'do everything',
}

/** Rewrites a refusal for a missing scope for an application, which has no other key to use. */
const forApplication = (body: ApiAnswer['body'], publicUrl: string): ApiAnswer['body'] => {
  const { key_scope: has, required_scope: needed } = body as { key_scope: Scope; required_scope: Scope }
  return {
    ...body,
    message: `The user let this application ${MAY[has]}; this call needs the scope "${needed}". Nothing was changed.`,
    instructions_for_agent:
      needed === 'admin'
        ? 'Tell the user. Applications may not do this. A person can do it in the settings, or a key with the scope admin.'
        : `Tell the user. To let this application do more, they disconnect it at ${publicUrl}/settings/applications and connect it again. If the user already allowed it and the application requested a narrower token, it must request one with the scope ${needed}.`,
  }
}

const tokenMayNot = ({ requestId }: Caller, publicUrl: string, has: Scope, needed: Scope): ApiAnswer => ({
  status: ERROR_CODES.key_may_not.status,
  body: forApplication(errorBody(keyMayNot(publicUrl, [has], needed), requestId, publicUrl), publicUrl),
})

/**
 * Returns a function that calls endpoints for one caller through service bindings. `onRefused` gets each answer with
 * status 401.
 */
export const apiOf = (
  { services, publicUrl, log }: { services: Services; publicUrl: string; log: Log },
  caller: Caller,
  onRefused: (answer: ApiAnswer) => void,
): Api => {
  const headersFor = ({ body, idempotencyKey, ifMatch }: ApiRequest): Record<string, string> => ({
    authorization: `Bearer ${caller.apiKey}`,
    'x-request-id': caller.requestId,
    ...(caller.address === undefined ? {} : { 'cf-connecting-ip': caller.address }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
  })
  return async ({ worker, scope }, request) => {
    const { tokenScope } = caller
    if (tokenScope && !includesScope([tokenScope], scope)) return tokenMayNot(caller, publicUrl, tokenScope, scope)
    const init: RequestInit = { method: request.method, headers: headersFor(request) }
    if (request.body !== undefined) init.body = JSON.stringify(request.body)
    try {
      const response = await services.get(worker)?.fetch(new Request(`${publicUrl}/api/v1${request.path}`, init))
      if (!response) return unavailable(caller.requestId, publicUrl)
      const body = await bodyOf(response)
      const isTooNarrow = caller.isApplication && body.code === 'key_may_not'
      const answer = { status: response.status, body: isTooNarrow ? forApplication(body, publicUrl) : body }
      if (answer.status === 401) onRefused(answer)
      return answer
    } catch (error) {
      log('error', 'mcp.no_answer', { worker, request_id: caller.requestId, ...errorFields(error) })
      return unavailable(caller.requestId, publicUrl)
    }
  }
}
