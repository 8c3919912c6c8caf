import type { Ctx } from '../../platform/runtime/ctx.ts'
import { beforeCallingOut } from '../../platform/runtime/dry-run.ts'

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
export const syncEnd = (status: number, body: Record<string, unknown>) => {
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
