import { runsWorker } from '../../src/platform/jobs/runs-worker.ts'
import { depsFrom } from '../../src/platform/runtime/deps.ts'
import {
  parseEngineModels,
  parseGoogleSettings,
  parseKeywordSettings,
} from '../../src/platform/runtime/provider-env.ts'
import { mainContentThrough } from '../../src/providers/browser-client/index.ts'
import { answerEngines } from '../../src/providers/data.ts'
import { googleSearchConsole } from '../../src/providers/google/search-console.ts'
import { writerClient } from '../../src/providers/models/writer-client/index.ts'
import { registry } from './registry.ts'

type Env = Record<string, unknown> & { WRITER: { fetch: typeof fetch }; BROWSER: { fetch: typeof fetch } }

export default runsWorker<Env>((env) => {
  const deps = depsFrom(env, { name: 'watch', seals: true })
  return {
    deps,
    registry: registry({
      google: googleSearchConsole(deps, parseGoogleSettings(env)),
      engines: answerEngines(deps, parseKeywordSettings(env), parseEngineModels(env)),
      writer: writerClient(env.WRITER),
      mainContent: mainContentThrough(env.BROWSER),
    }),
  }
})
