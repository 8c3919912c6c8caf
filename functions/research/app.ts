import { exchangeOperations as exchange } from '../../src/exchange/operations.ts'
import { exchangeStanding, listBacklinks, listLedger } from '../../src/exchange/read.ts'
import { findTargets } from '../../src/exchange/targets.ts'
import { createApp, type HttpDeps } from '../../src/http/app.ts'
import { guard } from '../../src/http/guard.ts'
import { queryOf } from '../../src/http/validate.ts'
import { findInternalLinks } from '../../src/research/internal-links.ts'
import { researchOperations as ops } from '../../src/research/operations.ts'

export const researchApp = (deps: HttpDeps) =>
  createApp(deps)
    .basePath('/api/v1')
    .get('/internal-links', guard(deps, ops.internalLinks), queryOf(ops.internalLinks.query), async (c) =>
      c.json(await findInternalLinks(c.var.ctx, c.req.valid('query'))),
    )
    .get('/backlink-targets', guard(deps, exchange.targets), queryOf(exchange.targets.query), async (c) =>
      c.json(await findTargets(c.var.ctx, c.req.valid('query'))),
    )
    .get('/backlinks', guard(deps, exchange.list), queryOf(exchange.list.query), async (c) =>
      c.json(await listBacklinks(c.var.ctx, c.req.valid('query'))),
    )
    .get('/backlinks/status', guard(deps, exchange.status), queryOf(exchange.status.query), async (c) =>
      c.json(await exchangeStanding(c.var.ctx, c.req.valid('query').project_id)),
    )
    .get('/backlinks/ledger', guard(deps, exchange.ledger), queryOf(exchange.ledger.query), async (c) =>
      c.json(await listLedger(c.var.ctx, c.req.valid('query'))),
    )
