import type { Ctx } from '../../platform/runtime/ctx.ts'
import { beforeCallingOut } from '../../platform/runtime/dry-run.ts'

type Binding = { fetch: typeof fetch }

type Wording = { title: string; meta_description: string; content: string }

/** Where the editing Worker answers other Workers, at its internal entrypoint. */
export const INTERNAL_SYNC_PATH = '/internal/sync'

/** How long an update may take, ms: a target answers within its hold. */
const TIMEOUT_MS = 120_000

/** What the editing Worker is asked: whose article, as whom, which version is meant, and its new words. */
type SyncRequest = {
  account: { id: number; plan: string }
  actor: string
  article_id: number
  tag: string
  wording: Wording
}

/** Sends updates of live articles by the editing Worker, which knows the targets. */
export const syncThrough = (binding: Binding) => async (ctx: Ctx, articleId: number, tag: string, wording: Wording) => {
  const { id, plan } = await ctx.account()
  beforeCallingOut(() => ({ to: 'publishing target', call: 'sync', payload: { article_id: articleId, ...wording } }))
  const asked: SyncRequest = { account: { id, plan }, actor: ctx.actor(), article_id: articleId, tag, wording }
  const response = await binding.fetch(`http://editing${INTERNAL_SYNC_PATH}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(asked),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const body = (await response.json()) as Record<string, unknown>
  if (!response.ok) return { kind: 'refused' as const, status: response.status, body }
  return { kind: 'synced' as const, url: typeof body.url === 'string' ? body.url : null }
}
