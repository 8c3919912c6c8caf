import { ApiError, ERROR_CODES, errorBody } from '../lib/errors.ts'
import { errorFields, type Log } from '../runtime/log.ts'
import type { ApiRequest } from './arguments.ts'
import type { Call } from './call.ts'

type Service = { fetch: (request: Request) => Promise<Response> }

/** The Workers of the endpoint groups, by the group's name, as far as they are bound. */
export type Services = ReadonlyMap<string, Service>

/**
 * Who calls: the headers of the caller's request that the endpoints judge by. `isApplication`: a user let it in, so that the key
 * is none of its own. `onlyReads`: its token is for reading, though the key behind it may be for more.
 */
export type Caller = {
  apiKey: string
  address: string | undefined
  requestId: string
  isApplication: boolean
  onlyReads: boolean
}

/** An endpoint's answer. */
export type ApiAnswer = { status: number; body: Record<string, unknown> }

/** Asks the endpoints with the caller's key: the same limits, scoping and errors as any other call. */
export type Api = (op: Pick<Call, 'group' | 'scope'>, request: ApiRequest) => Promise<ApiAnswer>

const unavailable = (requestId: string, publicUrl: string): ApiAnswer => ({
  status: 503,
  body: errorBody(
    new ApiError(
      'unavailable',
      'A part of the service does not answer at the moment. It is not known whether the call changed anything; look before you repeat it.',
      { retry_after: 5 },
    ),
    requestId,
    publicUrl,
  ),
})

/** What an application is told that was let in to read and would change something: it has no key to take another for. */
const onlyReads = (body: ApiAnswer['body'], publicUrl: string): ApiAnswer['body'] => ({
  ...body,
  message: 'The user let this application only read. Nothing was changed.',
  instructions_for_agent: `Tell the user. To let this application change things, too, they end it at ${publicUrl}/settings/applications and connect it again. Where they let it change things and the application asked for a token that only reads, it asks for one with the scope write.`,
})

const tokenReads = ({ requestId }: Caller, publicUrl: string): ApiAnswer => {
  const error = new ApiError('read_only_key', 'This token is for reading.')
  return {
    status: ERROR_CODES.read_only_key.status,
    body: onlyReads(errorBody(error, requestId, publicUrl), publicUrl),
  }
}

/** The endpoints as one caller reaches them, through service bindings. `onRefused` hears of a key that is not taken, and why. */
export const apiOf = (
  { services, publicUrl, log }: { services: Services; publicUrl: string; log: Log },
  caller: Caller,
  onRefused: (answer: ApiAnswer) => void,
): Api => {
  const headersFor = ({ body, idempotencyKey }: ApiRequest): Record<string, string> => ({
    authorization: `Bearer ${caller.apiKey}`,
    'x-request-id': caller.requestId,
    ...(caller.address === undefined ? {} : { 'cf-connecting-ip': caller.address }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
  })
  return async ({ group, scope }, request) => {
    if (caller.onlyReads && scope === 'write') return tokenReads(caller, publicUrl)
    try {
      const init: RequestInit = { method: request.method, headers: headersFor(request) }
      if (request.body !== undefined) init.body = JSON.stringify(request.body)
      const response = await services.get(group)?.fetch(new Request(`${publicUrl}/api/v1${request.path}`, init))
      if (!response) return unavailable(caller.requestId, publicUrl)
      const body = (await response.json()) as Record<string, unknown>
      const isReader = caller.isApplication && body.code === 'read_only_key'
      const answer = { status: response.status, body: isReader ? onlyReads(body, publicUrl) : body }
      if (answer.status === 401) onRefused(answer)
      return answer
    } catch (error) {
      log('error', 'mcp.no_answer', { group, request_id: caller.requestId, ...errorFields(error) })
      return unavailable(caller.requestId, publicUrl)
    }
  }
}
