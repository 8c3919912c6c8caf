import type { Wording } from '../../schema/values/suggestions.ts'
import { ApiError, ERROR_CODES, type ErrorCode } from '../lib/errors.ts'
import { etagOf } from '../lib/etag.ts'
import { refuseArchived } from '../projects/archived.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { invalidTransition } from './decide.ts'
import { loadSuggestion, type SuggestionDetail } from './read.ts'
import { keepRevisionOf, moveSuggestion } from './statements.ts'
import { isAllowed } from './states.ts'
import type { SendSync } from './sync-port.ts'

const changed = (id: number): ApiError =>
  new ApiError(
    'changed_since_staged',
    'The article was changed or taken down since the rewrite was made. The suggestion is superseded.',
    {
      next_calls: [
        {
          method: 'POST',
          path: '/suggestions/run',
          why: `Looks for what can be better now. Suggestion ${id} stays as it is.`,
        },
      ],
    },
  )

type Ready = SuggestionDetail & { articleId: number; after: Wording; revision: number; articleUpdatedAt: Date }

const isReady = (found: SuggestionDetail): found is Ready =>
  found.articleId !== null && found.after !== null && found.revision !== null && found.articleStatus === 'Published'

const says = (found: Ready, { title, meta_description: description, content }: Wording): boolean =>
  found.title === title && found.metaDescription === description && found.content === content

const supersede = async (ctx: Ctx, found: SuggestionDetail): Promise<never> => {
  await ctx.write(moveSuggestion(ctx, found, 'supersede', { error: 'The article was changed or taken down.' }))
  throw changed(found.id)
}

const errorOf = (body: Record<string, unknown>): ApiError => {
  const { code, error, message, retryable: _, request_id: __, ...extras } = body
  const known = typeof code === 'string' && Object.hasOwn(ERROR_CODES, code) ? (code as ErrorCode) : 'unavailable'
  return new ApiError(known, String(message ?? error ?? 'The update could not be sent.'), extras)
}

/**
 * Publishes a ready rewrite as an update of the live article. Throws 404, 403, 409 where it is not ready or the article was
 * changed since, and what sending refuses: then it stays ready.
 */
export const publishSuggestion = async (ctx: Ctx, send: SendSync, id: number) => {
  const found = await loadSuggestion(ctx, id)
  refuseArchived(found.projectId, found.projectStatus)
  if (!isAllowed('publish', found.status)) throw invalidTransition(id, 'publish', found.status)
  // An update that was saved and whose answer was lost is the article's present version: it is sent again, in place.
  if (!isReady(found) || (found.revision !== found.baseRevision && !says(found, found.after)))
    return await supersede(ctx, found)
  const end = await send(ctx, found.articleId, etagOf(found.articleUpdatedAt, found.revision), found.after)
  if (end.kind === 'refused') {
    const now = await loadSuggestion(ctx, id)
    const isSaved = isReady(now) && says(now, found.after)
    if (end.status === 412 || end.status === 404) {
      if (!isSaved) return await supersede(ctx, found)
      throw new ApiError('sync_in_progress', 'Another call is publishing the same rewrite, or has just done so.', {
        next_calls: [{ method: 'GET', path: `/suggestions/${id}`, why: 'See its state.' }],
      })
    }
    if (isSaved && now.revision !== found.baseRevision)
      await ctx.write(keepRevisionOf(id, now.revision, found.before ?? found.after))
    throw errorOf(end.body)
  }
  const answer = {
    suggestion: { id, status: 'published' },
    url: end.url,
    message: 'The rewrite is live. The version before can be restored from the article’s revisions.',
  }
  // It is live by now, also where somebody rejected it meanwhile.
  const from = ['ready', 'rejected', 'superseded'] as const
  await ctx.write(moveSuggestion(ctx, found, 'publish', { publishedAt: ctx.now(), error: null }, { answer, from }))
  return answer
}
