import { httpWorker } from '../../src/http/worker.ts'
import type { CmsBinding } from '../../src/providers/cms/client.ts'
import { targetFactory } from '../../src/providers/targets.ts'
import { publishingApp } from './app.ts'

export default httpWorker<{ CMS: CmsBinding }>('publishing', (deps, env) =>
  publishingApp(deps, targetFactory(deps, env.CMS)),
)
