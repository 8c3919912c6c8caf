import { httpWorker } from '../../src/platform/http/worker.ts'
import {
  parseCrowdworkSettings,
  parseGoogleSettings,
  parseSocialSettings,
} from '../../src/platform/runtime/provider-env.ts'
import { microworkers } from '../../src/providers/microworkers/index.ts'
import { socialServices } from '../../src/providers/social.ts'
import { reachApp } from './app.ts'

export default httpWorker({ name: 'reach', seals: true }, (deps, env) =>
  reachApp(
    deps,
    microworkers(deps, parseCrowdworkSettings(env)),
    socialServices(deps, parseSocialSettings(env), parseGoogleSettings(env)),
  ),
)
