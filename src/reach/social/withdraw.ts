import type { Ctx } from '../../platform/runtime/ctx.ts'
import { errorFields } from '../../platform/runtime/log.ts'
import { disconnectAccount } from './disconnect.ts'
import type { Social } from './port.ts'
import { grantedAccountsOf } from './queries.ts'

/** Disconnects every account that is on a grant, and withdraws the grants where the networks answer. */
export const withdrawAll = async (ctx: Ctx, social: Social, accountId: number): Promise<void> => {
  for (const { id } of await grantedAccountsOf(ctx.db, accountId))
    await disconnectAccount(ctx, social, id).catch((error: unknown) =>
      ctx.log('warn', 'social.not_disconnected', { social_account: id, ...errorFields(error) }),
    )
}
