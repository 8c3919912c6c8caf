import type { KeywordProviders } from '../insights/keywords/port.ts'
import type { Deps } from '../platform/runtime/ctx.ts'
import type { KeywordSettings } from '../platform/runtime/env.ts'
import { ahrefs } from './data/ahrefs/index.ts'
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
