import { answer, routes } from '../../src/platform/http/route.ts'
import { editArticle, restoreArticle } from '../../src/publishing/live/edit.ts'
import { editingOperations } from '../../src/publishing/live/operations.ts'
import { syncArticle } from '../../src/publishing/live/sync.ts'
import type { TargetFactory } from '../../src/publishing/target/publish-target.ts'

/** Returns an answer with 202 if the change waits for a person: for an approval, or for the merge of a pull request. */
const sent = async (changing: Promise<object>) => {
  const body = await changing
  const waits = 'status' in body && (body.status === 'awaiting_approval' || body.status === 'awaiting_merge')
  return waits ? answer(202, body) : { ...body }
}

/** Returns the operations that change articles, also on their live pages. */
export const editingRoutes = (targets: TargetFactory) =>
  routes(editingOperations, {
    update: (ctx, { params, body }) => sent(editArticle(ctx, targets, params.id, body)),
    restore: (ctx, { params, body }) => sent(restoreArticle(ctx, targets, params, body)),
    sync: (ctx, { params, body }) => sent(syncArticle(ctx, targets, params.id, body)),
  })
