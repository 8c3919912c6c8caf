import type { AnswerEngines } from '../insights/visibility/port.ts'
import type { Deps } from '../platform/runtime/ctx.ts'
import type { EngineModels, KeywordSettings } from '../platform/runtime/env.ts'
import { dataForSeoEngines } from './data/dataforseo/engines.ts'

/** Returns the client of AI engines; undefined without an account of the service's own. */
export const answerEngines = (
  { outbound, now }: Pick<Deps, 'outbound' | 'now'>,
  { dataForSeo: own, dataForSeoUrl, sandboxes }: KeywordSettings,
  models: EngineModels,
): AnswerEngines | undefined =>
  own &&
  dataForSeoEngines(
    { outbound, now },
    { baseUrl: dataForSeoUrl, ...own },
    { models, isSandbox: sandboxes.includes('dataforseo') },
  )
