import { inRequest } from '../lib/request-scope.ts'

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
