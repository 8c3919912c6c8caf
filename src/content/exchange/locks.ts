import { and, eq, ne, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { exchangeCommitments as commitments, exchangeLinks as links } from '../../../schema/exchange.ts'
import { projects } from '../../../schema/projects.ts'
import type { CountedLink } from './links.ts'

/** First keys of the advisory locks of the exchange; the second is the article's id, or the project's. */
const LINKS_OF_ARTICLE = sql.raw('1001')
const COMMITMENTS_OF_PROJECT = sql.raw('1002')

const receivers = (wanted: readonly CountedLink[]): SQL =>
  sql`${sql.param(wanted.map((link) => link.toProjectId))}::int[]`

/**
 * Locks for a statement that changes an article's links: the right to change them, then every project whose credits can change.
 *
 * Projects are locked in id order. A save that waited here sees all that was written meanwhile, so no link is booked twice or
 * forgotten. The article's row comes last, as everywhere: publication locks its project before the article.
 */
export const articleLocks = (articleId: number, wanted: readonly CountedLink[] = []): SQL[] => {
  const ids = receivers(wanted)
  const counted = sql`${links} where ${and(eq(links.articleId, articleId), ne(links.status, 'Removed'))}`
  const reserved = sql`${commitments} where ${and(eq(commitments.articleId, articleId), eq(commitments.reserved, true))}`
  return [
    sql`select pg_advisory_xact_lock(${LINKS_OF_ARTICLE}, ${articleId}::int)`,
    sql`select ${projects.id} from ${projects} where ${projects.id} in (
        select unnest(${ids}) union select ${links.toProjectId} from ${counted}
        union select ${commitments.toProjectId} from ${reserved}
        union select ${articles.projectId} from ${articles}
          where ${articles.id} = ${articleId}::int and (cardinality(${ids}) > 0 or exists (select 1 from ${counted})))
      order by ${projects.id} for no key update`,
  ]
}

/**
 * Locks for committing: the right to change the article's links, and the right to choose partners for the project.
 *
 * So two articles at once are not given the same partner. The partners' rows are locked within the statement, once they are
 * chosen.
 */
export const commitLocks = (articleId: number): SQL[] => [
  sql`select pg_advisory_xact_lock(${LINKS_OF_ARTICLE}, ${articleId}::int)`,
  sql`select pg_advisory_xact_lock(${COMMITMENTS_OF_PROJECT}, ${articles.projectId}) from ${articles} where ${eq(articles.id, articleId)}`,
]

/** Returns the locks of a new article: nobody else can hold it yet. None when it links to no partner. */
export const newArticleLocks = (projectId: number, wanted: readonly CountedLink[]): SQL[] =>
  wanted.length === 0
    ? []
    : [
        sql`select ${projects.id} from ${projects}
          where ${projects.id} = any(${sql.param([projectId, ...wanted.map((link) => link.toProjectId)])}::int[])
          order by ${projects.id} for no key update`,
      ]
