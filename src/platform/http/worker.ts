import type { Hono } from 'hono'
import { createRefusedSignIns } from '../accounts/refused-sign-ins.ts'
import { withRequestId } from '../lib/request-scope.ts'
import { type Bindings, depsFrom } from '../runtime/deps.ts'
import type { WorkerSpec } from '../runtime/env.ts'
import type { AppEnv } from './app.ts'
import { createKnownCallers, type HttpDeps } from './deps.ts'
import { createLimiter } from './ratelimit.ts'

/** App of one of a Worker's entrypoints. */
type Entry = Pick<Hono<AppEnv>, 'fetch'>
type Build<Env, Built> = (deps: HttpDeps, env: Env) => Built
type FullEnv<Env> = Bindings & Record<string, unknown> & Env

/** Returns a function that builds a Worker's apps from the first request's environment, and keeps them. */
const builtOnce = <Env, Built>(worker: WorkerSpec, build: Build<Env, Built>): ((env: FullEnv<Env>) => Built) => {
  let built: Built | undefined
  return (env) => {
    if (built === undefined) {
      const deps = depsFrom(env, worker)
      const limiter = createLimiter(deps.settings, deps.now, deps.log)
      built = build(
        {
          ...deps,
          limiter,
          callers: createKnownCallers<number>(deps.now),
          refusedSignIns: createRefusedSignIns(deps.now),
        },
        env,
      )
    }
    return built
  }
}

/** Returns a Worker with one entrypoint. */
export const httpWorker = <Env = unknown>(
  worker: WorkerSpec,
  build: Build<Env, Entry>,
): ExportedHandler<FullEnv<Env>> => {
  const of = builtOnce(worker, build)
  return { fetch: withRequestId((request, env: FullEnv<Env>, ctx) => of(env).fetch(request, env, ctx)) }
}

/**
 * Returns a Worker with two entrypoints: `open` serves requests from the gateway, `internal` serves only other Workers.
 *
 * The gateway has no binding to `internal`, so no public path leads there.
 */
export const twoEntrypoints = <Env = unknown>(
  worker: WorkerSpec,
  build: Build<Env, { open: Entry; internal: Entry }>,
): { open: ExportedHandler<FullEnv<Env>>; internal: ExportedHandler<FullEnv<Env>> } => {
  const of = builtOnce(worker, build)
  return {
    open: { fetch: withRequestId((request, env: FullEnv<Env>, ctx) => of(env).open.fetch(request, env, ctx)) },
    internal: { fetch: withRequestId((request, env: FullEnv<Env>, ctx) => of(env).internal.fetch(request, env, ctx)) },
  }
}
