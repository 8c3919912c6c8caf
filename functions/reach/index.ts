import { httpWorker } from '../../src/http/worker.ts'
import { microworkers } from '../../src/providers/microworkers/index.ts'
import { profilesOf, socialWays } from '../../src/providers/social.ts'
import { parseCrowdworkSettings, parseSocialSettings } from '../../src/runtime/env.ts'
import { reachApp } from './app.ts'

export default httpWorker('reach', (deps, env) => {
  const settings = parseSocialSettings(env)
  return reachApp(deps, {
    social: socialWays(deps, settings),
    profiles: profilesOf(deps, settings),
    crowd: microworkers(deps, parseCrowdworkSettings(env)),
  })
})
