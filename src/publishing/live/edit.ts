import { detachCall } from '../../content/articles/refusals.ts'
import { getRevision, restoreRevision } from '../../content/articles/revisions.ts'
import { updateArticleFields } from '../../content/articles/update.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { TargetFactory } from '../target/publish-target.ts'
import { type EditArticleInput, type RestoreArticleInput, SyncArticle, type SyncArticleInput } from './operations.ts'
import { syncArticle } from './sync.ts'

/** Returns the names of the fields that a sync can change. */
const syncedFields = (): string[] => Object.keys(SyncArticle.shape)

/** Splits the given fields into those that a sync can change and the names of the others. */
const splitOf = (input: Omit<EditArticleInput, 'sync'>) => {
  const synced = syncedFields()
  const sent = Object.entries(input).filter(([, value]) => value !== undefined)
  const edits = Object.fromEntries(sent.filter(([name]) => synced.includes(name))) as SyncArticleInput
  return { edits, others: sent.map(([name]) => name).filter((name) => !synced.includes(name)) }
}

const LEFT_OUT = 'It cannot be changed on a published article, so it was ignored.'

/** Returns the error if a published article can change none of the given fields. */
const keepsAll = (id: number, others: readonly string[]): ApiError =>
  new ApiError(
    'published_article',
    `On a published article, ${others.join(', ')} cannot be changed. Nothing was changed or sent.`,
    {
      sync_required: true,
      details: others.map((field) => ({
        field,
        message: 'cannot be changed on a published article',
        allowed: syncedFields(),
      })),
      next_calls: [
        { method: 'POST', path: `/articles/${id}/sync`, why: 'Changes and sends any of the fields in `allowed`.' },
        detachCall(id),
      ],
    },
  )

/** Awaits a sync. Returns undefined if the article is not published. */
const syncIfPublished = async <T>(sync: Promise<T>): Promise<T | undefined> => {
  try {
    return await sync
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_published') return undefined
    throw error
  }
}

/** Returns an error handler that names the fields a published article keeps, for a PUT with `sync`. */
const keepingPublished = (id: number, sync: boolean | undefined, others: readonly string[]) => (error: unknown) => {
  const isKept = sync === true && error instanceof ApiError && error.code === 'published_article'
  throw isKept ? keepsAll(id, others) : error
}

/**
 * Saves fields of an article. A published article needs `sync`, which also sends the changes; without it the call is
 * refused.
 *
 * Throws what `updateArticleFields` and `syncArticle` throw.
 */
export const editArticle = async (ctx: Ctx, targets: TargetFactory, id: number, input: EditArticleInput) => {
  const { sync, ...fields } = input
  const { edits, others } = splitOf(fields)
  // If all given fields are fixed for a published article, there is nothing to sync.
  const isSyncable = sync === true && (others.length === 0 || Object.keys(edits).length > 0)
  const synced = isSyncable ? await syncIfPublished(syncArticle(ctx, targets, id, edits)) : undefined
  if (!synced) return await updateArticleFields(ctx, id, fields).catch(keepingPublished(id, sync, others))
  if (others.length === 0) return synced
  return { ...synced, ignored: others, notes: Object.fromEntries(others.map((name) => [name, LEFT_OUT])) }
}

/**
 * Restores an earlier version as the newest one. With `sync`, a published article is saved and sent like a sync.
 *
 * Throws what `restoreRevision` and `syncArticle` throw.
 */
export const restoreArticle = async (
  ctx: Ctx,
  targets: TargetFactory,
  { id, revision }: { id: number; revision: number },
  { sync }: RestoreArticleInput,
) => {
  if (sync !== true) return await restoreRevision(ctx, id, revision)
  const { title, meta_description, content, feature_image, alt_text, fields } = await getRevision(ctx, id, revision)
  const edits = {
    title,
    meta_description,
    content,
    feature_image: feature_image ?? undefined,
    alt_text: alt_text ?? undefined,
    fields: fields ?? undefined,
  }
  const synced = await syncIfPublished(
    syncArticle(ctx, targets, id, edits, { notes: { restored_from: revision }, whole: true }),
  )
  return synced ?? (await restoreRevision(ctx, id, revision))
}
