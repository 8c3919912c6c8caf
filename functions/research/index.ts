import { httpWorker } from '../../src/http/worker.ts'
import { keywordProviders } from '../../src/providers/keywords.ts'
import { parseKeywordSettings } from '../../src/runtime/env.ts'
import { researchApp } from './app.ts'

export default httpWorker({ name: 'research', seals: true }, (deps, env) =>
  researchApp(deps, keywordProviders(deps, parseKeywordSettings(env))),
)
