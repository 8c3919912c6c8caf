import type { Hono } from 'hono'
import { createRefusedSignIns } from '../accounts/refused-sign-ins.ts'
import { type Bindings, depsFrom } from '../runtime/deps.ts'
import type { WorkerSpec } from '../runtime/env.ts'
import { withRequestId } from '../runtime/with-request-id.ts'
import type { AppEnv } from './app.ts'
import { createKnownCallers } from './callers.ts'
import type { HttpDeps } from './deps.ts'
import { createLimiter } from './ratelimit.ts'

type Build<Env> = (deps: HttpDeps, env: Env) => Pick<Hono<AppEnv>, 'fetch'>

/** A Worker's entry: built from the first request's environment and kept for the isolate's life. */
export const httpWorker = <Env = unknown>(
  worker: WorkerSpec,
  build: Build<Env>,
): ExportedHandler<Bindings & Record<string, unknown> & Env> => {
  let app: ReturnType<Build<Env>> | undefined
  return {
    fetch: withRequestId((request, env: Bindings & Record<string, unknown> & Env, ctx) => {
      if (!app) {
        const deps = depsFrom(env, worker)
        const limiter = createLimiter(deps.settings, deps.now, deps.log)
        app = build(
          { ...deps, limiter, callers: createKnownCallers(deps.now), refusedSignIns: createRefusedSignIns(deps.now) },
          env,
        )
      }
      return app.fetch(request, env, ctx)
    }),
  }
}
