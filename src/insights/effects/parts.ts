import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import { pageChanges } from '../../../schema/effects.ts'
import type { Part } from '../../platform/db/part.ts'
import type { Parts } from '../../platform/db/statement.ts'
import { insert, update } from '../../platform/db/write-parts.ts'
import { measuredFrom } from './calendar.ts'

type Changed = { accountId: number; projectId: number; revision: number }

/** A part that notes a change of a live page, so that its effect is measured. A revision that is sent again is none. */
export const pageChanged = (live: Part<'id'>, { accountId, projectId, revision }: Changed, now: Date): Part =>
  insert(
    'page_changed',
    pageChanges,
    {
      accountId,
      projectId,
      articleId: live.c.id,
      kind: 'sync',
      revision,
      changedAt: now,
      measureAt: measuredFrom(now),
    },
    { from: [live], onConflict: { columns: [pageChanges.articleId, pageChanges.revision] } },
  )

/**
 * Parts that note that readers see an earlier version of a live page: earlier changes no longer count.
 *
 * A revision that is sent again is a change.
 */
export const takenBack = (
  live: Part<'id' | 'projectId'>,
  { accountId, now }: { accountId: number; now: Date },
): Parts => [
  insert(
    'taken_back',
    pageChanges,
    {
      accountId,
      projectId: live.c.projectId,
      articleId: live.c.id,
      kind: 'rollback',
      changedAt: now,
      measureAt: measuredFrom(now),
    },
    { from: [live] },
  ),
  update(
    'changes_before',
    pageChanges,
    { revision: null },
    { from: [live], where: sql`${and(eq(pageChanges.articleId, live.c.id), isNotNull(pageChanges.revision))}` },
  ),
]

/** True if a revision is not the one readers were shown last, so that sending it changes what they see. */
export const isAnother = (articleId: SQL, revision: number): SQL =>
  sql`coalesce((select last.revision is null or last.revision > ${revision}::int from page_changes last
    where last.article_id = ${articleId} order by last.id desc limit 1), false)`
