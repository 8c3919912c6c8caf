import { and, eq, exists, isNotNull, or } from 'drizzle-orm'
import { socialAccounts } from '../../../schema/social.ts'
import { audit } from '../../platform/db/writes.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'

/**
 * Disconnects an account and forgets its secrets; `reason` is given if the network ended it. Returns false if it was disconnected
 * before.
 */
export const forgetAccount = async (ctx: Ctx, accountId: number, id: number, reason?: string): Promise<boolean> => {
  const which = and(
    eq(socialAccounts.id, id),
    eq(socialAccounts.accountId, accountId),
    // A person may also dismiss one that has lapsed.
    or(eq(socialAccounts.status, 'Active'), reason === undefined ? isNotNull(socialAccounts.lapsedReason) : undefined),
  )
  const found = () => ctx.db.select({ id: socialAccounts.id }).from(socialAccounts).where(which)
  const [active] = await ctx.batch([
    found().for('no key update'),
    audit(ctx, {
      account: accountId,
      action: 'social.disconnect',
      on: ['social_account', id],
      ...(reason === undefined ? {} : { detail: { reason } }),
      if: exists(found()),
    }),
    ctx.db
      .update(socialAccounts)
      .set({
        status: 'Disconnected',
        sealedSecrets: '',
        sealedSession: null,
        lapsedReason: reason ?? null,
        updatedAt: ctx.now(),
      })
      .where(which),
  ])
  return active.length > 0
}
