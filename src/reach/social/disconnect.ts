import { owned } from '../../platform/accounts/check-owner.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { errorFields } from '../../platform/runtime/log.ts'
import type { Social } from './port.ts'
import { directAccountById, grantedAccountsOf } from './queries.ts'
import { forgetAccount, openSealed } from './transport.ts'

/**
 * Disconnects a direct account and forgets its secrets; posts that wait for it will fail with that reason. What was granted is
 * withdrawn at the network too, unless something else is on the same grant. Throws 404, 403.
 */
export const disconnectAccount = async (ctx: Ctx, social: Social, id: number) => {
  const [rows] = await ctx.read((owner) => [directAccountById(ctx.db, owner, id)])
  const row = owned(rows[0] && { row: rows[0], mine: rows[0].mine }, 'account')
  const account = await ctx.account()
  if (!(await forgetAccount(ctx, account.id, id)))
    throw new ApiError('not_found', 'The account does not exist: it was disconnected.')
  const withdraw = social.direct[row.platform]?.withdraw
  if (withdraw && !row.isShared) {
    const secrets = await openSealed(ctx.settings.secretsKeys, id, row.sealedSecrets).catch(() => undefined)
    if (secrets) ctx.defer(withdraw(secrets))
  }
  return { account_id: `acc_${id}`, deleted: true as const, message: 'Account disconnected and its secrets deleted.' }
}

/** Disconnects every account that is on a grant, and withdraws the grants where the networks answer. */
export const withdrawAll = async (ctx: Ctx, social: Social, accountId: number): Promise<void> => {
  for (const { id } of await grantedAccountsOf(ctx.db, accountId))
    await disconnectAccount(ctx, social, id).catch((error: unknown) =>
      ctx.log('warn', 'social.not_disconnected', { social_account: id, ...errorFields(error) }),
    )
}
