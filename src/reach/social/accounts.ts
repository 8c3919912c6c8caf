import type { SocialPlatform, SocialRoute } from '../../../schema/values/social.ts'
import { readWithProject } from '../../accounts/projects/scope.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import type { Owner } from '../../platform/accounts/parts.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { oneLine } from '../../platform/lib/foreign-data.ts'
import { clip, withStop } from '../../platform/lib/text.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { errorFields } from '../../platform/runtime/log.ts'
import type { Got, Social } from './port.ts'
import { directAccountById, directAccountsOf, grantedAccountsOf, lapsedAccountsOf, profileOf } from './queries.ts'
import { NETWORKS } from './rules.ts'
import { forgetAccount, openSealed } from './transport.ts'

/** An account a project can post from, and the route of its posts. */
export type Reachable = {
  platform: SocialPlatform
  route: SocialRoute
  id: string
  name: string
  username: string
  usable: boolean
  /** Reason why it is not usable; null if it is usable, or the reason is not known. */
  error: string | null
  /** Time of its connection; null if only the provider knows it. */
  connectedAt: Date | null
}

type DirectRow = Awaited<ReturnType<typeof directAccountsOf>>[number]

const directOne = ({ id, platform, name, username, createdAt }: Omit<DirectRow, 'remoteId'>): Reachable => ({
  platform,
  route: 'direct',
  id: `acc_${id}`,
  name,
  username,
  usable: true,
  error: null,
  connectedAt: createdAt,
})

const lapsedOne = ({ reason, ...row }: Awaited<ReturnType<typeof lapsedAccountsOf>>[number]): Reachable => ({
  ...directOne(row),
  usable: false,
  error: reason,
})

const AGAIN = 'Do not repeat this call: it would be refused again.'

/** Returns advice for a caller whose account another service refuses for good. */
const reconnecting = (name: string) => ({
  instructions_for_agent: `${AGAIN} Tell the user what the ${name} said, and have them connect the account again: call POST /social/accounts with the same project_id and the platform, and give them the connect_url of the answer. If it is refused after that, too, tell the operator of this service.`,
})

/** Returns the advice for a caller who has no account yet. */
export const askingOperator = (name: string) => ({
  instructions_for_agent: `${AGAIN} Tell the user and the operator of this service what the ${name} said.`,
})

/**
 * Returns the value that another service gave.
 *
 * Throws 503 if the call may succeed later, else 422 with the reason and advice.
 */
export const valueOrThrow = <T>(
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

/** Returns every account of a project: direct ones, and those of its profile at the provider. Throws 422, 503. */
export const accountsReachableFrom = async (
  social: Pick<Social, 'provider'>,
  direct: readonly DirectRow[],
  profileId: string | undefined,
): Promise<Reachable[]> => {
  const own = direct.map(directOne)
  if (!social.provider || profileId === undefined) return own
  const found = valueOrThrow(await social.provider.accounts(profileId), 'social provider')
  return [
    ...own,
    ...found.map((account): Reachable => ({ ...account, route: 'provider', error: null, connectedAt: null })),
  ]
}

/** Returns advice for a caller without any account, or without one of a network. `others`: accounts of others are connected. */
export const howToConnect = (projectId: number, network?: string, others = false): string =>
  network === undefined
    ? `No account of a social network is connected to this project. Ask the user which network to connect, then call POST /social/accounts with project_id ${projectId} and the platform, and give the user the connect_url of the answer.`
    : `No ${network} account is connected to this project. Ask the user whether to connect one; if so, call POST /social/accounts with project_id ${projectId} and the platform, and give the user the connect_url of the answer.${others ? ' Or publish on the networks that are connected.' : ''}`

/**
 * Returns every account of an active project, including lapsed ones; only direct ones if `isEnough` accepts them.
 *
 * Throws 404 and 403 for the project, 422 if the provider refuses for good, 503 if it does not answer.
 */
export const accountsOf = async (
  ctx: Ctx,
  social: Social,
  projectId: number,
  isEnough: (direct: readonly Reachable[]) => boolean = () => false,
): Promise<Reachable[]> => {
  const {
    results: { profiles, direct, lapsed },
  } = await readWithProject(ctx, projectId, {
    profiles: profileOf(ctx.db, projectId),
    direct: directAccountsOf(ctx.db, projectId),
    lapsed: lapsedAccountsOf(ctx.db, projectId),
  })
  const own = direct.map(directOne)
  if (isEnough(own)) return own
  return [...(await accountsReachableFrom(social, direct, profiles[0]?.remoteId)), ...lapsed.map(lapsedOne)]
}

const shown = ({ platform, id, name, username }: Reachable) => ({
  platform,
  account_id: id,
  account_name: name,
  username,
})

const CUT_OFF = 'The network no longer accepts this service’s access.'

/** Longest name of an account within a sentence. */
const MAX_NAME = 60

/** Returns advice to connect accounts again that lost their access. */
export const toReconnect = (projectId: number, lapsed: readonly Reachable[]): string => {
  const names = lapsed.map(
    // The names are the networks' texts: one short line in quotation marks.
    ({ platform, id, name, username }) =>
      `${NETWORKS[platform].name}, ${JSON.stringify(clip(oneLine(username || name || id), MAX_NAME))}`,
  )
  const platforms = [...new Set(lapsed.map(({ platform }) => `"${platform}"`))].join(', ')
  return `These accounts have lost their access, so nothing is posted from them: ${names.join('; ')}. Ask the user to connect them again: call POST /social/accounts with project_id ${projectId} and the platform (${platforms}), and give the user the connect_url of the answer.`
}

/** Returns the accounts a project can post from, and those that a person has to connect again. Throws like `accountsOf`. */
export const listAccounts = async (ctx: Ctx, social: Social, projectId: number) => {
  const all = await accountsOf(ctx, social, projectId)
  const accounts = all.filter(({ usable }) => usable).map(shown)
  const lapsed = all.filter(({ usable }) => !usable)
  if (lapsed.length > 0)
    return {
      connected: accounts.length > 0,
      accounts,
      lapsed_accounts: lapsed.map((one) => ({ ...shown(one), status: 'lapsed' as const, error: one.error ?? CUT_OFF })),
      instructions_for_agent: toReconnect(projectId, lapsed),
    }
  return {
    connected: accounts.length > 0,
    accounts,
    ...(accounts.length > 0 ? {} : { instructions_for_agent: howToConnect(projectId) }),
  }
}

/**
 * Disconnects a direct account and deletes its secrets. Posts that wait for it will fail. Throws 404, 403.
 *
 * The grant is withdrawn at the network too, unless another connection uses it.
 */
export const disconnectAccount = async (ctx: Ctx, social: Social, id: number) => {
  const rows = await ctx.read((owner) => directAccountById(ctx.db, owner, id))
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

/** Disconnects the owner’s accounts that have a grant, and withdraws the grants at the networks. Failures are logged. */
export const withdrawAll = async (ctx: Ctx, social: Social, owner: Owner): Promise<void> => {
  for (const { id } of await grantedAccountsOf(ctx.db, owner))
    await disconnectAccount(ctx, social, id).catch((error: unknown) =>
      ctx.log('warn', 'social.not_disconnected', { social_account: id, ...errorFields(error) }),
    )
}
