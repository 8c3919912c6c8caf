import { withRequestId } from '../lib/request-scope.ts'
import type { Deps } from '../runtime/ctx.ts'
import { errorFields } from '../runtime/log.ts'
import { answerRun } from './background.ts'
import type { Registry } from './job.ts'

/**
 * Returns a Worker that runs jobs for the jobs Worker. It can be called only through a service binding.
 *
 * `build` makes its dependencies from its environment, once.
 */
export const runsWorker = <Env>(build: (env: Env) => { deps: Deps; registry: Registry }): ExportedHandler<Env> => {
  let built: ReturnType<typeof build> | undefined
  return {
    fetch: withRequestId(async (request, env: Env, ctx) => {
      built ??= build(env)
      const { deps, registry } = built
      try {
        return Response.json(await answerRun(deps, registry, await request.json(), (work) => ctx.waitUntil(work)))
      } catch (error) {
        deps.log('error', 'background.failed', errorFields(error))
        return Response.json({ error: 'The run failed.' }, { status: 500 })
      }
    }),
  }
}
