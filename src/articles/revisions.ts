import { owned } from '../accounts/ownership.ts'
import { ApiError } from '../lib/errors.ts'
import { pageOf, pagingOf } from '../lib/paging.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { articleOwner, type Version, versionByNumber, versionRows } from './revision-queries.ts'
import type { ListRevisionsInput } from './schemas.ts'
import { saveFields } from './update.ts'

const PAGE = { default: 50, max: 200 }

/** The versions of an article of the account, newest first, the current one included. Throws 404, 403. */
export const listRevisions = async (ctx: Ctx, id: number, input: ListRevisionsInput) => {
  const paging = pagingOf(input, PAGE)
  const [articles, versions] = await ctx.read((owner) => [
    articleOwner(ctx.db, owner, id),
    versionRows(ctx.db, id, paging),
  ])
  owned(articles.rows[0] && { row: articles.rows[0], mine: articles.rows[0].mine }, 'article')
  return pageOf<Version>(versions.rows, paging)
}

/** One version of an article of the account with its content. Throws 404 for either, 403. */
export const getRevision = async (ctx: Ctx, id: number, revision: number) => {
  const [articles, versions] = await ctx.read((owner) => [
    articleOwner(ctx.db, owner, id),
    versionByNumber(ctx.db, id, revision),
  ])
  owned(articles.rows[0] && { row: articles.rows[0], mine: articles.rows[0].mine }, 'article')
  const [version] = versions.rows
  if (!version) throw new ApiError('not_found', 'The article has no such revision.')
  return version
}

/**
 * Makes title, description and content of an earlier version the newest one, as a PUT of them would. Throws 404, 403, 400
 * when published, 409 while the article is written or published.
 */
export const restoreRevision = async (ctx: Ctx, id: number, revision: number) => {
  const { title, meta_description, content } = await getRevision(ctx, id, revision)
  return await saveFields(ctx, id, { title, meta_description, content }, 'restore', (made) => ({
    revision: made,
    restored_from: revision,
    message: `Revision ${revision} is restored as revision ${made}.`,
  }))
}
