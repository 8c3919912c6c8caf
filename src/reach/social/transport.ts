import { and, eq, exists, isNotNull, or, sql } from 'drizzle-orm'
import { socialAccounts } from '../../../schema/social.ts'
import { audit } from '../../platform/db/writes.ts'
import { type KeyRing, seal, unseal } from '../../platform/lib/crypto.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { DirectAccount, FindOutcome, OutgoingPost, SendOutcome, Session, Social } from './port.ts'
import { directAccountToUse, type PostToSend } from './queries.ts'
import { NETWORKS, outgoingText } from './rules.ts'

/** End of an account by its network: the reason, and the sealed secrets that the network refused. */
type Ended = { reason: string; sealedSecrets: string }

/**
 * Disconnects an account and deletes its secrets. `ended` is set if the network ended it.
 *
 * Returns false if it was disconnected before, or connected again with other secrets since.
 */
export const forgetAccount = async (ctx: Ctx, accountId: number, id: number, ended?: Ended): Promise<boolean> => {
  const isActive = eq(socialAccounts.status, 'Active')
  const which = and(
    eq(socialAccounts.id, id),
    eq(socialAccounts.accountId, accountId),
    // A person may also remove an account that has lapsed.
    ended
      ? and(isActive, eq(socialAccounts.sealedSecrets, ended.sealedSecrets))
      : or(isActive, isNotNull(socialAccounts.lapsedReason)),
  )
  const found = () => ctx.db.select({ id: socialAccounts.id }).from(socialAccounts).where(which)
  const { active } = await ctx.batch({
    active: found().for('no key update'),
    audit: audit(ctx, {
      account: accountId,
      action: 'social.disconnect',
      on: ['social_account', id],
      ...(ended && { detail: { reason: ended.reason } }),
      if: exists(found()),
    }),
    changedSocialAccounts: ctx.db
      .update(socialAccounts)
      .set({
        status: 'Disconnected',
        sealedSecrets: '',
        sealedSession: null,
        lapsedReason: ended?.reason ?? null,
        updatedAt: ctx.now(),
      })
      .where(which),
  })
  return active.length > 0
}

/** Transport of one post to its network. */
export type Transport = { send: () => Promise<SendOutcome>; find?: () => Promise<FindOutcome> }

const outgoing = (post: PostToSend, accountId: string): OutgoingPost => ({
  key: post.sendKey,
  platform: post.platform,
  accountId,
  text: outgoingText(post.platform, post),
  link: post.link,
  media: post.mediaFiles,
  options: post.options,
  askedAt: post.createdAt,
  remoteId: post.remoteId,
})

type Row = Awaited<ReturnType<typeof directAccountToUse>>[number]

/** Returns the opened secrets or tokens of a direct account. */
export const openSealed = async (ring: KeyRing, id: number, sealed: string): Promise<Record<string, string>> =>
  JSON.parse(await unseal(ring, sealed, `social_account:${id}`)) as Record<string, string>

/** Returns the number in the id of a direct account, as callers name it. */
const numberIn = (id: string): number => Number(id.slice('acc_'.length))

/**
 * Returns a direct account with its secrets opened. Its tokens are read each time, because another run may have renewed them.
 */
const openAccount = async (ctx: Ctx, projectId: number, row: Row): Promise<DirectAccount> => {
  const { secretsKeys } = ctx.settings
  let read = row.sealedSession
  return {
    remoteId: row.remoteId,
    username: row.username,
    url: row.url,
    secrets: await openSealed(secretsKeys, row.id, row.sealedSecrets),
    session: async (): Promise<Session | null> => {
      const rows = await ctx.read(() => directAccountToUse(ctx.db, projectId, row.id))
      read = rows[0]?.sealedSession ?? null
      // Tokens that cannot be opened count as missing, so the account signs in again.
      return read === null ? null : await openSealed(secretsKeys, row.id, read).catch(() => null)
    },
    keepSession: async (session) => {
      const sealed = await seal(secretsKeys, JSON.stringify(session), `social_account:${row.id}`)
      // Another run may have stored newer tokens, or the account was disconnected.
      const isAsRead = sql`${socialAccounts.sealedSession} is not distinct from ${read}::text`
      const { saved } = await ctx.batch(
        {
          saved: ctx.db
            .update(socialAccounts)
            .set({ sealedSession: sealed })
            .where(and(eq(socialAccounts.id, row.id), eq(socialAccounts.status, 'Active'), isAsRead))
            .returning({ id: socialAccounts.id }),
        },
        { unaudited: 'tokens of the same account, as the network renews them' },
      )
      if (saved.length > 0) read = sealed
    },
    end: async (reason) => {
      await forgetAccount(ctx, row.accountId, row.id, { reason, sealedSecrets: row.sealedSecrets })
    },
  }
}

/** Returns a direct account of a project; undefined if it was disconnected. */
export const directAccount = async (ctx: Ctx, projectId: number, id: string): Promise<DirectAccount | undefined> => {
  const rows = await ctx.read(() => directAccountToUse(ctx.db, projectId, numberIn(id)))
  return rows[0] && (await openAccount(ctx, projectId, rows[0]))
}

/** Returns the transport of a post to its network, or a sentence on why there is none. */
export const transportOf = async (ctx: Ctx, social: Social, post: PostToSend): Promise<Transport | string> => {
  const { name } = NETWORKS[post.platform]
  if (post.route === 'provider') {
    const { provider } = social
    if (!provider) return 'This installation has no social provider any more.'
    const out = outgoing(post, post.socialAccountId)
    return { send: () => provider.send(out), find: () => provider.find(out) }
  }
  const direct = social.direct[post.platform]
  const account = await directAccount(ctx, post.projectId, post.socialAccountId)
  if (!account || !direct) return `The ${name} account was disconnected.`
  const out = outgoing(post, account.remoteId)
  const { find } = direct
  return { send: () => direct.send(account, out), ...(find ? { find: () => find(account, out) } : {}) }
}
