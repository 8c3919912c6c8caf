import type { Hono } from 'hono'
import { type Bindings, depsFrom } from '../runtime/deps.ts'
import type { AppEnv, HttpDeps } from './app.ts'
import { createLimiter } from './ratelimit.ts'

type Build<Env> = (deps: HttpDeps, env: Env) => Pick<Hono<AppEnv>, 'fetch'>

/** A Worker's entry: built from the first request's environment and kept for the isolate's life. */
export const httpWorker = <Env = unknown>(
  name: string,
  build: Build<Env>,
): ExportedHandler<Bindings & Record<string, unknown> & Env> => {
  let app: ReturnType<Build<Env>> | undefined
  return {
    fetch: (request, env, ctx) => {
      if (!app) {
        const deps = depsFrom(env, name)
        app = build({ ...deps, limiter: createLimiter(deps.settings, deps.now, deps.log) }, env)
      }
      return app.fetch(request, env, ctx)
    },
  }
}
