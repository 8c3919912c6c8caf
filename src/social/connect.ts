import type { SocialPlatform } from '../../schema/values/social.ts'
import { owned } from '../accounts/check-owner.ts'
import { violatedUnique } from '../db/client.ts'
import { seal } from '../lib/crypto.ts'
import { ApiError, invalidInput } from '../lib/errors.ts'
import { fieldErrors } from '../lib/issues.ts'
import { readWithProject } from '../projects/scope.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { forgetAccount, saveAccount, saveProfile } from './account-statements.ts'
import { taken } from './accounts.ts'
import type { Connected, DirectNetwork, Social } from './port.ts'
import { directAccountById, nextAccountId, profileOf } from './queries.ts'
import { NETWORKS } from './rules.ts'
import type { ConnectAccountInput } from './schemas.ts'

type Way = { direct: DirectNetwork; fields: Record<string, unknown> } | 'provider'

/** Which way an account is connected: directly where the network's own fields were sent. Throws 400. */
const wayOf = (social: Social, platform: SocialPlatform, given: Record<string, unknown>): Way => {
  const direct = social.direct[platform]
  const parsed = direct?.fields.safeParse(given)
  if (direct && parsed?.success) return { direct, fields: parsed.data }
  const names = Object.keys((direct?.fields._zod.def as { shape?: object } | undefined)?.shape ?? {})
  const isMeant = names.some((name) => Object.hasOwn(given, name)) || !social.provider
  if (parsed && isMeant) throw invalidInput(fieldErrors(parsed.error?.issues ?? [], given))
  if (social.provider) return 'provider'
  throw new ApiError(
    'unsupported_platform',
    `platform: ${NETWORKS[platform].name} cannot be connected on this installation.`,
    {
      details: [
        { field: 'platform', message: 'cannot be connected on this installation', allowed: Object.keys(social.direct) },
      ],
    },
  )
}

const connectDirectly = async (
  ctx: Ctx,
  { projectId, platform, id }: { projectId: number; platform: SocialPlatform; id: number },
  { direct, fields }: Exclude<Way, 'provider'>,
) => {
  const got = await direct.connect(fields)
  if (got.kind === 'refused') {
    if (got.retryable) taken(got, NETWORKS[platform].name)
    throw new ApiError('social_account_rejected', got.reason, {
      upstream: {
        name: platform,
        ...(got.status === undefined ? {} : { status: got.status }),
        message: got.reason,
      },
      instructions_for_agent: `Nothing was saved. Tell the user what ${NETWORKS[platform].name} said, have it put right there, then send the same request again.`,
    })
  }
  const account = await ctx.account()
  const { secretsKeys } = ctx.settings
  const sealed = (value: object) => seal(secretsKeys, JSON.stringify(value), `social_account:${id}`)
  const { secrets, session, ...made }: Connected = got.value
  const answer = {
    status: 'connected' as const,
    account: { platform, account_id: `acc_${id}`, account_name: made.name, username: made.username },
    message: `Connected. Posts of this project can go out from ${made.username} now.`,
  }
  const row = {
    id,
    accountId: account.id,
    projectId,
    platform,
    ...made,
    sealedSecrets: await sealed(secrets),
    sealedSession: session && (await sealed(session)),
  }
  try {
    await ctx.write(saveAccount(ctx, row, answer))
  } catch (error) {
    if (violatedUnique(error) !== 'social_accounts_active_unique') throw error
    throw new ApiError('edit_conflict', 'The same account was connected at the same moment. Repeat the call.', {
      retry_after: 1,
    })
  }
  return answer
}

const RETURN_TO = '/settings/social'

const connectByProvider = async (
  ctx: Ctx,
  social: Social,
  { projectId, platform, known }: { projectId: number; platform: SocialPlatform; known: string | undefined },
) => {
  const { provider } = social
  if (!provider) throw new Error('no provider')
  const account = await ctx.account()
  const name = `galley-${new URL(ctx.settings.publicUrl).host}-${projectId}`
  const made = known ?? taken(await provider.profile(name), 'social provider')
  const returnTo = `${ctx.settings.publicUrl}${RETURN_TO}?project_id=${projectId}`
  const url = taken(await provider.connectUrl(made, platform, returnTo), 'social provider')
  if (known === undefined) await ctx.write(saveProfile(ctx, { accountId: account.id, projectId, remoteId: made }))
  const instructions = `Give the user this address: there they sign in at ${NETWORKS[platform].name} and allow posting. GET /social/accounts shows the account afterwards.`
  return {
    status: 'waiting_for_user' as const,
    connect_url: url,
    message: `The account is connected once a person opens connect_url and agrees.`,
    instructions_for_agent: instructions,
  }
}

/**
 * Connects an account to a project: directly with the network's own credentials, proved by using them; else the answer has the
 * address where a person connects it. Throws 400, 404, 403, 422 when the network refuses the credentials, 503.
 */
export const connectAccount = async (ctx: Ctx, social: Social, input: ConnectAccountInput) => {
  const { project_id: projectId, platform, ...given } = input
  const way = wayOf(social, platform, given)
  const {
    results: [profiles, ids],
  } = await readWithProject(ctx, projectId, [profileOf(ctx.db, projectId), nextAccountId(ctx.db)] as const)
  return way === 'provider'
    ? await connectByProvider(ctx, social, { projectId, platform, known: profiles[0]?.remoteId })
    : await connectDirectly(ctx, { projectId, platform, id: Number(ids.rows[0]?.id) }, way)
}

/** Disconnects a direct account and forgets its secrets; posts that wait for it will fail with that reason. Throws 404, 403. */
export const disconnectAccount = async (ctx: Ctx, id: number) => {
  const [rows] = await ctx.read((owner) => [directAccountById(ctx.db, owner, id)])
  const row = owned(rows[0] && { row: rows[0], mine: rows[0].mine }, 'account')
  const account = await ctx.account()
  const [gone] = row.status === 'Active' ? await ctx.write(forgetAccount(ctx, account.id, id)) : []
  if (!gone) throw new ApiError('not_found', 'The account does not exist: it was disconnected.')
  return { account_id: `acc_${id}`, deleted: true as const, message: 'Account disconnected and its secrets forgotten.' }
}
