import { httpWorker } from '../../src/http/worker.ts'
import { profilesOf, socialWays } from '../../src/providers/social.ts'
import { parseSocialSettings } from '../../src/runtime/env.ts'
import { reachApp } from './app.ts'

export default httpWorker('reach', (deps, env) => {
  const settings = parseSocialSettings(env)
  return reachApp(deps, { social: socialWays(deps, settings), profiles: profilesOf(deps, settings) })
})
