import type { SQL } from 'drizzle-orm'
import { violatedUnique } from '../../platform/db/client.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { Asked, Proposal } from './rules.ts'
import { askStatements } from './writes.ts'

/** Several calls at once ask about the same thing: one asks, the others find its question. */
const TRIES = 3

/** Runs what asks a person, again if another call asked about the same thing at the same moment. */
export const inTurn = async <T>(ctx: Ctx, send: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const result = await send()
      ctx.defer(ctx.wakeQueue())
      return result
    } catch (error) {
      if (violatedUnique(error) !== 'approvals_open_unique' || attempt === TRIES) throw error
    }
  }
}

/** Asks a person about exactly this content and target. Returns the question; undefined if the condition does not hold. */
export const askPerson = (ctx: Ctx, proposal: Proposal, condition: SQL): Promise<Asked | undefined> =>
  inTurn(ctx, async () => {
    const [, , , , [question]] = await ctx.batch(askStatements(ctx, proposal, condition))
    return question
  })
