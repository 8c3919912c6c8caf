import { and, eq, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import { socialAccounts, socialProfiles } from '../../../schema/social.ts'
import type { SocialPlatform } from '../../../schema/values/social.ts'
import { audit } from '../../platform/db/audit.ts'
import { statement } from '../../platform/db/statement.ts'
import { insert, overwritten, update } from '../../platform/db/write-parts.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'

type NewAccount = {
  id: number
  accountId: number
  projectId: number
  platform: SocialPlatform
  remoteId: string
  name: string
  username: string
  url: string
  sealedSecrets: string
  sealedSession: string | null
  grantSub?: string
}

/**
 * Saves an account that is called directly. One that is connected already keeps its id, so that posts which wait for it go out. No
 * row: that one was disconnected meanwhile.
 */
export const saveAccount = (ctx: Ctx, account: NewAccount, answer: object): SQL => {
  const now = ctx.now()
  const { name, username, url, sealedSecrets, sealedSession, grantSub, updatedAt } = socialAccounts
  const made = insert(
    'made',
    socialAccounts,
    { ...account, grantSub: account.grantSub ?? null, createdAt: now, updatedAt: now },
    {
      onConflict: {
        columns: [socialAccounts.id],
        set: overwritten({ name, username, url, sealedSecrets, sealedSession, grantSub, updatedAt }),
        setWhere: eq(socialAccounts.status, 'Active'),
      },
      returning: { id: socialAccounts.id },
    },
  )
  return statement({
    parts: [made, ctx.keep.answer([made], answer)],
    audit: audit(ctx, {
      of: made,
      account: account.accountId,
      action: 'social.connect',
      on: ['social_account', made.c.id],
      detail: { platform: account.platform, username: account.username },
    }),
    answer: { id: made.c.id },
  })
}

/** Disconnects an account and forgets its secrets; `reason` where the network ended it. */
export const forgetAccount = (ctx: Ctx, accountId: number, id: number, reason?: string): SQL => {
  const gone = update(
    'gone',
    socialAccounts,
    {
      status: 'Disconnected',
      sealedSecrets: '',
      sealedSession: null,
      lapsedReason: reason ?? null,
      updatedAt: ctx.now(),
    },
    {
      where: sql`${and(
        eq(socialAccounts.id, id),
        eq(socialAccounts.accountId, accountId),
        // A person may also dismiss one that has lapsed.
        or(
          eq(socialAccounts.status, 'Active'),
          reason === undefined ? isNotNull(socialAccounts.lapsedReason) : undefined,
        ),
      )}`,
      returning: { id: socialAccounts.id },
    },
  )
  return statement({
    parts: [gone],
    audit: audit(ctx, {
      of: gone,
      account: accountId,
      action: 'social.disconnect',
      on: ['social_account', gone.c.id],
      ...(reason === undefined ? {} : { detail: { reason } }),
    }),
    answer: { id: gone.c.id },
  })
}

/** Keeps the tokens a network gave in place of those that were read; no row when others came meanwhile, or it was disconnected. */
export const saveSession = (id: number, read: string | null, sealed: string): SQL => {
  const saved = update(
    'saved',
    socialAccounts,
    { sealedSession: sealed },
    {
      where: sql`${and(eq(socialAccounts.id, id), eq(socialAccounts.status, 'Active'))}
        and ${socialAccounts.sealedSession} is not distinct from ${read}::text`,
      returning: { id: socialAccounts.id },
    },
  )
  return statement({
    unaudited: 'tokens of the same account, as the network renews them',
    parts: [saved],
    answer: saved.c,
  })
}

/** Keeps the profile of a project; the one that is there already stays. */
export const saveProfile = (ctx: Ctx, profile: { accountId: number; projectId: number; remoteId: string }): SQL => {
  const saved = insert(
    'saved',
    socialProfiles,
    { ...profile, createdAt: ctx.now() },
    {
      onConflict: { columns: [socialProfiles.projectId] },
      returning: { id: socialProfiles.id },
    },
  )
  return statement({
    parts: [saved],
    audit: audit(ctx, {
      of: saved,
      account: profile.accountId,
      action: 'social.connect_begin',
      on: ['project', profile.projectId],
    }),
    answer: { id: saved.c.id },
  })
}
