import { exchangeOperations } from '../../src/exchange/operations.ts'
import { exchangeStanding, listBacklinks, listLedger } from '../../src/exchange/read.ts'
import { findTargets } from '../../src/exchange/targets.ts'
import type { HttpDeps } from '../../src/http/deps.ts'
import { groupApp } from '../../src/http/group.ts'
import { routes } from '../../src/http/route.ts'
import { keywordOperations } from '../../src/keywords/operations.ts'
import type { KeywordProviders } from '../../src/keywords/port.ts'
import { searchKeywords } from '../../src/keywords/search.ts'
import { listProviderKeys, removeProviderKey, saveProviderKey } from '../../src/provider-keys/keys.ts'
import { providerKeyOperations } from '../../src/provider-keys/operations.ts'
import { findInternalLinks } from '../../src/site/internal-links.ts'
import { siteOperations } from '../../src/site/operations.ts'

const site = routes(siteOperations, {
  internalLinks: (ctx, { query }) => findInternalLinks(ctx, query),
})

const exchange = routes(exchangeOperations, {
  targets: (ctx, { query }) => findTargets(ctx, query),
  list: (ctx, { query }) => listBacklinks(ctx, query),
  status: (ctx, { query }) => exchangeStanding(ctx, query.project_id),
  ledger: (ctx, { query }) => listLedger(ctx, query),
})

const keywords = (providers: KeywordProviders) =>
  routes(keywordOperations, { search: (ctx, { body }) => searchKeywords(ctx, providers, body) })

const providerKeys = (providers: KeywordProviders) =>
  routes(providerKeyOperations, {
    list: (ctx) => listProviderKeys(ctx),
    save: (ctx, { params, body }) => saveProviderKey(ctx, providers, params.provider, body),
    remove: (ctx, { params }) => removeProviderKey(ctx, params.provider),
  })

export const researchApp = (deps: HttpDeps, providers: KeywordProviders) =>
  groupApp(deps, site, exchange, keywords(providers), providerKeys(providers))
