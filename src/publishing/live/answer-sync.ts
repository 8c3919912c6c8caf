import * as z from 'zod/mini'
import { PLANS } from '../../../schema/values/accounts.ts'
import { ApiError, ERROR_CODES, errorBody } from '../../platform/lib/errors.ts'
import { type Deps, systemCtx } from '../../platform/runtime/ctx.ts'
import type { TargetFactory } from '../target/publish-target.ts'
import { syncArticle } from './sync.ts'

const Asked = z.object({
  account: z.object({ id: z.int(), plan: z.enum(PLANS) }),
  actor: z.string(),
  article_id: z.int(),
  tag: z.string(),
  wording: z.object({ title: z.string(), meta_description: z.string(), content: z.string() }),
})

/** Answers another Worker that has an update of a live article to send: status and body as a caller of sync would get them. */
export const answerSync = async (
  deps: Deps,
  targets: TargetFactory,
  request: unknown,
  defer: (work: Promise<unknown>) => void,
): Promise<{ status: number; body: object }> => {
  const { account, actor, article_id: id, tag, wording } = Asked.parse(request)
  const ctx = { ...systemCtx(deps, actor, { ...account, projectSlots: 0 }, defer), ifMatch: [tag] }
  try {
    return { status: 200, body: await syncArticle(ctx, targets, id, wording) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { status: ERROR_CODES[error.code].status, body: errorBody(error, deps.newId(), deps.settings.publicUrl) }
  }
}
