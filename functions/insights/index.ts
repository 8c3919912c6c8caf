import { httpWorker } from '../../src/platform/http/worker.ts'
import { parseGoogleSettings } from '../../src/platform/runtime/provider-env.ts'
import { googleSearchConsole } from '../../src/providers/google/search-console.ts'
import { insightsApp } from './app.ts'

export default httpWorker<Record<string, unknown>>({ name: 'insights', seals: true, signs: true }, (deps, env) =>
  insightsApp(deps, googleSearchConsole(deps, parseGoogleSettings(env))),
)
