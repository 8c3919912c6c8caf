import { AsyncLocalStorage } from 'node:async_hooks'

/** Kind of a wait outside of a Worker. */
type Kind = 'database' | 'redis' | 'queue' | 'outbound'

type Scope = { id: string; spent: Map<Kind, { times: number; ms: number }> }

const scopes = new AsyncLocalStorage<Scope>()

/** Runs a request's work, so that everything it does knows the request's id and adds up what it waits for. */
export const inRequest = <T>(id: string, work: () => T): T => scopes.run({ id, spent: new Map() }, work)

/** Returns the id of the request at work; undefined outside of one. */
export const requestIdNow = (): string | undefined => scopes.getStore()?.id

/** Header fields that carry the request's id to another Worker. */
export const requestIdHeader = (): Record<string, string> => {
  const id = requestIdNow()
  return id === undefined ? {} : { 'x-request-id': id }
}

/** Returns the number and the milliseconds of this request's waits of each kind so far, as fields of a log line. */
export const spentFields = (): Record<string, number> => {
  const fields: Record<string, number> = {}
  for (const [kind, { times, ms }] of scopes.getStore()?.spent ?? [])
    Object.assign(fields, { [kind]: times, [`${kind}_ms`]: ms })
  return fields
}

/** Waits for something outside, and counts it with the request. */
export const waitingFor = async <T>(kind: Kind, work: () => Promise<T>): Promise<T> => {
  const startedAt = Date.now()
  try {
    return await work()
  } finally {
    const spent = scopes.getStore()?.spent
    const { times, ms } = spent?.get(kind) ?? { times: 0, ms: 0 }
    spent?.set(kind, { times: times + 1, ms: ms + Date.now() - startedAt })
  }
}

const REQUEST_ID = /^[A-Za-z0-9_-]{8,64}$/

/** Returns the request's id: the caller's where it is well formed, else a new one. */
export const requestIdOf = (header: string | null | undefined, newId: () => string): string =>
  header && REQUEST_ID.test(header) ? header : newId()

type Fetch<Env> = (request: Request, env: Env, ctx: ExecutionContext) => Response | Promise<Response>

/** Returns a Worker's `fetch` whose work knows the id of its request: the one it came with, else a new one. */
export const withRequestId =
  <Env>(fetch: Fetch<Env>) =>
  (request: Request, env: Env, ctx: ExecutionContext): Response | Promise<Response> =>
    inRequest(
      requestIdOf(request.headers.get('x-request-id'), () => crypto.randomUUID()),
      () => fetch(request, env, ctx),
    )
