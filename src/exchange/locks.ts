import { and, eq, ne, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../schema/articles.ts'
import { exchangeLinks as links } from '../../schema/exchange.ts'
import { projects } from '../../schema/projects.ts'
import type { CountedLink } from './links.ts'

/** First key of the advisory locks of the exchange; the second is the article's id. */
const LINKS_OF_ARTICLE = sql.raw('1001')

const receivers = (wanted: readonly CountedLink[]): SQL =>
  sql`${sql.param(wanted.map((link) => link.toProjectId))}::int[]`

/**
 * What a statement that changes an article's links locks before it: the right to change its links, then every project whose
 * credits can change, in id order. A save that waited here sees all that was written meanwhile, so that no link is booked twice or
 * forgotten. The article's row comes last, as everywhere: publication holds its project when it takes the article.
 */
export const articleLocks = (articleId: number, wanted: readonly CountedLink[] = []): SQL[] => {
  const ids = receivers(wanted)
  const counted = sql`${links} where ${and(eq(links.articleId, articleId), ne(links.status, 'Removed'))}`
  return [
    sql`select pg_advisory_xact_lock(${LINKS_OF_ARTICLE}, ${articleId}::int)`,
    sql`select ${projects.id} from ${projects} where ${projects.id} in (
        select unnest(${ids}) union select ${links.toProjectId} from ${counted}
        union select ${articles.projectId} from ${articles}
          where ${articles.id} = ${articleId}::int and (cardinality(${ids}) > 0 or exists (select 1 from ${counted})))
      order by ${projects.id} for no key update`,
  ]
}

/** The locks of a new article: nobody else can hold it yet. None when it links to no partner. */
export const newArticleLocks = (projectId: number, wanted: readonly CountedLink[]): SQL[] =>
  wanted.length === 0
    ? []
    : [
        sql`select ${projects.id} from ${projects}
          where ${projects.id} = any(${sql.param([projectId, ...wanted.map((link) => link.toProjectId)])}::int[])
          order by ${projects.id} for no key update`,
      ]
