import { forwardsTo, httpWorker } from '../../src/platform/http/worker.ts'
import { parseSocialSettings } from '../../src/platform/runtime/provider-env.ts'
import type { CmsBinding } from '../../src/providers/cms/client.ts'
import { socialProvider } from '../../src/providers/social.ts'
import { connectionForms, targetFactory } from '../../src/providers/targets.ts'
import { publishingApp } from './app.ts'

const worker = httpWorker<{ CMS: CmsBinding }>({ name: 'publishing', seals: true }, (deps, env) =>
  publishingApp(deps, {
    targets: targetFactory(deps, env.CMS),
    forms: connectionForms,
    social: { provider: socialProvider(deps, parseSocialSettings(env)) },
  }),
)

export default forwardsTo(worker, [
  ['http://publishing/internal/sync', 'EDITING_INTERNAL'],
  [/^\/api\/v1\/articles\/[^/]+(\/sync|\/revisions\/[^/]+\/restore)?\/?$/, 'EDITING'],
])
