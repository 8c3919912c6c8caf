import { httpWorker } from '../../src/http/worker.ts'
import { googleSearchConsole } from '../../src/providers/google/search-console.ts'
import { parseGoogleSettings } from '../../src/runtime/env.ts'
import { insightsApp } from './app.ts'

export default httpWorker<Record<string, unknown>>({ name: 'insights', seals: true }, (deps, env) =>
  insightsApp(deps, googleSearchConsole(deps, parseGoogleSettings(env))),
)
