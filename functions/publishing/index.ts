import { httpWorker } from '../../src/platform/http/worker.ts'
import { parseSocialSettings } from '../../src/platform/runtime/provider-env.ts'
import { mainContentThrough } from '../../src/providers/browser-client/index.ts'
import type { CmsBinding } from '../../src/providers/cms/client.ts'
import { connectionForms, targetFactory } from '../../src/providers/publishing.ts'
import { socialProvider } from '../../src/providers/social.ts'
import { publishingApp } from './app.ts'

type Env = { CMS: CmsBinding; ARTICLES: { fetch: typeof fetch }; BROWSER: { fetch: typeof fetch } }

export default httpWorker<Env>({ name: 'publishing', seals: true, signs: true }, (deps, env) =>
  publishingApp(deps, env.ARTICLES, {
    targets: targetFactory(deps, env.CMS, mainContentThrough(env.BROWSER)),
    forms: connectionForms,
    social: { provider: socialProvider(deps, parseSocialSettings(env)) },
  }),
)
