import { and, eq, exists, notExists } from 'drizzle-orm'
import { socialAccounts, socialProfiles } from '../../../schema/social.ts'
import type { SocialPlatform } from '../../../schema/values/social.ts'
import { readWithProject } from '../../accounts/projects/scope.ts'
import { lockProject } from '../../accounts/projects/writes.ts'
import { violatedUnique } from '../../platform/db/client.ts'
import { when } from '../../platform/db/steps.ts'
import { audit } from '../../platform/db/writes.ts'
import { type Ignored, ignoredIn, withIgnored } from '../../platform/http/ignored.ts'
import { seal } from '../../platform/lib/crypto.ts'
import { ApiError, invalidInput } from '../../platform/lib/errors.ts'
import { fieldErrors } from '../../platform/lib/issues.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { askingOperator, valueOrThrow } from './accounts.ts'
import type { ConnectAccountInput } from './operations.ts'
import type { Connected, DirectNetwork, Got, Social } from './port.ts'
import { directAccountsOf, nextAccountId, profileOf } from './queries.ts'
import { NETWORKS } from './rules.ts'

type Credentials = NonNullable<DirectNetwork['credentials']>

/** Method of connecting: with the network's own credentials, at the provider, or on our page that leads to the network. */
type Method = { credentials: Credentials; fields: Record<string, unknown> } | 'provider' | 'page'

/** Returns the method of connecting an account. It is direct if fields of the network were sent. Throws 400. */
const methodOf = (social: Social, platform: SocialPlatform, given: Record<string, unknown>): Method => {
  const direct = social.direct[platform]
  const credentials = direct?.credentials
  const parsed = credentials?.fields.safeParse(given)
  if (credentials && parsed?.success) return { credentials, fields: parsed.data }
  const names = Object.keys(credentials?.fields.shape ?? {})
  const isMeant = names.some((name) => Object.hasOwn(given, name)) || !social.provider
  if (parsed && isMeant) throw invalidInput(fieldErrors(parsed.error?.issues ?? [], given))
  if (social.provider) return 'provider'
  if (direct) return 'page'
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

type Place = {
  projectId: number
  platform: SocialPlatform
  /** Id from the sequence, for an account that is not connected yet. */
  newId: number
  /** The direct accounts that are connected. */
  known: Awaited<ReturnType<typeof directAccountsOf>>
}

/**
 * Saves a direct account. One that is connected already keeps its id, so that posts which wait for it go out.
 *
 * Returns false if it was disconnected since it was read, or another call connected the same account.
 */
const saveAccount = async (
  ctx: Ctx,
  { id, grantSub = null, ...account }: typeof socialAccounts.$inferInsert & { id: number },
  answer: object,
): Promise<boolean> => {
  const now = ctx.now()
  const { accountId, projectId, platform, remoteId, ...shown } = account
  const changes = { ...shown, grantSub, updatedAt: now }
  // Sealing the same secrets twice gives different results, so only this write can have stored these.
  const isSaved = exists(
    ctx.db
      .select({ id: socialAccounts.id })
      .from(socialAccounts)
      .where(and(eq(socialAccounts.id, id), eq(socialAccounts.sealedSecrets, account.sealedSecrets))),
  )
  try {
    const { saved } = await ctx.batch({
      saved: ctx.db
        .insert(socialAccounts)
        .values({ id, accountId, projectId, platform, remoteId, ...changes, createdAt: now })
        .onConflictDoUpdate({
          target: socialAccounts.id,
          set: changes,
          setWhere: eq(socialAccounts.status, 'Active'),
        })
        .returning({ id: socialAccounts.id }),
      ...when(isSaved, {
        audit: audit(ctx, {
          account: accountId,
          action: 'social.connect',
          on: ['social_account', id],
          detail: { platform, username: account.username },
        }),
        kept: ctx.keepAnswer(answer),
      }),
    })
    return saved.length > 0
  } catch (error) {
    if (violatedUnique(error) !== 'social_accounts_active_unique') throw error
    return false
  }
}

/** Saves an account whose credentials were proved or granted. It updates the same account if that is connected. */
const save = async (
  ctx: Ctx,
  { projectId, platform, newId, known }: Place,
  connected: Connected,
  ignored: Ignored = {},
) => {
  const account = await ctx.account()
  const same = known.find((one) => one.platform === platform && one.remoteId === connected.remoteId)
  const id = same?.id ?? newId
  const { secretsKeys } = ctx.settings
  const sealed = (value: object) => seal(secretsKeys, JSON.stringify(value), `social_account:${id}`)
  const { secrets, session, ...made } = connected
  const shown = {
    status: 'connected' as const,
    account: { platform, account_id: `acc_${id}`, account_name: made.name, username: made.username },
    message: `Connected. Posts of this project can go out from ${made.username} now.`,
  }
  const answer = withIgnored(shown, ignored)
  const row = {
    id,
    accountId: account.id,
    projectId,
    platform,
    ...made,
    sealedSecrets: await sealed(secrets),
    sealedSession: session && (await sealed(session)),
  }
  if (await saveAccount(ctx, row, answer)) return answer
  throw new ApiError('edit_conflict', 'Another call connected the same account at the same moment. Repeat the call.', {
    retry_after: 1,
  })
}

/** Connects an account that a person granted access to. Throws 404 and 403 for the project. */
export const saveGranted = async (
  ctx: Ctx,
  { projectId, platform }: { projectId: number; platform: SocialPlatform },
  connected: Connected,
) => {
  const {
    results: { ids, known },
  } = await readWithProject(ctx, projectId, { ids: nextAccountId(ctx.db), known: directAccountsOf(ctx.db, projectId) })
  return await save(ctx, { projectId, platform, newId: Number(ids.rows[0]?.id), known }, connected)
}

const connectDirectly = async (
  ctx: Ctx,
  where: Place,
  { credentials, fields }: Exclude<Method, string>,
  ignored: Ignored,
) => {
  const { platform } = where
  const got = await credentials.connect(fields)
  if (got.kind === 'unfit') {
    const { field, reason: message } = got
    throw new ApiError(got.code, `${field}: ${message}`, { details: [{ field, message }] })
  }
  if (got.kind === 'refused') {
    if (got.retryable) valueOrThrow(got, NETWORKS[platform].name)
    throw new ApiError('social_account_rejected', got.reason, {
      upstream: {
        name: platform,
        ...(got.status === undefined ? {} : { status: got.status }),
        message: got.reason,
      },
      instructions_for_agent: `Nothing was saved. Tell the user what ${NETWORKS[platform].name} said, have it fixed there, then send the same request again.`,
    })
  }
  return await save(ctx, where, got.value, ignored)
}

/** Returns the address of the page with a person's accounts, to which they also return. */
const pageOf = (ctx: Ctx, projectId: number): string =>
  `${ctx.settings.publicUrl}/settings/social?project_id=${projectId}`

/** Stores the project's profile and returns its id at the provider. If another call stored one first, it returns that one. */
const keptProfile = async (
  ctx: Ctx,
  whose: { accountId: number; projectId: number },
  made: Got<string>,
): Promise<string> => {
  const remoteId = valueOrThrow(made, 'social provider', askingOperator)
  const { accountId, projectId } = whose
  const known = ctx.db
    .select({ id: socialProfiles.id })
    .from(socialProfiles)
    .where(eq(socialProfiles.projectId, projectId))
  const { saved } = await ctx.batch({
    project: lockProject(ctx.db, projectId),
    audit: audit(ctx, {
      account: accountId,
      action: 'social.connect_begin',
      on: ['project', projectId],
      if: notExists(known),
    }),
    saved: ctx.db
      .insert(socialProfiles)
      .values({ accountId, projectId, remoteId, createdAt: ctx.now() })
      .onConflictDoNothing({ target: socialProfiles.projectId })
      .returning({ id: socialProfiles.id }),
  })
  if (saved.length > 0) return remoteId
  const profiles = await ctx.read(() => profileOf(ctx.db, projectId))
  return profiles[0]?.remoteId ?? remoteId
}

const connectByProvider = async (
  ctx: Ctx,
  social: Social,
  { projectId, platform, known }: { projectId: number; platform: SocialPlatform; known: string | undefined },
) => {
  const { provider } = social
  if (!provider) throw new Error('no provider')
  const account = await ctx.account()
  const name = `galley-${new URL(ctx.settings.publicUrl).host}-${projectId}`
  const profile = known ?? (await keptProfile(ctx, { accountId: account.id, projectId }, await provider.profile(name)))
  const asked = await provider.connectUrl(profile, platform, pageOf(ctx, projectId))
  const url = valueOrThrow(asked, 'social provider', askingOperator)
  const instructions = `Give the user this address: there they sign in at ${NETWORKS[platform].name} and allow posting. GET /social/accounts shows the account afterwards.`
  return waiting(url, instructions)
}

const waiting = (url: string, instructions: string) => ({
  status: 'waiting_for_user' as const,
  connect_url: url,
  message: 'The account is connected once a person opens connect_url and agrees.',
  instructions_for_agent: instructions,
})

const connectOnPage = (ctx: Ctx, projectId: number, platform: SocialPlatform) =>
  waiting(
    pageOf(ctx, projectId),
    `Give the user this address: there they sign in to this service and go on to ${NETWORKS[platform].name}. GET /social/accounts shows the account afterwards.`,
  )

/**
 * Connects an account to a project. Throws 400, 404, 403, 422 if the network refuses the credentials, 503.
 *
 * The network's own credentials connect it directly, and are proved by using them. Otherwise the answer has the address at
 * which a person connects it.
 */
export const connectAccount = async (ctx: Ctx, social: Social, input: ConnectAccountInput) => {
  const { project_id: projectId, platform, ...given } = input
  const method = methodOf(social, platform, given)
  const ignored = ignoredIn(given, social.direct[platform]?.credentials?.fields, 'body')
  const {
    results: { profiles, ids, direct },
  } = await readWithProject(ctx, projectId, {
    profiles: profileOf(ctx.db, projectId),
    ids: nextAccountId(ctx.db),
    direct: directAccountsOf(ctx.db, projectId),
  })
  if (method === 'page') return withIgnored(connectOnPage(ctx, projectId, platform), ignored)
  return method === 'provider'
    ? withIgnored(await connectByProvider(ctx, social, { projectId, platform, known: profiles[0]?.remoteId }), ignored)
    : await connectDirectly(
        ctx,
        { projectId, platform, newId: Number(ids.rows[0]?.id), known: direct },
        method,
        ignored,
      )
}
