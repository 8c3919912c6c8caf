import { askAboutCall } from '../../src/accounts/approvals/call.ts'
import type { HttpDeps } from '../../src/platform/http/deps.ts'
import { groupApp } from '../../src/platform/http/group.ts'
import { answer, routes } from '../../src/platform/http/route.ts'
import { keyDirectory, REQUEST_KEYS_PATH } from '../../src/platform/lib/request-signature.ts'
import { adoptPost } from '../../src/publishing/adopt/adopt.ts'
import { adoptMany, showAdoption } from '../../src/publishing/adopt/many.ts'
import { adoptOperations } from '../../src/publishing/adopt/operations.ts'
import { releaseArticle } from '../../src/publishing/adopt/release.ts'
import { listSitePosts } from '../../src/publishing/adopt/site-posts.ts'
import { makeChanges } from '../../src/publishing/changes/create.ts'
import { changesOperations } from '../../src/publishing/changes/operations.ts'
import { releaseChanges, revertChanges } from '../../src/publishing/changes/release.ts'
import { listChanges, showChanges } from '../../src/publishing/changes/show.ts'
import { sendMissingCopies } from '../../src/publishing/copies/send.ts'
import { deliveryDetail, deliveryRow, getDelivery, listDeliveries } from '../../src/publishing/deliveries.ts'
import { engineOperations } from '../../src/publishing/engines/operations.ts'
import { showEngines } from '../../src/publishing/engines/show.ts'
import { verifyKey } from '../../src/publishing/engines/verify.ts'
import { addressArticle, detachArticle } from '../../src/publishing/live/address.ts'
import { editingOperations } from '../../src/publishing/live/operations.ts'
import { rollbackArticle } from '../../src/publishing/live/rollback.ts'
import { unpublishArticle } from '../../src/publishing/live/unpublish.ts'
import { moveSite, showMove } from '../../src/publishing/move/move.ts'
import { moveOperations } from '../../src/publishing/move/operations.ts'
import { publishingOperations, undoOperations } from '../../src/publishing/operations.ts'
import { MAX_EVENT_BYTES, receiveEvent } from '../../src/publishing/pulls/hook.ts'
import { GIT_EVENTS_PATHS } from '../../src/publishing/pulls/path.ts'
import { publishArticle } from '../../src/publishing/send/publish.ts'
import { replayAnswer } from '../../src/publishing/send/replay.ts'
import { RECEIPT_KEYS_PATH } from '../../src/publishing/signed/path.ts'
import { receiptKeySet, showSignedReceipt } from '../../src/publishing/signed/show.ts'
import { changeStatement } from '../../src/publishing/statements/change.ts'
import { statementOperations } from '../../src/publishing/statements/operations.ts'
import {
  deleteStatement,
  listStatements,
  registerStatement,
  showStatement,
} from '../../src/publishing/statements/register.ts'
import { usesOfStatement } from '../../src/publishing/statements/uses.ts'
import type { TargetFactory } from '../../src/publishing/target/publish-target.ts'
import { translationOperations } from '../../src/publishing/translations/operations.ts'
import { joinTranslation, leaveTranslations, showTranslations } from '../../src/publishing/translations/translations.ts'
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
    unpublish: async (ctx, { params }) => {
      const body = await unpublishArticle(ctx, targets, params.id)
      return body.status === 'awaiting_merge' ? answer(202, body) : body
    },
    copies: (ctx, { params }) => sendMissingCopies(ctx, params.id),
    detach: (ctx, { params }) => detachArticle(ctx, params.id),
    address: (ctx, { params, body }) => addressArticle(ctx, params.id, body.url),
    rollback: async (ctx, { params, body: given }) => {
      const body = await rollbackArticle(ctx, targets, params.id, given)
      return body.status === 'awaiting_merge' ? answer(202, body) : body
    },
    signedReceipt: (ctx, { params, query }) => showSignedReceipt(ctx, params.id, query),
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

const moving = () =>
  routes(moveOperations, {
    move: (ctx, { params, body }) => moveSite(ctx, params.id, body),
    showMove: (ctx, { params }) => showMove(ctx, params.id),
  })

const translating = () =>
  routes(translationOperations, {
    join: (ctx, { params, body }) => joinTranslation(ctx, params.id, body),
    leave: (ctx, { params }) => leaveTranslations(ctx, params.id),
    list: (ctx, { params }) => showTranslations(ctx, params.id),
  })

const changing = () =>
  routes(changesOperations, {
    create: (ctx, { body }) => makeChanges(ctx, body),
    list: (ctx, { params, query }) => listChanges(ctx, params.id, query),
    show: (ctx, { params }) => showChanges(ctx, params.id),
    release: (ctx, { params, body }) => releaseChanges(ctx, params.id, body),
    revert: (ctx, { params }) => revertChanges(ctx, params.id),
  })

const telling = (targets: TargetFactory) =>
  routes(engineOperations, {
    show: (ctx, { params }) => showEngines(ctx, params.id),
    verify: (ctx, { params, body }) => verifyKey(ctx, targets, params.id, body),
  })

const stating = () =>
  routes(statementOperations, {
    create: (ctx, { body }) => registerStatement(ctx, body),
    list: (ctx, { query }) => listStatements(ctx, query),
    show: (ctx, { params }) => showStatement(ctx, params.id),
    uses: (ctx, { params, query }) => usesOfStatement(ctx, params.id, query),
    change: (ctx, { params, body }) => changeStatement(ctx, params.id, body),
    remove: (ctx, { params }) => deleteStatement(ctx, params.id),
  })

/** Returns the app with the operations of publications, deliveries and integrations. */
export const publishingApp = (deps: HttpDeps, articles: { fetch: typeof fetch }, connecting: Connecting) => {
  const { targets } = connecting
  const app = groupApp(
    { ...deps, askPerson: askAboutCall },
    publishing(targets),
    adopting(targets),
    moving(),
    translating(),
    changing(),
    stating(),
    undoing(targets),
    telling(targets),
    integrationRoutes(connecting),
  )
  app.get(RECEIPT_KEYS_PATH, async (c) =>
    c.json(await receiptKeySet(deps.db), 200, { 'Cache-Control': 'public, max-age=300' }),
  )
  app.get(REQUEST_KEYS_PATH, (c) => keyDirectory(deps.settings.requestKeys, new URL(c.req.url).host, deps.now()))
  for (const path of GIT_EVENTS_PATHS)
    app.post(`${path}/:integration{[1-9][0-9]{0,8}}`, async (c) => {
      if (!(Number(c.req.header('content-length')) <= MAX_EVENT_BYTES)) return c.json({ error: 'Too large.' }, 413)
      const { status, said } = await receiveEvent(deps, {
        integration: Number(c.req.param('integration')),
        header: (name) => c.req.header(name),
        body: await c.req.text(),
      })
      return c.json(status === 200 ? { said } : { error: said }, status)
    })
  // While release 0.3.0 is replaced, its gateway still sends edits here. Delete this in the release after 0.4.0.
  for (const { method, path } of Object.values(editingOperations))
    app.on(method, `/api/v1${path}`, async (c) => {
      const passed = await articles.fetch(c.req.raw)
      // The app sets headers of its own, which a response of another Worker does not allow.
      return new Response(passed.body, passed)
    })
  return app
}
