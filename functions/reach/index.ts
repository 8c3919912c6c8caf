import { httpWorker } from '../../src/http/worker.ts'
import { microworkers } from '../../src/providers/microworkers/index.ts'
import { parseCrowdworkSettings } from '../../src/runtime/env.ts'
import { reachApp } from './app.ts'

export default httpWorker('reach', (deps, env) => reachApp(deps, microworkers(deps, parseCrowdworkSettings(env))))
