import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { pageChanges } from '../../../schema/effects.ts'
import type { Db } from '../../platform/db/client.ts'
import { insertWhere } from '../../platform/db/writes.ts'
import { DAY_MS } from '../../platform/lib/time.ts'

/** Days until a change is measured: 28 after it, three until their numbers are final, and one on which they are fetched. */
const MEASURED_AFTER_DAYS = 32
/** Days after a change from which missing data are no longer expected. */
const GIVEN_UP_AFTER_DAYS = 60

const after = (at: Date, days: number): Date => new Date(at.getTime() + days * DAY_MS)

/** Returns the first day on which a change can be measured. */
const measuredFrom = (changedAt: Date): Date => after(changedAt, MEASURED_AFTER_DAYS)

/** True if it is too late to wait for the missing data of a change. */
export const isGivenUp = (changedAt: Date, now: Date): boolean => now >= after(changedAt, GIVEN_UP_AFTER_DAYS)

/** Returns the time of the next attempt, a day later. */
export const nextTry = (now: Date): Date => after(now, 1)

/** A live article whose page changes. */
type Changed = { articleId: number; accountId: number; projectId: number | SQL }
type When = { if: SQL; now: Date }

/** Records a change of a live page, so that its effect is measured. Sending the same revision again adds nothing. */
export const pageChanged = (
  { articleId, accountId, projectId, revision }: Changed & { revision: number },
  { if: condition, now }: When,
) =>
  insertWhere(
    pageChanges,
    { articleId, accountId, projectId, revision, kind: 'sync', changedAt: now, measureAt: measuredFrom(now) },
    { if: condition, onConflict: sql`(article_id, revision) do nothing` },
  )

/**
 * Records that readers see an earlier version of a live page again.
 *
 * Clears the revisions of its earlier changes, so that sending one of them again counts as a change.
 */
export const markUndone = (db: Db, { articleId, accountId, projectId }: Changed, { if: condition, now }: When) => [
  insertWhere(
    pageChanges,
    { articleId, accountId, projectId, kind: 'rollback', changedAt: now, measureAt: measuredFrom(now) },
    { if: condition },
  ),
  db
    .update(pageChanges)
    .set({ revision: null })
    .where(and(eq(pageChanges.articleId, articleId), isNotNull(pageChanges.revision), condition)),
]

/**
 * Returns a condition: readers were last shown a newer revision or a rollback, so sending this revision changes what they see.
 */
export const isAnother = (articleId: number, revision: number): SQL =>
  sql`coalesce((select last.revision is null or last.revision > ${revision}::int from page_changes last
    where last.article_id = ${articleId}::int order by last.id desc limit 1), false)`

/** Marks the last change of an article as the rewrite of a suggestion, if a condition is met. */
export const changedBySuggestion = (db: Db, articleId: number, suggestionId: number, condition: SQL) =>
  db
    .update(pageChanges)
    .set({ kind: 'rewrite', suggestionId })
    .where(
      and(
        eq(pageChanges.articleId, articleId),
        isNull(pageChanges.suggestionId),
        isNull(pageChanges.measuredAt),
        sql`${pageChanges.revision} = (select max(revision) from page_changes where article_id = ${articleId}::int)`,
        condition,
      ),
    )
