import { and, asc, inArray, isNull, lt, lte, or } from 'drizzle-orm'
import { keywordAnswers as answers } from '../../../schema/keywords.ts'
import { dropInBatches } from '../../platform/db/batches.ts'
import type { Deps } from '../../platform/runtime/ctx.ts'

/** Deletes answers past their seven days, except those that somebody asks for again, in batches; returns how many. */
export const forgetKeywords = ({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<number> =>
  dropInBatches(async (most) => {
    const { id, expiresAt, leaseUntil } = answers
    const isOver = and(lt(expiresAt, now()), or(isNull(leaseUntil), lte(leaseUntil, now())))
    const over = db.select({ id }).from(answers).where(isOver).orderBy(asc(expiresAt)).limit(most)
    const { rowCount } = await db.delete(answers).where(and(inArray(id, over), isOver))
    return rowCount
  })
