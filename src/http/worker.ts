import type { Hono } from 'hono'
import { type Bindings, depsFrom } from '../runtime/deps.ts'
import type { AppEnv, HttpDeps } from './app.ts'
import { createLimiter } from './ratelimit.ts'

type Build = (deps: HttpDeps) => Pick<Hono<AppEnv>, 'fetch'>

/** A Worker's entry: built from the first request's environment and kept for the isolate's life. */
export const httpWorker = (name: string, build: Build): ExportedHandler<Bindings & Record<string, unknown>> => {
  let app: ReturnType<Build> | undefined
  return {
    fetch: (request, env, ctx) => {
      if (!app) {
        const deps = depsFrom(env, name)
        app = build({ ...deps, limiter: createLimiter(deps.settings, deps.now, deps.log) })
      }
      return app.fetch(request, env, ctx)
    },
  }
}
