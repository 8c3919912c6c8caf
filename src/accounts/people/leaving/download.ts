import { ApiError } from '../../../platform/lib/errors.ts'
import { partName } from '../../../platform/runtime/bucket.ts'
import type { Ctx } from '../../../platform/runtime/ctx.ts'
import { checkOwner } from '../members.ts'
import type { Person } from '../person.ts'
import { listExports } from './export.ts'

/** A copy that is ready, as a stream of its parts, of which one at a time is in memory. Throws for who is no owner, and 404. */
export const readExport = async (
  ctx: Ctx,
  by: Person,
  exportId: number,
): Promise<{ bytes: number; body: ReadableStream }> => {
  checkOwner(by)
  const one = (await listExports(ctx, by.accountId)).find(({ id, state }) => id === exportId && state === 'ready')
  if (!one) throw new ApiError('not_found', 'There is no such copy: it is not ready yet, or it was deleted.')
  const { readable, writable } = new FixedLengthStream(one.bytes)
  const pass = async () => {
    for (let n = 0; n < one.parts; n += 1) {
      const part = await ctx.media.get(partName('exports', one.name, n))
      if (!part) throw new Error(`part ${n} of the copy is missing`)
      await part.body.pipeTo(writable, { preventClose: true })
    }
    await writable.close()
  }
  ctx.defer(pass().catch((error: unknown) => writable.abort(error)))
  return { bytes: one.bytes, body: readable }
}
