import { forwardsTo, httpWorker } from '../../src/platform/http/worker.ts'
import { parseCrowdworkSettings } from '../../src/platform/runtime/provider-env.ts'
import { microworkers } from '../../src/providers/microworkers/index.ts'
import { reachApp } from './app.ts'

const worker = httpWorker({ name: 'reach' }, (deps, env) =>
  reachApp(deps, microworkers(deps, parseCrowdworkSettings(env))),
)

export default forwardsTo(worker, [[/^\/api\/v1\/(social|profile)\//, 'SOCIAL']])
