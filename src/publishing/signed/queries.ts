import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { literals } from '../../../schema/columns.ts'
import { receiptKeys, signedReceipts } from '../../../schema/receipts.ts'
import { ARRIVED_STATUSES } from '../../../schema/values/publishing.ts'
import type { Db } from '../../platform/db/client.ts'

/** Facts about the delivery of a text: the target, the policy in force when it began, and its approval. */
export type SentFacts = {
  account_id: number
  delivery_id: number
  key: string
  event: string
  platform: string
  began_at: string
  attempts: number
  /** Number of deliveries with this key that the target accepted. A replay has the key of its original. */
  accepted_times: number
  policy_version: number | null
  needs_approval: string | null
  approval_id: number | null
  approved_hash: string | null
  decided_at: string | null
  /** Id of the person who decided; null if a review link did. */
  decider: string | null
}

/** Selects what is known of the last accepted live delivery of an article's revision. */
export const sentFacts = (db: Db, articleId: number, revision: number) =>
  db.execute<SentFacts>(sql`
    select d.account_id, d.id as delivery_id, d.idempotency_key as key, d.event_type as event, i.platform, d.created_at as began_at, d.attempts,
      (select count(*)::int from deliveries s where s.article_id = d.article_id and s.idempotency_key = d.idempotency_key
        and s.status in ${literals(ARRIVED_STATUSES)}) as accepted_times,
      v.version as policy_version, v.clauses ->> 'needs_approval' as needs_approval,
      p.id as approval_id, p.content_hash as approved_hash, p.decided_at,
      (select h.id from people h where h.email = p.decided_by) as decider
    from deliveries d join integrations i on i.id = d.integration_id
    left join lateral (select v.version, v.clauses from policy_versions v where v.project_id = d.project_id and v.changed_at <= d.created_at
      order by v.version desc limit 1) v on true
    left join lateral (select a.id, a.content_hash, a.decided_at, a.decided_by from approvals a where a.article_id = d.article_id
      and a.revision = d.revision and a.status in ('approved', 'used') and a.decided_at <= d.created_at order by a.id desc limit 1) p on true
    where d.article_id = ${articleId}::int and d.revision = ${revision}::int and d.live and d.status in ${literals(ARRIVED_STATUSES)}
    order by d.id desc limit 1`)

/** Selects an article with its newest signed receipt, or that of a revision. `mine` is true if the account owns it. */
export const signedReceiptOf = (db: Db, owner: SQL, id: number, revision: number | undefined) =>
  db
    .select({
      mine: sql<boolean>`coalesce(${articles.accountId} = ${owner}, false)`,
      status: articles.status,
      url: articles.url,
      nextCheckAt: sql<string | null>`${articles.receipt} ->> 'next_check_at'`,
      jws: signedReceipts.jws,
      signedAt: signedReceipts.signedAt,
      revision: signedReceipts.revision,
    })
    .from(articles)
    .leftJoin(
      signedReceipts,
      and(
        eq(signedReceipts.articleId, articles.id),
        revision === undefined ? undefined : eq(signedReceipts.revision, revision),
      ),
    )
    .where(eq(articles.id, id))
    .orderBy(desc(signedReceipts.id))
    .limit(1)

/** Selects all public keys, the newest first. */
export const publicKeys = (db: Db) => db.select().from(receiptKeys).orderBy(desc(receiptKeys.createdAt))
