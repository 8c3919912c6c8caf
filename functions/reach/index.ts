import { handingOn } from '../../src/http/moved.ts'
import { httpWorker } from '../../src/http/worker.ts'
import { microworkers } from '../../src/providers/microworkers/index.ts'
import { parseCrowdworkSettings } from '../../src/runtime/env.ts'
import { reachApp } from './app.ts'

const worker = httpWorker({ name: 'reach' }, (deps, env) =>
  reachApp(deps, microworkers(deps, parseCrowdworkSettings(env))),
)

export default handingOn(worker, [[/^\/api\/v1\/(social|profile)\//, 'SOCIAL']])
