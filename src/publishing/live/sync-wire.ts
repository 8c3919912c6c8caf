import * as z from 'zod/mini'
import { PLANS } from '../../../schema/values/accounts.ts'
import type { SendSync } from '../../insights/suggestions/decide.ts'
import { ApiError, ERROR_CODES, errorBody } from '../../platform/lib/errors.ts'
import { type Ctx, type Deps, systemCtx } from '../../platform/runtime/ctx.ts'
import { guardOutsideCall } from '../../platform/runtime/dry-run.ts'
import { leaseMs } from '../send/rules.ts'
import type { TargetFactory } from '../target/publish-target.ts'
import { syncArticle } from './sync.ts'

type Binding = { fetch: typeof fetch }

type Wording = { title: string; meta_description: string; content: string }

/** Path of the editing Worker's internal entrypoint for syncs. */
export const INTERNAL_SYNC_PATH = '/internal/sync'

/** Time limit of a sync through the editing Worker, ms: longer than a sync to Framer, which is always waited for. */
const TIMEOUT_MS = leaseMs('framer') + 10_000

/** Request to the editing Worker. `tag` names the article's version, and `wording` is its new text. */
type SyncRequest = {
  account: { id: number; plan: string }
  actor: string
  article_id: number
  tag: string
  wording: Wording
  suggestion_id: number
}

/** Returns the outcome of a sync from its HTTP status and body. */
const syncEnd = (status: number, body: Record<string, unknown>) => {
  if (status > 299) return { kind: 'refused' as const, status, body }
  if (body.status === 'awaiting_approval') return { kind: 'waiting' as const, body }
  return { kind: 'synced' as const, url: typeof body.url === 'string' ? body.url : null }
}

/** Returns a function that syncs live articles through the editing Worker, which has the targets' adapters. */
export const syncThrough =
  (binding: Binding) => async (ctx: Ctx, articleId: number, tag: string, wording: Wording, suggestionId: number) => {
    const { id, plan } = await ctx.account()
    guardOutsideCall(() => ({ to: 'publishing target', call: 'sync', payload: { article_id: articleId, ...wording } }))
    const account = { id, plan }
    const asked: SyncRequest = {
      account,
      actor: ctx.actor(),
      article_id: articleId,
      tag,
      wording,
      suggestion_id: suggestionId,
    }
    const response = await binding.fetch(`http://editing${INTERNAL_SYNC_PATH}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(asked),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const body = (await response.json()) as Record<string, unknown>
    return syncEnd(response.status, body)
  }

const Asked = z.object({
  account: z.object({ id: z.int(), plan: z.enum(PLANS) }),
  actor: z.string(),
  article_id: z.int(),
  tag: z.string(),
  // Workers of the previous release do not send it.
  suggestion_id: z.optional(z.int()),
  wording: z.object({ title: z.string(), meta_description: z.string(), content: z.string() }),
})

/**
 * Syncs the rewrite of a suggestion. Returns status and body as a caller of sync gets them. `ctx.ifMatch` names the
 * version.
 */
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

/** Handles a sync request of another Worker. */
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

/** Returns a function that syncs live articles in this Worker. */
export const syncInProcess =
  (targets: TargetFactory): SendSync =>
  async (ctx, articleId, tag, wording, suggestionId) => {
    const { status, body } = await sendRewrite({ ...ctx, ifMatch: [tag] }, targets, articleId, wording, suggestionId)
    return syncEnd(status, body as Record<string, unknown>)
  }
