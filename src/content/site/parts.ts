import { eq, ne, sql } from 'drizzle-orm'
import { sitePages } from '../../../schema/site.ts'
import type { Part } from '../../platform/db/part.ts'
import type { Parts } from '../../platform/db/statement.ts'
import { insert, overwritten, remove } from '../../platform/db/write-parts.ts'
import { keyOf } from './writes.ts'

/** Columns of a live article that a part needs. */
type Live = Part<'id' | 'projectId' | 'title' | 'mainKeyword' | 'metaDescription'>

/** Parts that keep a published article as a page of its project's site; none for an address that cannot be kept. */
export const articlePage = (live: Live, url: string | undefined, now: Date): Parts => {
  const key = keyOf(url)
  if (url === undefined || key === undefined) return []
  const moved = remove('moved_page', sitePages, {
    from: [live],
    where: sql`${eq(sitePages.articleId, live.c.id)} and ${ne(sitePages.urlKey, key)}`,
  })
  const row = {
    projectId: live.c.projectId,
    articleId: live.c.id,
    url,
    urlKey: key,
    title: live.c.title,
    keyword: live.c.mainKeyword,
    metaDescription: live.c.metaDescription,
    readAt: now,
    createdAt: now,
    updatedAt: now,
  }
  const { articleId, title, keyword, metaDescription, readAt, updatedAt } = sitePages
  const kept = insert('kept_page', sitePages, row, {
    from: [live],
    onConflict: {
      columns: [sitePages.projectId, sitePages.urlKey],
      set: overwritten({ url: sitePages.url, articleId, title, keyword, metaDescription, readAt, updatedAt }),
    },
  })
  return [moved, kept]
}
