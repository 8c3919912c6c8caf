import { outreachAccess } from '../../platform/accounts/outreach-access.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { checkOpen } from './access.ts'

/** True if the account may sync an outreach mirror. Throws 403 while the beta is closed for it. */
export const readEntitlement = async (ctx: Ctx) => {
  const [[access]] = await ctx.read((owner) => [outreachAccess(ctx.db, owner)])
  const { plan } = await ctx.account()
  const { entitled, isOpen } = access ?? { entitled: false, isOpen: false }
  checkOpen({ entitled, isOpen })
  return { entitled, plan, status: entitled ? 'active' : 'inactive' }
}
