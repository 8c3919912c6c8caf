import { type Service, sessionThrough } from '../../src/pages/session.ts'
import { httpWorker } from '../../src/platform/http/worker.ts'
import {
  parseCrowdworkSettings,
  parseGoogleSettings,
  parseSocialSettings,
} from '../../src/platform/runtime/provider-env.ts'
import type { CmsBinding } from '../../src/providers/cms/client.ts'
import { googleSearchConsole } from '../../src/providers/google/search-console.ts'
import { microworkers } from '../../src/providers/microworkers/index.ts'
import { socialServices } from '../../src/providers/social.ts'
import { targetFactory } from '../../src/providers/targets.ts'
import { sendRewrite } from '../../src/publishing/live/rewrite.ts'
import { controlApp } from './app.tsx'

type Env = Record<string, unknown> & { CMS: CmsBinding; SIGNIN: Service }

export default httpWorker<Env>({ name: 'control', seals: true }, (deps, env) => {
  const targets = targetFactory(deps, env.CMS)
  return controlApp({
    deps,
    sessionOf: sessionThrough(env.SIGNIN),
    targets,
    google: googleSearchConsole(deps, parseGoogleSettings(env)),
    sendSync: sendRewrite(targets),
    crowd: microworkers(deps, parseCrowdworkSettings(env)),
    ...socialServices(deps, parseSocialSettings(env), parseGoogleSettings(env)),
  })
})
