import * as z from 'zod/mini'
import { PLANS } from '../../../schema/values/accounts.ts'
import type { SendSync } from '../../insights/suggestions/sync-port.ts'
import { ApiError, ERROR_CODES, errorBody } from '../../platform/lib/errors.ts'
import { type Ctx, type Deps, systemCtx } from '../../platform/runtime/ctx.ts'
import type { TargetFactory } from '../target/publish-target.ts'
import { syncArticle } from './sync.ts'
import { syncEnd } from './sync-client.ts'

const Asked = z.object({
  account: z.object({ id: z.int(), plan: z.enum(PLANS) }),
  actor: z.string(),
  article_id: z.int(),
  tag: z.string(),
  // Absent from Workers of the release before.
  suggestion_id: z.optional(z.int()),
  wording: z.object({ title: z.string(), meta_description: z.string(), content: z.string() }),
})

/** Sends the rewrite of a suggestion as an update: status and body as a caller of sync would get them. `ctx` names the version. */
const sendRewrite = async (
  ctx: Ctx,
  targets: TargetFactory,
  id: number,
  wording: z.infer<typeof Asked>['wording'],
  suggestion: number | undefined,
): Promise<{ status: number; body: object }> => {
  try {
    return { status: 200, body: await syncArticle(ctx, targets, id, wording, { suggestion }) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { status: ERROR_CODES[error.code].status, body: errorBody(error, ctx.newId(), ctx.settings.publicUrl) }
  }
}

/** Answers another Worker that has an update of a live article to send. */
export const answerSync = async (
  deps: Deps,
  targets: TargetFactory,
  request: unknown,
  defer: (work: Promise<unknown>) => void,
): Promise<{ status: number; body: object }> => {
  const { account, actor, article_id: id, tag, wording, suggestion_id: suggestion } = Asked.parse(request)
  const ctx = { ...systemCtx(deps, actor, { ...account, projectSlots: 0 }, defer), ifMatch: [tag] }
  return await sendRewrite(ctx, targets, id, wording, suggestion)
}

/** Sends updates of live articles from this Worker itself. */
export const syncHere =
  (targets: TargetFactory): SendSync =>
  async (ctx, articleId, tag, wording, suggestionId) => {
    const { status, body } = await sendRewrite({ ...ctx, ifMatch: [tag] }, targets, articleId, wording, suggestionId)
    return syncEnd(status, body as Record<string, unknown>)
  }
