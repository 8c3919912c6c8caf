import type { SQL } from 'drizzle-orm'
import { integrations } from '../../../schema/integrations.ts'
import { given, list } from '../../platform/db/read-parts.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'

const unaudited = 'a test changes nothing here: only its answer is kept'

/** The integration that is tested, as a part that the kept answer hangs on. */
const tested = (id: number) => given('tested', { id: list(integrations.id, [id]) })

/**
 * Marks the call's Idempotency-Key as running, so that the same call at the same moment waits for the answer of this one.
 * Undefined without a key: then each call is a test of its own.
 */
export const beginTest = (ctx: Ctx, id: number, lease: Date): SQL | undefined => {
  const test = tested(id)
  const running = ctx.keep.running([test], lease)
  return running && statement({ unaudited, parts: [test, running], answer: { id: test.c.id } })
}

/** Keeps the answer under the call's key; without one, for a test that could not be made, the key is free again. */
export const endTest = (ctx: Ctx, id: number, answer?: object): SQL => {
  const test = tested(id)
  const kept = answer === undefined ? ctx.keep.dropped(test) : ctx.keep.done(test, answer)
  return statement({ unaudited, parts: [test, kept], answer: { id: test.c.id } })
}
