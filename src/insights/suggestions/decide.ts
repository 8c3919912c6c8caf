import { refuseArchived } from '../../accounts/projects/scope.ts'
import { PLAN_INCLUDES } from '../../platform/accounts/plans.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { moveSuggestion, rejectionOf, type SuggestionChanges } from './move.ts'
import { loadSuggestion, type SuggestionDetail } from './read.ts'
import { isAllowed, MOVES, type Move } from './states.ts'

const DONE: Partial<Record<Move, string>> = { regenerate: 'rewritten again' }

/** Returns the error for a move that the state does not allow. */
export const invalidTransition = (id: number, move: Move, status: string): ApiError =>
  new ApiError(
    'invalid_transition',
    `The suggestion is ${status}. It can be ${DONE[move] ?? MOVES[move].to} only when it is ${MOVES[move].from.join(' or ')}.`,
    {
      status,
      allowed_from: [...MOVES[move].from],
      next_calls: [{ method: 'GET', path: `/suggestions/${id}`, why: 'See its state.' }],
    },
  )

/** Returns the error for a call while another one publishes the suggestion. */
export const busy = (id: number): ApiError =>
  new ApiError('sync_in_progress', 'Another call is publishing the rewrite. Read the suggestion again in a moment.', {
    next_calls: [{ method: 'GET', path: `/suggestions/${id}`, why: 'See its state.' }],
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

const POLL = (id: number) => `The article is being rewritten. Poll GET /suggestions/${id} until it is ready.`

/** Approves a pending suggestion, which starts its rewrite. Throws 404, 403, 409. */
export const approveSuggestion = async (ctx: Ctx, id: number) => {
  const found = checked(await loadSuggestion(ctx, id), 'approve')
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
    readyAt: null,
  }
  return await decide(ctx, checked(found, 'regenerate'), 'regenerate', POLL(id), {
    ...cleared,
    feedback: feedback ?? null,
  })
}
