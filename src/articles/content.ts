import { invalidInput } from '../lib/errors.ts'
import { type SanitizedHtml, sanitizeHtml } from '../lib/html.ts'
import type { Ctx } from '../runtime/ctx.ts'

const HIDDEN = /data: URL/

/**
 * Content made safe; nothing when none was sent. Throws 400, after admission, when it ends inside a tag, a comment or an
 * element that is never closed.
 */
export const safeContent = async (ctx: Ctx, content: string | undefined): Promise<SanitizedHtml | undefined> => {
  if (content === undefined) return undefined
  const safe = await sanitizeHtml(content)
  if (safe) return safe
  await ctx.account()
  const message = 'must be a complete HTML fragment: it ends inside a tag, a comment or an unclosed element'
  throw invalidInput([{ field: 'content', message }])
}

/** What an answer says of the things taken out of content; nothing when nothing was. */
export const removedNote = (
  removed: readonly string[] = [],
): { removed?: readonly string[]; removed_note?: string } => {
  if (removed.length === 0) return {}
  if (!removed.some((what) => HIDDEN.test(what))) return { removed }
  return {
    removed,
    removed_note: 'Images given as data: URLs were left out. Host them and use their public URL instead.',
  }
}
