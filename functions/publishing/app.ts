import { createApp, type HttpDeps } from '../../src/http/app.ts'
import { guard } from '../../src/http/guard.ts'
import { idParam, jsonBody, queryOf } from '../../src/http/validate.ts'
import { connectCmsSite, connectIntegration } from '../../src/publishing/connect.ts'
import { getDelivery, listDeliveries, replayDelivery } from '../../src/publishing/deliveries.ts'
import { disconnectIntegration, listIntegrations, testIntegration } from '../../src/publishing/integrations.ts'
import { publishingOperations as ops } from '../../src/publishing/operations.ts'
import type { ConnectionForms, TargetFactory } from '../../src/publishing/port.ts'
import { deliveryDetail, deliveryRow, integrationRow } from '../../src/publishing/present.ts'
import { publishArticle } from '../../src/publishing/publish.ts'
import { rollbackArticle } from '../../src/publishing/rollback.ts'
import { syncArticle } from '../../src/publishing/sync.ts'

export const publishingApp = (deps: HttpDeps, targets: TargetFactory, forms: ConnectionForms) =>
  createApp(deps)
    .basePath('/api/v1')
    .post('/articles/:id/publish', guard(deps, ops.publish), idParam(), async (c) => {
      const { status, body } = await publishArticle(c.var.ctx, targets, c.req.valid('param').id)
      return c.json(body, status)
    })
    .post('/articles/:id/sync', guard(deps, ops.sync), idParam(), jsonBody(ops.sync.json), async (c) =>
      c.json(await syncArticle(c.var.ctx, targets, c.req.valid('param').id, c.req.valid('json'))),
    )
    .post('/articles/:id/rollback', guard(deps, ops.rollback), idParam(), jsonBody(ops.rollback.json), async (c) =>
      c.json(await rollbackArticle(c.var.ctx, targets, c.req.valid('param').id, c.req.valid('json'))),
    )
    .get('/integrations', guard(deps, ops.integrations), queryOf(ops.integrations.query), async (c) => {
      const { rows, page } = await listIntegrations(c.var.ctx, c.req.valid('query'))
      return c.json({ integrations: rows.map(integrationRow), ...page })
    })
    .post('/projects/:id/integrations', guard(deps, ops.connect), idParam(), jsonBody(ops.connect.json), async (c) =>
      c.json(await connectIntegration(c.var.ctx, targets, forms, c.req.valid('param').id, c.req.valid('json')), 201),
    )
    .post('/integrations/:id/test', guard(deps, ops.test), idParam(), async (c) =>
      c.json(await testIntegration(c.var.ctx, targets, c.req.valid('param').id)),
    )
    .delete('/integrations/:id', guard(deps, ops.disconnect), idParam(), async (c) =>
      c.json(await disconnectIntegration(c.var.ctx, c.req.valid('param').id)),
    )
    .get('/webhook-deliveries', guard(deps, ops.deliveries), queryOf(ops.deliveries.query), async (c) => {
      const { rows, page } = await listDeliveries(c.var.ctx, c.req.valid('query'))
      return c.json({ deliveries: rows.map(deliveryRow), ...page })
    })
    .get('/webhook-deliveries/:id', guard(deps, ops.delivery), idParam(), async (c) => {
      const { delivery, attempts } = await getDelivery(c.var.ctx, c.req.valid('param').id)
      return c.json({ delivery: deliveryDetail(delivery, attempts) })
    })
    .post('/webhook-deliveries/:id/replay', guard(deps, ops.replay), idParam(), async (c) =>
      c.json(await replayDelivery(c.var.ctx, targets, c.req.valid('param').id), 201),
    )
    .post('/projects/:id/cms-site', guard(deps, ops.cmsSite), idParam(), jsonBody(ops.cmsSite.json), async (c) =>
      c.json(await connectCmsSite(c.var.ctx, targets, forms, c.req.valid('param').id, c.req.valid('json'))),
    )
