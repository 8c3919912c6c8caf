import { httpWorker } from '../../src/http/worker.ts'
import type { CmsBinding } from '../../src/providers/cms/client.ts'
import { connectionForms } from '../../src/providers/forms.ts'
import { targetFactory } from '../../src/providers/targets.ts'
import { integrationsApp } from './app.ts'

export default httpWorker<{ CMS: CmsBinding }>({ name: 'integrations', seals: true }, (deps, env) =>
  integrationsApp(deps, targetFactory(deps, env.CMS), connectionForms),
)
