import { and, eq, type SQL, sql } from 'drizzle-orm'
import { articles, articleWritings } from '../../../schema/articles.ts'
import type { AnyPart } from '../../platform/db/part.ts'
import { read } from '../../platform/db/read-parts.ts'
import { oldArticle } from '../articles/parts.ts'
import { statusAllows } from '../articles/standing-parts.ts'
import { statusAfter } from '../articles/transitions.ts'

/** One step of one writing: it counts only while the writing still stands where the step began. */
export type Step = { articleId: number; step: number }

/** The article, locked first as everywhere, and its writing if it still is at this step (null: at any). */
export const heldAt = (
  { articleId, step }: { articleId: number; step: number | null },
  after: readonly AnyPart[] = [],
) => {
  const old = oldArticle({
    where: sql`${and(eq(articles.id, articleId), statusAllows('finish_generation'))}`,
    from: after,
    lock: 'no key update',
  })
  const { articleId: id, kind, creditTaken } = articleWritings
  const isAtStep = step === null ? undefined : eq(articleWritings.step, step)
  const held = read(
    'held',
    articleWritings,
    { articleId: id, kind, creditTaken },
    { from: [old], where: and(eq(id, old.c.id), isAtStep), lock: 'update' },
  )
  return { old, held }
}

export type Held = ReturnType<typeof heldAt>['held']

/** The number of the step after the one the writing is at. */
export const NEXT_STEP: SQL = sql`${articleWritings.step} + 1`

/** Returns the next state of an article that the writer had a lease on. */
export const statusAfterWriting = (held: Held): SQL =>
  sql`case ${held.c.kind} when 'generate' then ${statusAfter('finish_generation')}::text else ${statusAfter('finish_planned')}::text end`

/** Columns of an article that is not being written. */
export const AT_REST = { progress: null, writingStartedAt: null }
