import type { OutreachKind } from '../../../schema/values/outreach.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { erasePersons } from './erase-statements.ts'
import { mirrorLocks } from './erasure-parts.ts'
import { addressOf } from './rules.ts'
import type { EraseInput } from './schemas.ts'

/**
 * Erases a person by id, everyone with an address, or both, with all that belongs to them. What was erased is left out of every
 * later sync. The same call again finds nothing and is no error.
 */
export const erasePerson = async (ctx: Ctx, { id, address }: EraseInput) => {
  const { id: account } = await ctx.account()
  const erased = { id: id ?? null, address: address === undefined ? null : addressOf(address) }
  const [row] = await ctx.write<{ erased: Record<OutreachKind, number> }>(
    erasePersons(ctx, account, erased),
    mirrorLocks(account),
  )
  const counts: Partial<Record<OutreachKind, number>> = row?.erased ?? {}
  const isKnown = Object.values(counts).some((count) => count > 0)
  return {
    erased: counts,
    message: `${isKnown ? 'Erased.' : 'Nothing of this person was stored, so nothing was erased.'} Only hashes are kept, and rows of this person are left out of every later sync.`,
  }
}
