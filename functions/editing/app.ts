import { createApp } from '../../src/platform/http/app.ts'
import type { HttpDeps } from '../../src/platform/http/deps.ts'
import { groupApp } from '../../src/platform/http/group.ts'
import { answer, routes } from '../../src/platform/http/route.ts'
import { editArticle, restoreArticle } from '../../src/publishing/live/edit.ts'
import { editingOperations } from '../../src/publishing/live/operations.ts'
import { syncArticle } from '../../src/publishing/live/sync.ts'
import { answerSync, INTERNAL_SYNC_PATH } from '../../src/publishing/live/sync-wire.ts'
import type { TargetFactory } from '../../src/publishing/target/publish-target.ts'

/** Returns an answer with 202 if the change waits for a person's approval. */
const sent = async (changing: Promise<object>) => {
  const body = await changing
  return 'status' in body && body.status === 'awaiting_approval' ? answer(202, body) : { ...body }
}

const editing = (targets: TargetFactory) =>
  routes(editingOperations, {
    update: (ctx, { params, body }) => sent(editArticle(ctx, targets, params.id, body)),
    restore: (ctx, { params, body }) => sent(restoreArticle(ctx, targets, params, body)),
    sync: (ctx, { params, body }) => sent(syncArticle(ctx, targets, params.id, body)),
  })

/** Returns the group's operations, and the app with which other Workers update live pages (`syncThrough`). */
export const editingApp = (deps: HttpDeps, targets: TargetFactory) => ({
  open: groupApp(deps, editing(targets)),
  internal: createApp(deps).post(INTERNAL_SYNC_PATH, async (c) => {
    const defer = (work: Promise<unknown>) => c.executionCtx.waitUntil(work)
    const { status, body } = await answerSync(deps, targets, await c.req.json(), defer)
    return c.json(body, status as 200)
  }),
})
