import type { Deps } from '../runtime/ctx.ts'
import type { EngineModels, KeywordSettings } from '../runtime/env.ts'
import type { AnswerEngines } from '../visibility/port.ts'
import { dataForSeoEngines } from './dataforseo/engines.ts'

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
