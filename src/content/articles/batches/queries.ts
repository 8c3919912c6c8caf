import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { articleBatches, articleBatchResults } from '../../../../schema/batches.ts'
import type { Db } from '../../../platform/db/client.ts'

/** Draws the id of a new batch. */
export const nextBatchId = (db: Db) => db.execute<{ id: string }>(sql`select nextval('article_batches_id_seq') as id`)

/** Selects a batch. `mine` is true if the account owns it. */
export const batchById = (db: Db, owner: SQL, id: number) =>
  db
    .select({
      id: articleBatches.id,
      projectId: articleBatches.projectId,
      count: articleBatches.count,
      createdAt: articleBatches.createdAt,
      doneAt: articleBatches.doneAt,
      mine: sql<boolean>`coalesce(${articleBatches.accountId} = ${owner}, false)`,
    })
    .from(articleBatches)
    .where(eq(articleBatches.id, id))

/** Selects the results of a batch, in the order of its articles. */
export const batchResults = (db: Db, id: number) =>
  db.select().from(articleBatchResults).where(eq(articleBatchResults.batchId, id)).orderBy(articleBatchResults.position)

/** Selects a batch of the account that is not done. */
export const openBatch = (db: Db, owner: SQL, id: number) =>
  db
    .select()
    .from(articleBatches)
    .where(and(eq(articleBatches.id, id), eq(articleBatches.accountId, owner), isNull(articleBatches.doneAt)))
