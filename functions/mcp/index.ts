import type { Scope } from '../../schema/values/accounts.ts'
import { TOKEN_KEY_PATH } from '../../src/accounts/oauth/paths.ts'
import type { KeyOfToken } from '../../src/mcp/admission.ts'
import type { Services } from '../../src/mcp/api.ts'
import { CALLS } from '../../src/mcp/calls.generated.ts'
import { ApiError } from '../../src/platform/lib/errors.ts'
import { requestIdHeader, withRequestId } from '../../src/platform/lib/request-scope.ts'
import { parseFront } from '../../src/platform/runtime/env.ts'
import { createLog } from '../../src/platform/runtime/log.ts'
import { mcpApp } from './app.ts'

type Service = { fetch: (request: Request) => Promise<Response> }
type Env = Record<string, unknown>

const servicesOf = (env: Env): Services =>
  new Map(
    Object.values(CALLS).flatMap(({ worker }) => {
      const service = env[worker.toUpperCase()] as Service | undefined
      return service === undefined ? [] : [[worker, service] as const]
    }),
  )

const NOT_CHECKED =
  'Access tokens cannot be checked at the moment. Nothing was done. Repeat the same call shortly, with the same token.'

type FoundToken = { apiKey?: string; scope?: Scope; expiresAt?: number; isOfGrant?: boolean }

/** Calls the OAuth server, which keeps the grants. */
const keyOfToken =
  (oauth: Service): KeyOfToken =>
  async (token) => {
    const response = await oauth.fetch(
      new Request(`http://oauth${TOKEN_KEY_PATH}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...requestIdHeader() },
        body: JSON.stringify({ token }),
      }),
    )
    if (!response.ok) throw new ApiError('unavailable', NOT_CHECKED, { retry_after: 5 })
    const found = (await response.json()) as FoundToken
    const { apiKey, scope = 'read', expiresAt, isOfGrant } = found
    if (apiKey !== undefined && expiresAt !== undefined) return { apiKey, scope, expiresAt }
    return isOfGrant ? 'expired' : undefined
  }

/** Reads from the Worker of the documents. */
const readDocument =
  (docs: Service) =>
  async (path: string): Promise<string | undefined> => {
    const response = await docs.fetch(new Request(`http://docs${path}`, { headers: requestIdHeader() }))
    return response.ok ? await response.text() : undefined
  }

const build = (env: Env) =>
  mcpApp({
    ...parseFront(env),
    services: servicesOf(env),
    keyOfToken: keyOfToken(env.OAUTH as Service),
    readDocument: readDocument(env.DOCS as Service),
    log: createLog({ worker: 'mcp' }),
    now: () => new Date(),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    newId: () => crypto.randomUUID(),
  })

let app: ReturnType<typeof build> | undefined

export default {
  fetch: withRequestId((request, env: Env) => {
    app ??= build(env)
    return app(request)
  }),
} satisfies ExportedHandler<Env>
