import { tracing } from 'cloudflare:workers'
import { inRequest, traceWith } from '../lib/request-scope.ts'
import { requestIdOf } from './request-id.ts'

type Fetch<Env> = (request: Request, env: Env, ctx: ExecutionContext) => Response | Promise<Response>

traceWith(
  (name, work) => tracing.enterSpan(name, work),
  () => Date.now(),
)

/** A Worker's `fetch` whose work knows the id of its request: the one it came with, else a new one. */
export const traced =
  <Env>(fetch: Fetch<Env>) =>
  (request: Request, env: Env, ctx: ExecutionContext): Response | Promise<Response> =>
    inRequest(
      requestIdOf(request.headers.get('x-request-id'), () => crypto.randomUUID()),
      () => fetch(request, env, ctx),
    )
