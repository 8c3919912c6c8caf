import type { SQL } from 'drizzle-orm'
import { violatedUnique } from '../../platform/db/client.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { Asked } from './rules.ts'

/** Several calls at once ask about the same thing: one asks, the others find its question. */
const TRIES = 3

/** Runs a statement with the parts of `askParts`: the question, or undefined if there was nothing to ask about. */
export const ask = async (ctx: Ctx, statement: () => SQL, locks: readonly SQL[] = []): Promise<Asked | undefined> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const [row] = await ctx.write<{ id: number; expires_ms: string }>(statement(), locks)
      ctx.defer(ctx.wakeQueue())
      return row && { id: Number(row.id), expiresAt: new Date(Number(row.expires_ms)) }
    } catch (error) {
      if (violatedUnique(error) !== 'approvals_open_unique' || attempt === TRIES) throw error
    }
  }
}
