import * as z from 'zod/mini'
import { PLANS } from '../../../schema/values/accounts.ts'
import type { SendSync } from '../../insights/suggestions/publish.ts'
import { ApiError, ERROR_CODES, errorBody } from '../../platform/lib/errors.ts'
import { type Ctx, type Deps, systemCtx } from '../../platform/runtime/ctx.ts'
import { beforeCallingOut } from '../../platform/runtime/dry-run.ts'
import type { TargetFactory } from '../target/publish-target.ts'
import { syncArticle } from './sync.ts'

type Binding = { fetch: typeof fetch }

type Wording = { title: string; meta_description: string; content: string }

/** Path at which the editing Worker serves other Workers, at its internal entrypoint. */
export const INTERNAL_SYNC_PATH = '/internal/sync'

/** Time limit of an update, ms: a target answers within its lease. */
const TIMEOUT_MS = 120_000

/** Request to the editing Worker: the account, the actor, the version, and its new words. */
type SyncRequest = {
  account: { id: number; plan: string }
  actor: string
  article_id: number
  tag: string
  wording: Wording
  suggestion_id: number
}

/** Returns the end of an update, by status and body of its answer. */
const syncEnd = (status: number, body: Record<string, unknown>) => {
  if (status > 299) return { kind: 'refused' as const, status, body }
  if (body.status === 'awaiting_approval') return { kind: 'waiting' as const, body }
  return { kind: 'synced' as const, url: typeof body.url === 'string' ? body.url : null }
}

/** Sends updates of live articles by the editing Worker, which knows the targets. */
export const syncThrough =
  (binding: Binding) => async (ctx: Ctx, articleId: number, tag: string, wording: Wording, suggestionId: number) => {
    const { id, plan } = await ctx.account()
    beforeCallingOut(() => ({ to: 'publishing target', call: 'sync', payload: { article_id: articleId, ...wording } }))
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
