import { and, asc, eq, isNotNull } from 'drizzle-orm'
import { exchangeCommitments } from '../../../schema/exchange.ts'
import { projects } from '../../../schema/projects.ts'
import type { Db } from '../../platform/db/client.ts'

/** A link the article has to carry, and the words that carry it. */
export type CommittedPartner = { url: string; anchor: string }

/** Returns the partners an article is committed to, in the order of choice; not those whose site the last scan did not find. One query for a batch of reads. */
export const committedPartners = (db: Db, articleId: number) =>
  db
    .select({ url: exchangeCommitments.url, anchor: exchangeCommitments.anchor })
    .from(exchangeCommitments)
    .innerJoin(projects, eq(projects.id, exchangeCommitments.toProjectId))
    .where(and(eq(exchangeCommitments.articleId, articleId), isNotNull(projects.siteReadAt)))
    .orderBy(asc(exchangeCommitments.id))
