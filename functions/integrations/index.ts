import { httpWorker } from '../../src/platform/http/worker.ts'
import { parseSocialSettings } from '../../src/platform/runtime/provider-env.ts'
import type { CmsBinding } from '../../src/providers/cms/client.ts'
import { socialProvider } from '../../src/providers/social.ts'
import { connectionForms, targetFactory } from '../../src/providers/targets.ts'
import { integrationsApp } from './app.ts'

export default httpWorker<{ CMS: CmsBinding }>({ name: 'integrations', seals: true }, (deps, env) => {
  const social = { provider: socialProvider(deps, parseSocialSettings(env)) }
  return integrationsApp(deps, { targets: targetFactory(deps, env.CMS), forms: connectionForms, social })
})
