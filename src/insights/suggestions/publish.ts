import { and, eq } from 'drizzle-orm'
import { suggestions } from '../../../schema/suggestions.ts'
import type { Wording } from '../../../schema/values/suggestions.ts'
import { refuseArchived } from '../../accounts/projects/scope.ts'
import { ApiError, ERROR_CODES, type ErrorCode } from '../../platform/lib/errors.ts'
import { etagOf } from '../../platform/lib/etag.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { busy, invalidTransition } from './decide.ts'
import { isFree, moveSuggestion } from './move.ts'
import { loadSuggestion, type SuggestionDetail } from './read.ts'
import { hasWording, isAllowed, isStaged, type Staged } from './states.ts'

/** Result of sending an update of a live article. */
type SyncEnd =
  | { kind: 'synced'; url: string | null }
  /** A person has to approve it first. Nothing was saved or sent. */
  | { kind: 'waiting'; body: Record<string, unknown> }
  | { kind: 'refused'; status: number; body: Record<string, unknown> }

/** Function that saves and sends an update of a live article, if its version is still the one in `tag`. */
export type SendSync = (
  ctx: Ctx,
  articleId: number,
  tag: string,
  wording: Wording,
  suggestionId: number,
) => Promise<SyncEnd>

const changed = ({ id, projectId }: SuggestionDetail): ApiError =>
  new ApiError(
    'changed_since_staged',
    'The article was changed or taken down since the rewrite was made. The suggestion is superseded.',
    {
      next_calls: [
        {
          method: 'POST',
          path: '/suggestions/run',
          body: { project_id: projectId },
          why: `Looks for improvements now. Suggestion ${id} stays as it is.`,
        },
      ],
    },
  )

const supersede = async (ctx: Ctx, found: SuggestionDetail): Promise<never> => {
  await moveSuggestion(ctx, found, 'supersede', { error: 'The article was changed or taken down.' }, { byHolder: true })
  throw changed(found)
}

const errorOf = (body: Record<string, unknown>): ApiError => {
  const { code, error, message, request_id: _, ...extras } = body
  const known = typeof code === 'string' && Object.hasOwn(ERROR_CODES, code) ? (code as ErrorCode) : 'unavailable'
  return new ApiError(known, String(message ?? error ?? 'The update could not be sent.'), extras)
}

/** Time a call may hold a suggestion, ms: longer than an update of an article, which takes nine minutes at most at Framer. */
const HOLD_MS = 570_000

/** Reserves the suggestion for this call; returns until when. Throws 409 if another call has it, or it is no longer ready. */
const hold = async (ctx: Ctx, id: number): Promise<Date> => {
  const until = new Date(ctx.now().getTime() + HOLD_MS)
  const [held] = await ctx.batch(
    [
      ctx.db
        .update(suggestions)
        .set({ publishingUntil: until })
        .where(and(eq(suggestions.id, id), eq(suggestions.status, 'ready'), isFree(ctx.now())))
        .returning({ id: suggestions.id }),
    ],
    { unaudited: 'told when it is published' },
  )
  if (held.length > 0) return until
  const { status } = await loadSuggestion(ctx, id)
  throw isAllowed('publish', status) ? busy(id) : invalidTransition(id, 'publish', status)
}

/**
 * Releases a suggestion that was not published. `kept`: revision and earlier words of the article, if it has the rewrite now.
 */
const letGo = (ctx: Ctx, id: number, until: Date, kept?: { revision: number; before: Wording }) =>
  ctx.batch(
    [
      ctx.db
        .update(suggestions)
        .set({ publishingUntil: null, ...(kept ? { baseRevision: kept.revision, before: kept.before } : {}) })
        .where(and(eq(suggestions.id, id), eq(suggestions.publishingUntil, until))),
    ],
    { unaudited: 'nothing of the suggestion was decided' },
  )

type Sent = { url: string | null } | { waiting: Record<string, unknown> }

/**
 * Sends the rewrite. Throws the error of a refused update.
 *
 * The suggestion stays ready if the update is refused or a person has to approve it. It is superseded if the article was
 * changed.
 */
const sendRewrite = async (ctx: Ctx, send: SendSync, found: Staged, until: Date): Promise<Sent> => {
  const end = await send(ctx, found.articleId, etagOf(found.articleUpdatedAt, found.revision), found.after, found.id)
  if (end.kind === 'synced') return { url: end.url }
  if (end.kind === 'waiting') {
    await letGo(ctx, found.id, until)
    return { waiting: end.body }
  }
  const now = await loadSuggestion(ctx, found.id)
  const isSaved = isStaged(now) && hasWording(now, found.after)
  if ((end.status === 412 || end.status === 404) && !isSaved) return await supersede(ctx, found)
  const kept = isSaved ? { revision: now.revision, before: found.before ?? found.after } : undefined
  await letGo(ctx, found.id, until, kept)
  throw errorOf(end.body)
}

/**
 * Publishes a ready rewrite as an update of the live article, once for any number of calls. Returns 202 if a person has to
 * approve it first.
 *
 * Throws 404, 403, and 409 if it is not ready, another call publishes it, or the article was changed since.
 *
 * Throws the error of a refused update; the suggestion then stays ready.
 */
export const publishSuggestion = async (ctx: Ctx, send: SendSync, id: number) => {
  const first = await loadSuggestion(ctx, id)
  refuseArchived(first.projectId, first.projectStatus)
  if (!isAllowed('publish', first.status)) throw invalidTransition(id, 'publish', first.status)
  const until = await hold(ctx, id)
  const found = await loadSuggestion(ctx, id)
  // If an earlier call saved the update and lost the answer, the article has the rewrite now. It is sent again unless it
  // arrived.
  if (!isStaged(found) || (found.revision !== found.baseRevision && !hasWording(found, found.after)))
    return await supersede(ctx, found)
  const isLive = hasWording(found, found.after) && found.publishState === 'idle'
  const sent = isLive ? { url: found.articleUrl } : await sendRewrite(ctx, send, found, until)
  if ('waiting' in sent) return { status: 202 as const, body: sent.waiting }
  const { url } = sent
  const answer = {
    suggestion: { id, status: 'published' },
    url,
    message: isLive
      ? 'The article at the site says this already, so nothing was sent.'
      : 'The rewrite is live. The version before can be restored from the article’s revisions.',
  }
  const changes = { publishedAt: ctx.now(), error: null }
  // The rewrite is live now, even if another call rejected it after this call's hold had ended.
  const from = ['ready', 'rejected', 'superseded'] as const
  const given = { answer, from, byHolder: true, changedArticle: found.articleId }
  await moveSuggestion(ctx, found, 'publish', changes, given)
  return { status: 200 as const, body: answer }
}
