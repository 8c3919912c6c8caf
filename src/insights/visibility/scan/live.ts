import type { Ctx } from '../../../platform/runtime/ctx.ts'
import { AT_ONCE, keepAnswer, leaveGap, questionOf, type Round } from './keep.ts'
import { takePlaces } from './places.ts'
import type { OpenQuestion } from './queries.ts'

/** Longest time that a live question is under way, ms: the answer has 125 s, and then it is judged. */
const UNDER_WAY_MS = 140_000

/**
 * Asks some questions and waits for their answers. One that an earlier run asked has lost its answer with that run: it is a gap, since
 * another would be paid for twice. False if no place is free.
 */
export const askLive = async (ctx: Ctx, of: Round, ready: readonly OpenQuestion[]): Promise<boolean> => {
  const lost = ready.filter(({ handedAt }) => handedAt !== null)
  for (const question of lost) await leaveGap(ctx, question, 'internal')
  const asked = await takePlaces(ctx, of.engine, ready, {
    most: AT_ONCE,
    until: (now) => {
      const until = new Date(now.getTime() + UNDER_WAY_MS)
      return { heldUntil: until, lookAt: until }
    },
  })
  await Promise.all(
    asked.map(async (question) => {
      const answer = await of.engines.ask(questionOf(of, question.prompt, question.tag))
      await keepAnswer(ctx, of, question, answer)
    }),
  )
  return lost.length > 0 || asked.length > 0
}
