import { httpWorker } from '../../src/platform/http/worker.ts'
import { parseGoogleSettings, parseSocialSettings } from '../../src/platform/runtime/provider-env.ts'
import { socialServices } from '../../src/providers/social.ts'
import { socialApp } from './app.ts'

export default httpWorker({ name: 'social', seals: true }, (deps, env) => {
  const { social, profiles } = socialServices(deps, parseSocialSettings(env), parseGoogleSettings(env))
  return socialApp(deps, { social, profiles })
})
