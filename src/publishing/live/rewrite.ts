import type { SendSync } from '../../insights/suggestions/decide.ts'
import { ApiError, errorBody } from '../../platform/lib/errors.ts'
import { KEEPS_NOTHING } from '../../platform/runtime/ctx.ts'
import type { TargetFactory } from '../target/publish-target.ts'
import { syncArticle } from './sync.ts'

/** Returns a function that syncs the rewrite of a suggestion to the live page. A refusal is an outcome, too. */
export const sendRewrite =
  (targets: TargetFactory): SendSync =>
  async (ctx, articleId, tag, wording, suggestionId) => {
    try {
      const step = { ...ctx, ...KEEPS_NOTHING, ifMatch: [tag] }
      const body: Record<string, unknown> = await syncArticle(step, targets, articleId, wording, {
        suggestion: suggestionId,
      })
      if (body.status === 'awaiting_approval') return { kind: 'waiting', body }
      if (body.status === 'awaiting_merge')
        return { kind: 'proposed', revision: Number(body.revision), pullRequest: String(body.pull_request) }
      return { kind: 'synced', url: typeof body.url === 'string' ? body.url : null }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const body = errorBody(error, ctx.newId(), ctx.settings.publicUrl)
      return { kind: 'refused', status: error.status, body }
    }
  }
