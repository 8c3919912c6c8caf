import { type Service, sessionThrough } from '../../src/pages/session.ts'
import { httpWorker } from '../../src/platform/http/worker.ts'
import { parseGoogleSettings } from '../../src/platform/runtime/provider-env.ts'
import type { CmsBinding } from '../../src/providers/cms/client.ts'
import { googleSearchConsole } from '../../src/providers/google/search-console.ts'
import { targetFactory } from '../../src/providers/targets.ts'
import { sendRewrite } from '../../src/publishing/live/rewrite.ts'
import { pagesApp } from './app.tsx'

type Env = Record<string, unknown> & {
  CMS: CmsBinding
  SIGNIN: Service
  ASSETS: Fetcher
}

export default httpWorker<Env>({ name: 'pages', seals: true }, (deps, env) => {
  const targets = targetFactory(deps, env.CMS)
  return pagesApp({
    deps,
    sessionOf: sessionThrough(env.SIGNIN),
    targets,
    google: googleSearchConsole(deps, parseGoogleSettings(env)),
    sendSync: sendRewrite(targets),
    readAsset: (name) => env.ASSETS.fetch(`http://assets/${name}`),
  })
})
