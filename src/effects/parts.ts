import { and, eq, isNull, sql } from 'drizzle-orm'
import { pageChanges } from '../../schema/effects.ts'
import type { AnyPart, Part } from '../db/part.ts'
import { insert, update } from '../db/write-parts.ts'
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

/** A part that says which suggestion the last change of an article was. */
export const changedBySuggestion = (of: AnyPart, articleId: number, suggestionId: number): Part =>
  update(
    'change_of_suggestion',
    pageChanges,
    { kind: 'rewrite', suggestionId },
    {
      from: [of],
      where: sql`${and(
        eq(pageChanges.articleId, articleId),
        isNull(pageChanges.suggestionId),
        isNull(pageChanges.measuredAt),
      )} and ${pageChanges.revision} = (select max(revision) from page_changes where article_id = ${articleId}::int)`,
    },
  )
