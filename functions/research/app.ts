import { exchangeOperations } from '../../src/exchange/operations.ts'
import { exchangeStanding, listBacklinks, listLedger } from '../../src/exchange/read.ts'
import { findTargets } from '../../src/exchange/targets.ts'
import type { HttpDeps } from '../../src/http/deps.ts'
import { groupApp } from '../../src/http/group.ts'
import { routes } from '../../src/http/route.ts'
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

export const researchApp = (deps: HttpDeps) => groupApp(deps, site, exchange)
