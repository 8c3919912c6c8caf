import { httpWorker } from '../../src/platform/http/worker.ts'
import { parseKeywordSettings } from '../../src/platform/runtime/provider-env.ts'
import { keywordProviders } from '../../src/providers/data.ts'
import { researchApp } from './app.ts'

export default httpWorker({ name: 'research', seals: true }, (deps, env) =>
  researchApp(deps, keywordProviders(deps, parseKeywordSettings(env))),
)
