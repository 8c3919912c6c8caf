import type { Wording } from '../../../schema/values/suggestions.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'

/** Result of sending an update of a live article. */
type SyncEnd =
  | { kind: 'synced'; url: string | null }
  | { kind: 'refused'; status: number; body: Record<string, unknown> }

/** Saves and sends an update of a live article, if its version still is the one `tag` names. */
export type SendSync = (ctx: Ctx, articleId: number, tag: string, wording: Wording) => Promise<SyncEnd>
