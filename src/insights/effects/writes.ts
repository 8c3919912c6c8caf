import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { pageChanges } from '../../../schema/effects.ts'
import type { Db } from '../../platform/db/client.ts'
import { insertWhere } from '../../platform/db/writes.ts'
import { DAY_MS } from '../../platform/lib/time.ts'

/** 28 days after the change, the three until their numbers are final, and the one on which they are fetched. */
const MEASURED_AFTER_DAYS = 32
/** Data that are not there by then will not come. */
const GIVEN_UP_AFTER_DAYS = 60

const after = (at: Date, days: number): Date => new Date(at.getTime() + days * DAY_MS)

/** Returns the first day on which a change can be measured. */
const measuredFrom = (changedAt: Date): Date => after(changedAt, MEASURED_AFTER_DAYS)

/** True if to wait for its data no longer. */
export const isGivenUp = (changedAt: Date, now: Date): boolean => now >= after(changedAt, GIVEN_UP_AFTER_DAYS)

/** Returns the time of the next attempt. */
export const nextTry = (now: Date): Date => after(now, 1)

/** A live article whose page changes. */
type Changed = { articleId: number; accountId: number; projectId: number | SQL }
type When = { if: SQL; now: Date }

/** Notes a change of a live page, so that its effect is measured. A revision that is sent again is none. */
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
 * Notes that readers see an earlier version of a live page: earlier changes no longer count.
 *
 * A revision that is sent again is a change.
 */
export const takenBack = (db: Db, { articleId, accountId, projectId }: Changed, { if: condition, now }: When) => [
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

/** Condition: a revision is not the one readers were shown last, so that sending it changes what they see. */
export const isAnother = (articleId: number, revision: number): SQL =>
  sql`coalesce((select last.revision is null or last.revision > ${revision}::int from page_changes last
    where last.article_id = ${articleId}::int order by last.id desc limit 1), false)`

/** Notes which suggestion the last change of an article was, if a condition holds. */
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
