import { httpWorker } from '../../src/http/worker.ts'
import { profilesOf, socialWays } from '../../src/providers/social.ts'
import { parseSocialSettings } from '../../src/runtime/env.ts'
import { socialApp } from './app.ts'

export default httpWorker('social', (deps, env) => {
  const settings = parseSocialSettings(env)
  return socialApp(deps, { social: socialWays(deps, settings), profiles: profilesOf(deps, settings) })
})
