import { httpWorker } from '../../src/http/worker.ts'
import { socialWays } from '../../src/providers/social.ts'
import { parseSocialSettings } from '../../src/runtime/env.ts'
import { reachApp } from './app.ts'

export default httpWorker('reach', (deps, env) => reachApp(deps, socialWays(deps, parseSocialSettings(env))))
