import { httpWorker } from '../../src/platform/http/worker.ts'
import type { CmsBinding } from '../../src/providers/cms/client.ts'
import { targetFactory } from '../../src/providers/publishing.ts'
import { articlesApp } from './app.ts'

export default httpWorker<{ CMS: CmsBinding }>({ name: 'articles', seals: true }, (deps, env) =>
  articlesApp(deps, targetFactory(deps, env.CMS)),
)
