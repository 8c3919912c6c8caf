import type { SocialPlatform, SocialRoute } from '../../../schema/values/social.ts'
import { readWithProject } from '../../accounts/projects/scope.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { withStop } from '../../platform/lib/full-stop.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { Got, Social } from './port.ts'
import { directAccountsOf, profileOf } from './queries.ts'

/** An account a project can post from, and which way its posts go. */
export type Reachable = {
  platform: SocialPlatform
  route: SocialRoute
  id: string
  name: string
  username: string
  usable: boolean
  /** Time of its connection; null if only the provider knows it. */
  connectedAt: Date | null
}

type DirectRow = Awaited<ReturnType<typeof directAccountsOf>>[number]

const directOnes = (rows: readonly DirectRow[]): Reachable[] =>
  rows.map(({ id, platform, name, username, createdAt }) => ({
    platform,
    route: 'direct',
    id: `acc_${id}`,
    name,
    username,
    usable: true,
    connectedAt: createdAt,
  }))

const AGAIN = 'Do not repeat this call: it would be refused again.'

/** Advice for a caller whose account another service refuses for good. */
const reconnecting = (name: string) => ({
  instructions_for_agent: `${AGAIN} Tell the user what the ${name} said, and have them connect the account again: call POST /social/accounts with the same project_id and the platform, and give them the connect_url of the answer. If it is refused after that, too, tell the operator of this service.`,
})

/** The same where there is no account yet. */
export const askingOperator = (name: string) => ({
  instructions_for_agent: `${AGAIN} Tell the user and the operator of this service what the ${name} said.`,
})

/** Returns the value that another service gave. Throws 503 if it is away, 422 with its reason and advice if it refuses for good. */
export const taken = <T>(
  got: Got<T>,
  name: string,
  toDo: (name: string) => { instructions_for_agent: string } = reconnecting,
): T => {
  if (got.kind === 'got') return got.value
  const reason = withStop(got.reason)
  const upstream = { name, ...(got.status === undefined ? {} : { status: got.status }), message: got.reason }
  if (got.retryable)
    throw new ApiError('provider_unavailable', `${reason} Nothing was changed; repeat the call shortly.`, {
      retry_after: got.retryAfterS ?? 30,
      upstream,
    })
  throw new ApiError('social_account_rejected', `${reason} Nothing was changed.`, { upstream, ...toDo(name) })
}

/** Every account of a project: those called directly, and those of its profile at the provider. Throws 422, 503. */
export const reachableBy = async (
  social: Pick<Social, 'provider'>,
  direct: readonly DirectRow[],
  profileId: string | undefined,
): Promise<Reachable[]> => {
  const own = directOnes(direct)
  if (!social.provider || profileId === undefined) return own
  const found = taken(await social.provider.accounts(profileId), 'social provider')
  return [...own, ...found.map((account): Reachable => ({ ...account, route: 'provider', connectedAt: null }))]
}

/** Returns advice for a caller without an account: without any, or without one of the network, while `others` may be connected. */
export const howToConnect = (projectId: number, network?: string, others = false): string =>
  network === undefined
    ? `No account of a social network is connected to this project. Ask the user which network to connect, then call POST /social/accounts with project_id ${projectId} and the platform, and give the user the connect_url of the answer.`
    : `No ${network} account is connected to this project. Ask the user whether to connect one; if so, call POST /social/accounts with project_id ${projectId} and the platform, and give the user the connect_url of the answer.${others ? ' Or publish on the networks that are connected.' : ''}`

/**
 * Every account of an active project; only those called directly where `isEnough` says so. Throws 404 and 403 for the project, 422
 * when the provider refuses for good, 503 when it does not answer.
 */
export const accountsOf = async (
  ctx: Ctx,
  social: Social,
  projectId: number,
  isEnough: (direct: readonly Reachable[]) => boolean = () => false,
): Promise<Reachable[]> => {
  const {
    results: [profiles, direct],
  } = await readWithProject(ctx, projectId, [
    profileOf(ctx.db, projectId),
    directAccountsOf(ctx.db, projectId),
  ] as const)
  const own = directOnes(direct)
  return isEnough(own) ? own : await reachableBy(social, direct, profiles[0]?.remoteId)
}

/** The accounts a project can post from. Throws like `accountsOf`. */
export const listAccounts = async (ctx: Ctx, social: Social, projectId: number) => {
  const all = await accountsOf(ctx, social, projectId)
  const accounts = all
    .filter(({ usable }) => usable)
    .map(({ platform, id, name, username }) => ({ platform, account_id: id, account_name: name, username }))
  return {
    connected: accounts.length > 0,
    accounts,
    ...(accounts.length > 0 ? {} : { instructions_for_agent: howToConnect(projectId) }),
  }
}
