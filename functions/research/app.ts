import { listProviderKeys, removeProviderKey, saveProviderKey } from '../../src/accounts/provider-keys/keys.ts'
import { providerKeyOperations } from '../../src/accounts/provider-keys/operations.ts'
import { exchangeOperations } from '../../src/content/exchange/operations.ts'
import { findTargets, listBacklinks, listLedger, readExchangeStatus } from '../../src/content/exchange/read.ts'
import { siteOperations } from '../../src/content/site/operations.ts'
import { findInternalLinks } from '../../src/content/site/pages.ts'
import type { KeywordProviders } from '../../src/insights/keywords/market.ts'
import { keywordOperations } from '../../src/insights/keywords/operations.ts'
import { searchKeywords } from '../../src/insights/keywords/search.ts'
import type { HttpDeps } from '../../src/platform/http/deps.ts'
import { groupApp } from '../../src/platform/http/group.ts'
import { routes } from '../../src/platform/http/route.ts'

const site = routes(siteOperations, {
  internalLinks: (ctx, { query }) => findInternalLinks(ctx, query),
})

const exchange = routes(exchangeOperations, {
  targets: (ctx, { query }) => findTargets(ctx, query),
  list: (ctx, { query }) => listBacklinks(ctx, query),
  status: (ctx, { query }) => readExchangeStatus(ctx, query.project_id),
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

/** Returns the app with the operations of keywords and provider keys. */
export const researchApp = (deps: HttpDeps, providers: KeywordProviders) =>
  groupApp(deps, site, exchange, keywords(providers), providerKeys(providers))
