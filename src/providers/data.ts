import type { KeywordProviders } from '../insights/keywords/market.ts'
import type { AnswerEngines } from '../insights/visibility/port.ts'
import type { Deps } from '../platform/runtime/ctx.ts'
import type { EngineModels, KeywordSettings } from '../platform/runtime/provider-env.ts'
import { ahrefs } from './data/ahrefs/index.ts'
import { dataForSeoEngines } from './data/dataforseo/engines.ts'
import { dataForSeo } from './data/dataforseo/index.ts'

/** Returns the keyword services, opened for the service's own account or for a caller's keys. */
export const keywordProviders = (
  { outbound, now }: Pick<Deps, 'outbound' | 'now'>,
  settings: KeywordSettings,
): KeywordProviders => {
  const { dataForSeo: own, dataForSeoUrl, ahrefsUrl, sandboxes } = settings
  return {
    service: own ? dataForSeo({ outbound, now }, { baseUrl: dataForSeoUrl, ...own }) : undefined,
    opened: (provider, secrets) =>
      provider === 'dataforseo'
        ? dataForSeo(
            { outbound, now },
            { baseUrl: dataForSeoUrl, login: secrets.login ?? '', password: secrets.password ?? '' },
          )
        : ahrefs({ outbound, now }, { baseUrl: ahrefsUrl, apiKey: secrets.api_key ?? '' }),
    isSandbox: (provider) => sandboxes.includes(provider),
  }
}

/** Returns the client of AI engines; undefined if the service has no account of its own. */
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
