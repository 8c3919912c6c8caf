import type { Engine } from '../../../../schema/values/visibility.ts'
import type { Ctx } from '../../../platform/runtime/ctx.ts'
import { handOver, type Until } from './hand-statements.ts'
import type { OpenQuestion } from './queries.ts'

/** A question that holds a place, with the tag under which the provider gets it. */
export type PlacedQuestion = OpenQuestion & { tag: string }

/** Reserves places at an engine for questions that were not submitted before. Returns those that got one, at most `most`. */
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
  const now = ctx.now()
  const rows = await ctx.write<{ id: number }>(handOver({ engine, questions, now }, until(now)))
  return questions.filter(({ id }) => rows.some((row) => row.id === id))
}
