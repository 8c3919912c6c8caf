import { twoEntrypoints } from '../../src/platform/http/worker.ts'
import type { CmsBinding } from '../../src/providers/cms/client.ts'
import { targetFactory } from '../../src/providers/targets.ts'
import { editingApp } from './app.ts'

const { open, internal } = twoEntrypoints<{ CMS: CmsBinding }>({ name: 'editing', seals: true }, (deps, env) =>
  editingApp(deps, targetFactory(deps, env.CMS)),
)

export { internal }
export default open
