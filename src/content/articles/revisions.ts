import { owned } from '../../platform/accounts/check-owner.ts'
import { pageOf, pagingOf } from '../../platform/db/paging.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { ListRevisionsInput } from './operations.ts'
import { articleOwner, type Version, versionByNumber, versionRows } from './queries.ts'
import { saveFields } from './update.ts'

const PAGE = { default: 50, max: 200 }

/** Returns the versions of an article, newest first, the current one included. Throws 404, 403. */
export const listRevisions = async (ctx: Ctx, id: number, input: ListRevisionsInput) => {
  const paging = pagingOf(input, PAGE)
  const { articles, versions } = await ctx.read((owner) => ({
    articles: articleOwner(ctx.db, owner, id),
    versions: versionRows(ctx.db, id, paging),
  }))
  owned(articles.rows[0] && { row: articles.rows[0], mine: articles.rows[0].mine }, 'article')
  return pageOf<Version>(versions.rows, paging)
}

/** Returns one version of an article with its content. Throws 403, and 404 for the article or the version. */
export const getRevision = async (ctx: Ctx, id: number, revision: number) => {
  const { articles, versions } = await ctx.read((owner) => ({
    articles: articleOwner(ctx.db, owner, id),
    versions: versionByNumber(ctx.db, id, revision),
  }))
  owned(articles.rows[0] && { row: articles.rows[0], mine: articles.rows[0].mine }, 'article')
  const [version] = versions.rows
  if (!version) throw new ApiError('not_found', 'The article has no such revision.')
  return version
}

/** Returns the error for a published article, with the call that restores and syncs. Returns any other error unchanged. */
const withSync = (error: unknown, id: number, revision: number): unknown => {
  if (!(error instanceof ApiError && error.code === 'published_article')) return error
  const path = `/articles/${id}/revisions/${revision}/restore`
  const why = 'Saves the revision and sends it to the site.'
  return new ApiError(error.code, error.message, { next_calls: [{ method: 'POST', path, body: { sync: true }, why }] })
}

/**
 * Saves title, description, content, image and own fields of an earlier version as a new version.
 *
 * Throws 404, 403, 400 if the article is published, and 409 while it is being written or published.
 */
export const restoreRevision = async (ctx: Ctx, id: number, revision: number) => {
  const { title, meta_description, content, feature_image, alt_text, fields } = await getRevision(ctx, id, revision)
  const image = feature_image === null ? {} : { feature_image, alt_text: alt_text ?? '' }
  const own = fields === null ? {} : { fields }
  const describe = (made: number) => ({
    revision: made,
    restored_from: revision,
    message:
      made === revision
        ? `Revision ${revision} is the current one already, so nothing was changed.`
        : `Revision ${revision} is restored as revision ${made}.`,
  })
  try {
    return await saveFields(ctx, id, { title, meta_description, content, ...image, ...own }, 'restore', describe)
  } catch (error) {
    throw withSync(error, id, revision)
  }
}
