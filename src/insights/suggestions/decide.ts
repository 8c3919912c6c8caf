import { and, eq } from 'drizzle-orm'
import { suggestions } from '../../../schema/suggestions.ts'
import { ERROR_CODES, type ErrorCode } from '../../../schema/values/errors.ts'
import type { Wording } from '../../../schema/values/suggestions.ts'
import { refuseArchived } from '../../accounts/projects/scope.ts'
import { PLAN_INCLUDES } from '../../platform/accounts/plans.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { etagOf } from '../../platform/lib/etag.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import {
  hasWording,
  isAllowed,
  isFree,
  isStaged,
  MOVES,
  type Move,
  moveSuggestion,
  rejectionOf,
  type Staged,
  type SuggestionChanges,
} from './move.ts'
import { helpsByText } from './not-indexed.ts'
import { loadSuggestion, type SuggestionDetail } from './read.ts'

const DONE: Partial<Record<Move, string>> = { regenerate: 'rewritten again' }

/** Returns the error for a move that the state does not allow. */
const invalidTransition = (id: number, move: Move, status: string): ApiError =>
  new ApiError(
    'invalid_transition',
    `The suggestion is ${status}. It can be ${DONE[move] ?? MOVES[move].to} only when it is ${MOVES[move].from.join(' or ')}.`,
    {
      status,
      allowed_from: [...MOVES[move].from],
      next_calls: [{ method: 'GET', path: `/suggestions/${id}`, why: 'Shows its state.' }],
    },
  )

/** Returns the error for a call while another one publishes the suggestion. */
const busy = (id: number): ApiError =>
  new ApiError('sync_in_progress', 'Another call is publishing the rewrite. Read the suggestion again in a moment.', {
    next_calls: [{ method: 'GET', path: `/suggestions/${id}`, why: 'Shows its state.' }],
  })

const checked = (found: SuggestionDetail, move: Move): SuggestionDetail => {
  refuseArchived(found.projectId, found.projectStatus)
  if (!isAllowed(move, found.status)) throw invalidTransition(found.id, move, found.status)
  return found
}

const decide = async (ctx: Ctx, found: SuggestionDetail, move: Move, message: string, changes: SuggestionChanges) => {
  const answer = { suggestion: { id: found.id, status: MOVES[move].to }, message }
  if (!(await moveSuggestion(ctx, found, move, changes, { answer }))) {
    const { status } = await loadSuggestion(ctx, found.id)
    throw isAllowed(move, status) ? busy(found.id) : invalidTransition(found.id, move, status)
  }
  if (MOVES[move].to === 'approved') ctx.defer(ctx.wakeQueue())
  return answer
}

/** Returns the error for the rewrite of an article whose text is not the reason why Google does not list it. */
const notByText = ({ id, articleId, reason, status }: SuggestionDetail): ApiError =>
  new ApiError(
    'invalid_transition',
    `A rewrite would not make Google list the page, so nothing was changed. ${reason} Mend that, then ask Google again.`,
    {
      status,
      allowed_from: [],
      next_calls: [
        ...(articleId === null
          ? []
          : [
              {
                method: 'POST',
                path: `/articles/${articleId}/inspect`,
                why: 'Asks Google again, after it was mended.',
              },
            ]),
        { method: 'POST', path: `/suggestions/${id}/reject`, why: 'Ends the suggestion.' },
      ],
    },
  )

const POLL = (id: number) => `The article is being rewritten. Poll GET /suggestions/${id} until it is ready.`

/** Approves a pending suggestion, which starts its rewrite. Throws 404, 403, 409. */
export const approveSuggestion = async (ctx: Ctx, id: number) => {
  const found = checked(await loadSuggestion(ctx, id), 'approve')
  const { index } = found.trigger
  if (index && !helpsByText(index.cause)) throw notByText(found)
  return await decide(ctx, found, 'approve', POLL(id), { error: null })
}

/** Attempts at a rejection, because the article may change during one. */
const TRIES = 5

/**
 * Rejects a suggestion. If its rewrite was saved but not sent, the article gets its earlier words back. Throws 404, 403, 409.
 */
export const rejectSuggestion = async (ctx: Ctx, id: number, reason: string | undefined) => {
  const changes = reason ? { feedback: reason } : {}
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const found = checked(await loadSuggestion(ctx, id), 'reject')
    if (found.publishingUntil && found.publishingUntil > ctx.now()) break
    const { back, ...told } = await rejectionOf(ctx, found)
    const answer = { suggestion: { id, status: MOVES.reject.to }, ...told }
    const given = { answer, base: found.baseRevision, back, ...(reason ? { detail: { reason } } : {}) }
    if (await moveSuggestion(ctx, found, 'reject', changes, given)) return answer
  }
  throw busy(id)
}

/** Queues another rewrite. Throws 404, 403, 402 on the free plan, 409. */
export const regenerateSuggestion = async (ctx: Ctx, id: number, feedback: string | undefined) => {
  const found = await loadSuggestion(ctx, id)
  const { plan } = await ctx.account()
  const billing = `${ctx.settings.publicUrl}/settings/billing`
  if (!PLAN_INCLUDES[plan].regenerate)
    throw new ApiError('plan_required', 'Requesting another rewrite needs a paid plan.', {
      upgrade_url: billing,
      instructions_for_agent: `Tell the user that another rewrite needs a paid plan, which can be chosen at ${billing}.`,
    })
  const cleared = {
    error: null,
    before: null,
    after: null,
    proposalBytes: null,
    stats: null,
    diffHtml: null,
    livePage: null,
    baseRevision: null,
    proposedRevision: null,
    readyAt: null,
  }
  return await decide(ctx, checked(found, 'regenerate'), 'regenerate', POLL(id), {
    ...cleared,
    feedback: feedback ?? null,
  })
}

/** Result of sending an update of a live article. */
type SyncEnd =
  | { kind: 'synced'; url: string | null }
  /** A person has to approve it first. Nothing was saved or sent. */
  | { kind: 'waiting'; body: Record<string, unknown> }
  /** It is saved as this revision and in a pull request, which people merge or close. */
  | { kind: 'proposed'; revision: number; pullRequest: string }
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
  const { held } = await ctx.batch(
    {
      held: ctx.db
        .update(suggestions)
        .set({ publishingUntil: until })
        .where(and(eq(suggestions.id, id), eq(suggestions.status, 'ready'), isFree(ctx.now())))
        .returning({ id: suggestions.id }),
    },
    { unaudited: 'told when it is published' },
  )
  if (held.length > 0) return until
  const { status } = await loadSuggestion(ctx, id)
  throw isAllowed('publish', status) ? busy(id) : invalidTransition(id, 'publish', status)
}

/**
 * Releases a suggestion that was not published. `kept`: revision and earlier words of the article, if it has the rewrite now.
 */
const letGo = (
  ctx: Ctx,
  id: number,
  until: Date,
  kept?: { revision: number; before: Wording; proposedRevision?: number },
) =>
  ctx.batch(
    {
      changedSuggestions: ctx.db
        .update(suggestions)
        .set({
          publishingUntil: null,
          ...(kept ? { baseRevision: kept.revision, before: kept.before } : {}),
          ...(kept?.proposedRevision === undefined ? {} : { proposedRevision: kept.proposedRevision }),
        })
        .where(and(eq(suggestions.id, id), eq(suggestions.publishingUntil, until))),
    },
    { unaudited: 'nothing of the suggestion was decided' },
  )

const proposedAnswer = ({ id, articleId }: Staged, pullRequest: string) => ({
  status: 'awaiting_merge' as const,
  suggestion: { id, status: 'ready' as const },
  article_id: articleId,
  pull_request: pullRequest,
  message:
    'The rewrite is saved and in a pull request. Merging that publishes the suggestion, closing it rejects the suggestion with the comments.',
})

type Sent = { url: string | null } | { waiting: Record<string, unknown> }

/**
 * Sends the rewrite. Throws the error of a refused update.
 *
 * The suggestion stays ready if the update is refused or waits for a person. It is superseded if the article was
 * changed.
 */
const sendRewrite = async (ctx: Ctx, send: SendSync, found: Staged, until: Date): Promise<Sent> => {
  const end = await send(ctx, found.articleId, etagOf(found.articleUpdatedAt, found.revision), found.after, found.id)
  if (end.kind === 'synced') return { url: end.url }
  if (end.kind === 'waiting') {
    await letGo(ctx, found.id, until)
    return { waiting: end.body }
  }
  if (end.kind === 'proposed') {
    const { revision, pullRequest } = end
    const before = found.before ?? found.after
    await letGo(ctx, found.id, until, { revision, before, proposedRevision: revision })
    return { waiting: proposedAnswer(found, pullRequest) }
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
 * approve it first, or to merge its pull request.
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
      ? 'The article at the site already has this text, so nothing was sent.'
      : 'The rewrite is live. The previous version can be restored from the article’s revisions.',
  }
  const changes = { publishedAt: ctx.now(), error: null }
  // The rewrite is live now, even if another call rejected it after this call's hold had ended.
  const from = ['ready', 'rejected', 'superseded'] as const
  const given = { answer, from, byHolder: true, changedArticle: found.articleId }
  await moveSuggestion(ctx, found, 'publish', changes, given)
  return { status: 200 as const, body: answer }
}
