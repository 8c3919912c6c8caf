import { asc, eq, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../schema/articles.ts'
import { exchangeCommitments } from '../../schema/exchange.ts'
import { projects } from '../../schema/projects.ts'
import type { Db } from '../db/client.ts'

/** A link the article has to carry, and the words that carry it. */
export type CommittedPartner = { url: string; anchor: string }

/** The partners an article is committed to, in the order of choice. One query for a batch of reads. */
export const committedPartners = (db: Db, articleId: number) =>
  db
    .select({ url: exchangeCommitments.url, anchor: exchangeCommitments.anchor })
    .from(exchangeCommitments)
    .where(eq(exchangeCommitments.articleId, articleId))
    .orderBy(asc(exchangeCommitments.id))

/** What committing locks: the project, so that two articles at once are not given the same partner. */
export const commitLocks = (articleId: number): SQL[] => [
  sql`select ${projects.id} from ${projects}
    where ${projects.id} = (select ${articles.projectId} from ${articles} where ${articles.id} = ${articleId}::int) for no key update`,
]
