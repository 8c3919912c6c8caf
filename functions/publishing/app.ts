import { askAboutCall } from '../../src/accounts/approvals/call.ts'
import type { HttpDeps } from '../../src/platform/http/deps.ts'
import { groupApp } from '../../src/platform/http/group.ts'
import { answer, routes } from '../../src/platform/http/route.ts'
import { adoptPost } from '../../src/publishing/adopt/adopt.ts'
import { adoptMany, showAdoption } from '../../src/publishing/adopt/many.ts'
import { adoptOperations } from '../../src/publishing/adopt/operations.ts'
import { releaseArticle } from '../../src/publishing/adopt/release.ts'
import { listSitePosts } from '../../src/publishing/adopt/site-posts.ts'
import { deliveryDetail, deliveryRow, getDelivery, listDeliveries } from '../../src/publishing/deliveries.ts'
import { addressArticle, detachArticle } from '../../src/publishing/live/address.ts'
import { editingOperations } from '../../src/publishing/live/operations.ts'
import { rollbackArticle } from '../../src/publishing/live/rollback.ts'
import { unpublishArticle } from '../../src/publishing/live/unpublish.ts'
import { publishingOperations, undoOperations } from '../../src/publishing/operations.ts'
import { publishArticle } from '../../src/publishing/send/publish.ts'
import { replayAnswer } from '../../src/publishing/send/replay.ts'
import type { TargetFactory } from '../../src/publishing/target/publish-target.ts'
import { undo } from '../../src/publishing/undo/undo.ts'
import { type Connecting, integrationRoutes } from './integrations.ts'

const undoing = (targets: TargetFactory) =>
  routes(undoOperations, { undo: (ctx, { body }) => undo(ctx, targets, body) })

const publishing = (targets: TargetFactory) =>
  routes(publishingOperations, {
    publish: async (ctx, { params }) => {
      const { status, body } = await publishArticle(ctx, targets, params.id)
      return answer(status, body)
    },
    unpublish: (ctx, { params }) => unpublishArticle(ctx, targets, params.id),
    detach: (ctx, { params }) => detachArticle(ctx, params.id),
    address: (ctx, { params, body }) => addressArticle(ctx, params.id, body.url),
    rollback: (ctx, { params, body }) => rollbackArticle(ctx, targets, params.id, body),
    deliveries: async (ctx, { query }) => {
      const { rows, page } = await listDeliveries(ctx, query)
      return { deliveries: rows.map(deliveryRow), ...page }
    },
    delivery: async (ctx, { params }) => {
      return { delivery: deliveryDetail(await getDelivery(ctx, params.id)) }
    },
    replay: (ctx, { params, body }) => replayAnswer(ctx, targets, params.id, body),
  })

const adopting = (targets: TargetFactory) =>
  routes(adoptOperations, {
    sitePosts: (ctx, { params, query }) => listSitePosts(ctx, targets, params.id, query),
    adopt: async (ctx, { body }) => {
      const { status, body: adopted } = await adoptPost(ctx, targets, body)
      return answer(status, adopted)
    },
    adoptMany: (ctx, { params, body }) => adoptMany(ctx, targets, params.id, body),
    adoption: (ctx, { params }) => showAdoption(ctx, params.id),
    release: (ctx, { params }) => releaseArticle(ctx, params.id),
  })

/** Returns the app with the operations of publications, deliveries and integrations. */
export const publishingApp = (deps: HttpDeps, articles: { fetch: typeof fetch }, connecting: Connecting) => {
  const { targets } = connecting
  const app = groupApp(
    { ...deps, askPerson: askAboutCall },
    publishing(targets),
    adopting(targets),
    undoing(targets),
    integrationRoutes(connecting),
  )
  // While release 0.3.0 is replaced, its gateway still sends edits here. Delete this in the release after 0.4.0.
  for (const { method, path } of Object.values(editingOperations))
    app.on(method, `/api/v1${path}`, async (c) => {
      const passed = await articles.fetch(c.req.raw)
      // The app sets headers of its own, which a response of another Worker does not allow.
      return new Response(passed.body, passed)
    })
  return app
}
