import { and, eq, exists, isNotNull, or } from 'drizzle-orm'
import { socialAccounts } from '../../../schema/social.ts'
import { audit } from '../../platform/db/writes.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'

/** The end of an account by its network: the reason, and the sealed secrets that the network refused. */
type Ended = { reason: string; sealedSecrets: string }

/**
 * Disconnects an account and forgets its secrets; `ended` is given if the network ended it. Returns false if it was disconnected
 * before, or connected again since with other secrets.
 */
export const forgetAccount = async (ctx: Ctx, accountId: number, id: number, ended?: Ended): Promise<boolean> => {
  const isActive = eq(socialAccounts.status, 'Active')
  const which = and(
    eq(socialAccounts.id, id),
    eq(socialAccounts.accountId, accountId),
    // A person may also dismiss one that has lapsed.
    ended
      ? and(isActive, eq(socialAccounts.sealedSecrets, ended.sealedSecrets))
      : or(isActive, isNotNull(socialAccounts.lapsedReason)),
  )
  const found = () => ctx.db.select({ id: socialAccounts.id }).from(socialAccounts).where(which)
  const [active] = await ctx.batch([
    found().for('no key update'),
    audit(ctx, {
      account: accountId,
      action: 'social.disconnect',
      on: ['social_account', id],
      ...(ended && { detail: { reason: ended.reason } }),
      if: exists(found()),
    }),
    ctx.db
      .update(socialAccounts)
      .set({
        status: 'Disconnected',
        sealedSecrets: '',
        sealedSession: null,
        lapsedReason: ended?.reason ?? null,
        updatedAt: ctx.now(),
      })
      .where(which),
  ])
  return active.length > 0
}
