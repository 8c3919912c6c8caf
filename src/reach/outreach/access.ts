import { outreachAccess } from '../../platform/accounts/outreach-access.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'

export type Access = { entitled: boolean; isOpen: boolean }

/** Throws 403 while the beta is closed for the account. */
const checkOpen = ({ isOpen }: Access): void => {
  if (isOpen) return
  throw new ApiError('beta_closed', 'The Outreach Pro beta is closed for this account.', {
    instructions_for_agent:
      'Tell the user that Outreach Pro is not open for their account, and stop the outreach step.',
  })
}

/** Throws 403 while the beta is closed for the account, or the account has no Outreach Pro. */
export const checkEntitled = (access: Access): void => {
  checkOpen(access)
  if (access.entitled) return
  throw new ApiError('not_entitled', 'This account has no Outreach Pro.', {
    instructions_for_agent: 'Tell the user that syncing needs Outreach Pro, and stop the outreach step.',
    next_calls: [
      { method: 'GET', path: '/outreach/entitlement', why: 'It says whether the account has Outreach Pro.' },
    ],
  })
}

/** True if the account may sync an outreach mirror. Throws 403 while the beta is closed for it. */
export const readEntitlement = async (ctx: Ctx) => {
  const [[access]] = await ctx.read((owner) => [outreachAccess(ctx.db, owner)])
  const { plan } = await ctx.account()
  const { entitled, isOpen } = access ?? { entitled: false, isOpen: false }
  checkOpen({ entitled, isOpen })
  return { entitled, plan, status: entitled ? 'active' : 'inactive' }
}
