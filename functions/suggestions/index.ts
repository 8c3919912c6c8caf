import { httpWorker } from '../../src/platform/http/worker.ts'
import type { CmsBinding } from '../../src/providers/cms/client.ts'
import { targetFactory } from '../../src/providers/publishing.ts'
import { sendRewrite } from '../../src/publishing/live/rewrite.ts'
import { suggestionsApp } from './app.ts'

export default httpWorker<{ CMS: CmsBinding }>({ name: 'suggestions', seals: true }, (deps, env) =>
  suggestionsApp(deps, sendRewrite(targetFactory(deps, env.CMS))),
)
