import { inRequest } from '../lib/request-scope.ts'
import { requestIdOf } from './request-id.ts'

type Fetch<Env> = (request: Request, env: Env, ctx: ExecutionContext) => Response | Promise<Response>

/** Returns a Worker's `fetch` whose work knows the id of its request: the one it came with, else a new one. */
export const withRequestId =
  <Env>(fetch: Fetch<Env>) =>
  (request: Request, env: Env, ctx: ExecutionContext): Response | Promise<Response> =>
    inRequest(
      requestIdOf(request.headers.get('x-request-id'), () => crypto.randomUUID()),
      () => fetch(request, env, ctx),
    )
