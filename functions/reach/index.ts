import { httpWorker } from '../../src/http/worker.ts'
import { microworkers } from '../../src/providers/microworkers/index.ts'
import { parseCrowdworkSettings } from '../../src/runtime/env.ts'
import { reachApp } from './app.ts'

type Env = { SOCIAL: { fetch: (request: Request) => Promise<Response> } }

/**
 * Paths that galley-social answers now. While a deployment is under way, the front door of the release before still asks for them
 * here. Two releases after the one that moved them this can go.
 */
const MOVED = /^\/api\/v1\/(?:social|profile)\//

export default httpWorker<Env>('reach', (deps, env) => {
  const app = reachApp(deps, microworkers(deps, parseCrowdworkSettings(env)))
  return {
    fetch: (request, ...rest) =>
      MOVED.test(new URL(request.url).pathname) ? env.SOCIAL.fetch(request) : app.fetch(request, ...rest),
  }
})
