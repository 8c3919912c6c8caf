import type { Wording } from '../../../schema/values/suggestions.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'

/** Result of sending an update of a live article. */
type SyncEnd =
  | { kind: 'synced'; url: string | null }
  /** A person has to approve it first; nothing was saved or sent. */
  | { kind: 'waiting'; body: Record<string, unknown> }
  | { kind: 'refused'; status: number; body: Record<string, unknown> }

/** Saves and sends a suggestion's update of a live article, if its version still is the one `tag` names. */
export type SendSync = (
  ctx: Ctx,
  articleId: number,
  tag: string,
  wording: Wording,
  suggestionId: number,
) => Promise<SyncEnd>
