import { asc, eq } from 'drizzle-orm'
import { exchangeCommitments } from '../../schema/exchange.ts'
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
