import { and, asc, eq, exists, gt, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import type { Engine } from '../../../../schema/values/visibility.ts'
import { visibilityAnswers as answers, visibilitySlots as slots } from '../../../../schema/visibility.ts'
import { listed } from '../../../platform/db/writes.ts'
import type { Ctx } from '../../../platform/runtime/ctx.ts'
import type { OpenQuestion } from './queries.ts'

/** A question that holds a place, with the tag under which the provider gets it. */
export type PlacedQuestion = OpenQuestion & { tag: string }
/** End of the hold on a place at the latest, and the next look at the question. */
type Until = { heldUntil: Date; lookAt: Date }

/**
 * Reserves places at an engine for questions that were not submitted before, and marks these as handed over. Returns those that got
 * one, at most `most`.
 *
 * Done before the provider hears of them, so that none is handed over twice, whatever happens between.
 */
export const reservePlaces = async (
  ctx: Ctx,
  engine: Engine,
  ready: readonly OpenQuestion[],
  { most, until }: { most: number; until: (now: Date) => Until },
): Promise<PlacedQuestion[]> => {
  const questions = ready
    .filter(({ handedAt }) => handedAt === null)
    .slice(0, most)
    .map((question) => ({ ...question, tag: ctx.newId() }))
  if (questions.length === 0) return []
  const { db } = ctx
  const now = ctx.now()
  const { heldUntil, lookAt } = until(now)
  const wanted = listed({ id: answers.id, tag: answers.taskTag }, questions)
  const isOpen = and(eq(answers.state, 'open'), isNull(answers.handedAt))
  const ids = questions.map(({ id }) => id)
  const free = db.$with('free').as(
    db
      .select({ slot: slots.slot })
      .from(slots)
      .where(and(eq(slots.engine, engine), or(isNull(slots.heldUntil), lte(slots.heldUntil, now))))
      .orderBy(asc(slots.slot))
      .limit(questions.length)
      .for('no key update', { skipLocked: true }),
  )
  // The first free place is for the first question, and so on.
  const places = sql`(select slot, row_number() over (order by slot) as n from free) as places`
  const turns = sql`(select ${answers.id}, row_number() over (order by listed.n) as n
    from ${answers} join ${wanted} on ${answers.id} = listed.id where ${isOpen}) as turns`
  const isHeld = and(eq(slots.engine, engine), eq(slots.answerId, answers.id), gt(slots.heldUntil, now))
  const [, , handed] = await ctx.batch(
    [
      db
        .select({ id: answers.id })
        .from(answers)
        .where(and(inArray(answers.id, ids), isOpen))
        .orderBy(asc(answers.id))
        .for('no key update'),
      db
        .with(free)
        .update(slots)
        .set({ heldUntil, answerId: sql`turns.id` })
        .from(sql`${places} join ${turns} on turns.n = places.n`)
        .where(and(eq(slots.engine, engine), eq(slots.slot, sql`places.slot`))),
      db
        .update(answers)
        .set({ handedAt: now, taskTag: sql`listed.tag`, notBefore: lookAt })
        .from(wanted)
        .where(
          and(
            eq(answers.id, sql`listed.id`),
            isOpen,
            exists(db.select({ slot: slots.slot }).from(slots).where(isHeld)),
          ),
        )
        .returning({ id: answers.id }),
    ],
    { unaudited: 'a step of a scan whose begin is audited' },
  )
  return questions.filter(({ id }) => handed.some((row) => row.id === id))
}
