import { AsyncLocalStorage } from 'node:async_hooks'

/** Kind of system outside the Worker that a request waits for. `binding`: other Workers of the service. */
type Kind = 'database' | 'redis' | 'queue' | 'outbound' | 'binding'

/** `cause`: the actor who causes the jobs that the request queues; undefined before it is known, and for the clock. */
type Scope = { id: string; cause: string | undefined; spent: Map<Kind, { times: number; ms: number }> }

const scopes = new AsyncLocalStorage<Scope>()

/** Runs a request's work in a scope with the request's id, which also adds up its waits. `cause`: who caused a job's run. */
export const inRequest = <T>(id: string, work: () => T, cause?: string): T =>
  scopes.run({ id, cause, spent: new Map() }, work)

/** Returns the actor who causes the jobs that are queued now; undefined if nobody does. */
export const causeNow = (): string | undefined => scopes.getStore()?.cause

/** Names the actor who causes the jobs of the current request. Unlike the request's id, no caller chooses it. */
export const setCause = (actor: string | undefined): void => {
  const scope = scopes.getStore()
  if (scope) scope.cause = actor
}

/** Returns the id of the current request; undefined outside of one. */
export const requestIdNow = (): string | undefined => scopes.getStore()?.id

/** Returns the header field that passes the request's id to another Worker. */
export const requestIdHeader = (): Record<string, string> => {
  const id = requestIdNow()
  return id === undefined ? {} : { 'x-request-id': id }
}

/** Returns the number and the milliseconds of the request's waits of each kind so far, as fields of a log line. */
export const spentFields = (): Record<string, number> => {
  const fields: Record<string, number> = {}
  for (const [kind, { times, ms }] of scopes.getStore()?.spent ?? [])
    Object.assign(fields, { [kind]: times, [`${kind}_ms`]: ms })
  return fields
}

/** Waits for a call to another system, and adds the wait to the request's. */
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

/**
 * Number of calls over bindings after which a run of a job begins no further step. Cloudflare names 32 invocations of Workers for a
 * request (https://developers.cloudflare.com/workers/platform/limits/, 2026-11-28).
 */
const MOST_CALLS = 24

/** True if the request may make this many further calls over bindings. */
export const hasCallsLeft = (calls: number): boolean =>
  (scopes.getStore()?.spent.get('binding')?.times ?? 0) + calls <= MOST_CALLS

/** Returns a binding whose calls are counted as waits of the request. */
export const counted = (binding: { fetch: typeof fetch }): { fetch: typeof fetch } => ({
  fetch: (...call: Parameters<typeof fetch>) => waitingFor('binding', () => binding.fetch(...call)),
})

/** Returns the result of `work`. Throws a `TimeoutError` after `ms` milliseconds; the work itself is not stopped. */
export const within = async <T>(work: Promise<T>, ms: number): Promise<T> =>
  await Promise.race([
    work,
    new Promise<never>((_, reject) => {
      const signal = AbortSignal.timeout(ms)
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    }),
  ])

const REQUEST_ID = /^[A-Za-z0-9_-]{8,64}$/

/** Returns the request's id: the caller's if it is well formed, else a new one. */
export const requestIdOf = (header: string | null | undefined, newId: () => string): string =>
  header && REQUEST_ID.test(header) ? header : newId()

type Fetch<Env> = (request: Request, env: Env, ctx: ExecutionContext) => Response | Promise<Response>

/** Returns a Worker's `fetch` that runs in the scope of its request, with the id from the header or a new one. */
export const withRequestId =
  <Env>(fetch: Fetch<Env>) =>
  (request: Request, env: Env, ctx: ExecutionContext): Response | Promise<Response> =>
    inRequest(
      requestIdOf(request.headers.get('x-request-id'), () => crypto.randomUUID()),
      () => fetch(request, env, ctx),
    )
