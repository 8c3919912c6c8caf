import { forwardsTo, httpWorker } from '../../src/platform/http/worker.ts'
import type { CmsBinding } from '../../src/providers/cms/client.ts'
import { targetFactory } from '../../src/providers/targets.ts'
import { publishingApp } from './app.ts'

const worker = httpWorker<{ CMS: CmsBinding }>({ name: 'publishing', seals: true }, (deps, env) =>
  publishingApp(deps, targetFactory(deps, env.CMS)),
)

export default forwardsTo(worker, [
  ['http://publishing/internal/sync', 'EDITING_INTERNAL'],
  [/^\/api\/v1\/articles\/[^/]+(\/sync|\/revisions\/[^/]+\/restore)?\/?$/, 'EDITING'],
  [/^\/api\/v1\/(integrations|projects)\//, 'INTEGRATIONS'],
  [/^\/api\/v1\/integrations$/, 'INTEGRATIONS'],
])
