import { ApiError, invalidInput } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { accountsOf, type Reachable } from '../social/accounts.ts'
import type { Social } from '../social/port.ts'
import { directAccount } from '../social/transport.ts'
import type { BusinessProfile, Profiles } from './port.ts'

/** Services for reading profiles and replying to reviews. */
export type ProfileDeps = { social: Social; profiles: Profiles }

type Asked = { project_id: number; account_id?: string | undefined }

/** A project's connected profile at Google, and its account. */
export type Open = { account: Reachable; profile: BusinessProfile }

export const SEVERAL_PROFILES = 'is required: the project has several profiles'

/** Returns the account to use. Throws 400 if several are possible, or the named one does not belong to the project. */
const meant = (accounts: readonly Reachable[], accountId: string | undefined): Reachable | undefined => {
  const allowed = accounts.map(({ id }) => id)
  if (accountId !== undefined) {
    const named = accounts.find(({ id }) => id === accountId)
    if (accounts.length > 0 && !named)
      throw invalidInput([{ field: 'account_id', message: 'is not a profile of this project', allowed }])
    return named
  }
  const own = accounts.filter(({ route }) => route === 'direct')
  const choice = own.length > 0 ? own : accounts
  if (choice.length > 1) throw invalidInput([{ field: 'account_id', message: SEVERAL_PROFILES, allowed }])
  return choice[0]
}

const opened = async (
  ctx: Ctx,
  profiles: Profiles,
  projectId: number,
  { route, id }: Reachable,
): Promise<BusinessProfile | undefined> => {
  if (route === 'provider') return profiles.provided(id)
  const account = await directAccount(ctx, projectId, id)
  return account && profiles.direct(account)
}

/**
 * Returns the project's profile; undefined if none is connected. Throws 404 and 403 for the project, 400, 503.
 *
 * A profile connected at Google itself is preferred to one at the provider.
 */
export const openProfile = async (
  ctx: Ctx,
  { social, profiles }: ProfileDeps,
  { project_id: projectId, account_id: accountId }: Asked,
): Promise<Open | undefined> => {
  const isEnough = (own: readonly Reachable[]) => (accountId === undefined ? own.length > 0 : own.some(isNamed))
  const isNamed = ({ id }: Reachable) => id === accountId
  const all = await accountsOf(ctx, social, projectId, (own) => isEnough(own.filter(isProfile)))
  const account = meant(all.filter(isProfile), accountId)
  const profile = account && (await opened(ctx, profiles, projectId, account))
  return account && profile ? { account, profile } : undefined
}

const isProfile = ({ platform, usable }: Reachable): boolean => platform === 'googlebusiness' && usable

const MESSAGE = 'No Google Business Profile is connected to this project.'

const instructions = (projectId: number): string =>
  `Call POST /social/accounts with project_id ${projectId} and platform googlebusiness, give the user the connect_url of the answer, and repeat this call after they agreed at Google.`

/** Returns the answer of a read without a connected profile. */
export const notConnected = (projectId: number) => ({
  connected: false as const,
  project_id: projectId,
  message: MESSAGE,
  instructions_for_agent: instructions(projectId),
})

/** Returns the error for a write without a connected profile. */
export const needsProfile = (projectId: number): ApiError =>
  new ApiError('profile_not_connected', MESSAGE, {
    next_calls: [
      {
        method: 'POST',
        path: '/social/accounts',
        body: { project_id: projectId, platform: 'googlebusiness' },
        why: 'Creates a link at which a person connects a Google Business Profile.',
      },
    ],
    instructions_for_agent: instructions(projectId),
  })
