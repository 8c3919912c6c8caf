import type { Decider } from '../../../accounts/approvals/decide.ts'
import { deputyOf } from '../../../accounts/approvals/deputy.ts'
import { has, withArticle } from '../../../accounts/people/roles.ts'
import { ApiError } from '../../../platform/lib/errors.ts'
import { ctxOf } from '../../ctx.ts'
import type { PagesContext } from '../../front.tsx'
import { type SiteFront, siteIdIn } from '../front.ts'

/** Returns the deputy of the site in the path; undefined if no owner is away. */
export const deputyIn = async (c: PagesContext, front: SiteFront) => {
  const ctx = ctxOf(c, front)
  const [deputy] = await ctx.read(() => deputyOf(ctx, c.get('person').accountId, siteIdIn(c)))
  return deputy
}

/** True if the signed-in person may decide the approvals of the site in the path. */
export const mayDecide = async (c: PagesContext, front: SiteFront): Promise<boolean> => {
  const { id, role } = c.get('person')
  return has(role, 'decide') || (await deputyIn(c, front))?.personId === id
}

/** Returns the signed-in person as one who decides. Throws 403 if neither their role lets them, nor an owner who is away. */
export const deciderIn = async (c: PagesContext, front: SiteFront): Promise<Decider> => {
  const { id, email, role } = c.get('person')
  if (has(role, 'decide')) return { name: email }
  const deputy = await deputyIn(c, front)
  if (deputy?.personId === id) return { name: email, deputy: { id, of: deputy.of } }
  throw new ApiError(
    'forbidden',
    `You are ${withArticle(role)} of this account, and your role cannot decide approvals. Ask an owner.`,
  )
}
