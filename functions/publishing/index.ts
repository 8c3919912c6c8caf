import { httpWorker } from '../../src/http/worker.ts'
import type { CmsBinding } from '../../src/providers/cms/client.ts'
import { connectionForms, targetFactory } from '../../src/providers/targets.ts'
import { publishingApp } from './app.ts'

type Env = { CMS: CmsBinding }

export default httpWorker<Env>('publishing', (deps, env) =>
  publishingApp(deps, targetFactory(deps, env.CMS), connectionForms),
)
