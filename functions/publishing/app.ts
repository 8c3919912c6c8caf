import type { HttpDeps } from '../../src/http/deps.ts'
import { groupApp } from '../../src/http/group.ts'
import { answer, routes } from '../../src/http/route.ts'
import { etagOf, tagged } from '../../src/lib/etag.ts'
import { updateIntegration } from '../../src/publishing/connect/change.ts'
import { connectCmsSite, connectIntegration } from '../../src/publishing/connect/connect.ts'
import {
  disconnectIntegration,
  listIntegrations,
  showIntegration,
  testIntegration,
} from '../../src/publishing/connect/integrations.ts'
import { integrationRow } from '../../src/publishing/connect/present.ts'
import { answerSync } from '../../src/publishing/live/answer-sync.ts'
import { editArticle, restoreArticle } from '../../src/publishing/live/edit.ts'
import { rollbackArticle } from '../../src/publishing/live/rollback.ts'
import { syncArticle } from '../../src/publishing/live/sync.ts'
import { INTERNAL_SYNC_PATH } from '../../src/publishing/live/sync-client.ts'
import { unpublishArticle } from '../../src/publishing/live/unpublish.ts'
import { publishingOperations } from '../../src/publishing/operations.ts'
import { getDelivery, listDeliveries } from '../../src/publishing/read/deliveries.ts'
import { deliveryDetail, deliveryRow } from '../../src/publishing/read/present.ts'
import { publishArticle } from '../../src/publishing/send/publish.ts'
import { replayDelivery } from '../../src/publishing/send/replay.ts'
import type { ConnectionForms, TargetFactory } from '../../src/publishing/target/publish-target.ts'

const publishing = (targets: TargetFactory, forms: ConnectionForms) =>
  routes(publishingOperations, {
    update: (ctx, { params, body }) => editArticle(ctx, targets, params.id, body),
    restore: (ctx, { params, body }) => restoreArticle(ctx, targets, params, body),
    publish: async (ctx, { params }) => {
      const { status, body } = await publishArticle(ctx, targets, params.id)
      return answer(status, body)
    },
    sync: (ctx, { params, body }) => syncArticle(ctx, targets, params.id, body),
    unpublish: (ctx, { params }) => unpublishArticle(ctx, targets, params.id),
    rollback: (ctx, { params, body }) => rollbackArticle(ctx, targets, params.id, body),
    cmsSite: (ctx, { params, body }) => connectCmsSite(ctx, targets, forms, params.id, body),
    integration: async (ctx, { params }) => {
      const row = await showIntegration(ctx, params.id)
      return tagged({ integration: integrationRow(row) }, etagOf(row.updatedAt))
    },
    changeIntegration: (ctx, { params, body }) => updateIntegration(ctx, params.id, body),
    integrations: async (ctx, { query }) => {
      const { rows, page } = await listIntegrations(ctx, query)
      return { integrations: rows.map(integrationRow), ...page }
    },
    connect: (ctx, { params, body }) => connectIntegration(ctx, targets, forms, params.id, body),
    test: (ctx, { params, body }) => testIntegration(ctx, targets, params.id, body),
    disconnect: (ctx, { params }) => disconnectIntegration(ctx, params.id),
    deliveries: async (ctx, { query }) => {
      const { rows, page } = await listDeliveries(ctx, query)
      return { deliveries: rows.map(deliveryRow), ...page }
    },
    delivery: async (ctx, { params }) => {
      return { delivery: deliveryDetail(await getDelivery(ctx, params.id)) }
    },
    replay: (ctx, { params, body }) => replayDelivery(ctx, targets, params.id, body),
  })

export const publishingApp = (deps: HttpDeps, targets: TargetFactory, forms: ConnectionForms) =>
  groupApp(deps, publishing(targets, forms)).post(INTERNAL_SYNC_PATH, async (c) => {
    const defer = (work: Promise<unknown>) => c.executionCtx.waitUntil(work)
    const { status, body } = await answerSync(deps, targets, await c.req.json(), defer)
    return c.json(body, status as 200)
  })
