import { httpWorker } from '../../src/platform/http/worker.ts'
import { parseGoogleSettings, parseSocialSettings } from '../../src/platform/runtime/env.ts'
import { socialWays } from '../../src/providers/social.ts'
import { socialApp } from './app.ts'

export default httpWorker({ name: 'social', seals: true }, (deps, env) => {
  const { social, profiles } = socialWays(deps, parseSocialSettings(env), parseGoogleSettings(env))
  return socialApp(deps, { social, profiles })
})
