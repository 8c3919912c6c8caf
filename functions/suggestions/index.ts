import { httpWorker } from '../../src/platform/http/worker.ts'
import { syncThrough } from '../../src/publishing/live/sync-wire.ts'
import { suggestionsApp } from './app.ts'

type Env = { EDITING: { fetch: typeof fetch } }

export default httpWorker<Env>({ name: 'suggestions', seals: true }, (deps, env) =>
  suggestionsApp(deps, syncThrough(env.EDITING)),
)
