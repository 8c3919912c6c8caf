import { and, eq, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { showOwner } from '../../accounts/projects/parts.ts'
import { changeArticle } from '../../content/articles/parts.ts'
import { statusAllows } from '../../content/articles/standing-parts.ts'
import { statement } from '../../platform/db/statement.ts'

/** Stores what the look at the live page found, unless the article has another address by now. */
export const storeReceipt = (articleId: number, url: string, receipt: Record<string, unknown>): SQL => {
  const article = changeArticle(
    'checked',
    { receipt },
    {
      where: sql`${and(eq(articles.id, articleId), eq(articles.url, url), statusAllows('sync'))}`,
      returning: { isSeen: sql`coalesce((${articles.receipt} ->> 'title_found')::boolean, false)` },
    },
  )
  return statement({
    unaudited: 'a look at the live page changes nothing there',
    parts: [article, showOwner(article)],
    answer: { id: article.c.id },
  })
}
