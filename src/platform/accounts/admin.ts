import { and, eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/neon-http'
import { accounts, apiKeys } from '../../../schema/accounts.ts'
import type { Plan, Scope } from '../../../schema/values/accounts.ts'
import type { SqlRunner } from '../db/client.ts'
import { insertWhere, withAudit } from '../db/writes.ts'
import { sha256 } from '../lib/crypto.ts'
import { mintApiKey } from './api-key.ts'
import { creditsOnPlan, forgetGrants } from './parts.ts'
import { includedCredits } from './plans.ts'

/** Account as an operator sees it. Times are as PostgreSQL writes them. */
export type AccountRow = {
  id: number
  email: string
  plan: Plan
  project_slots: number
  active_projects: number
  article_credits: number
  outreach_pro: boolean
  outreach_beta: boolean
  suspended_at: string | null
  created_at: string
}

/** API key as an operator sees it, without the key itself. */
export type KeyRow = {
  id: number
  account_id: number
  name: string
  last_four: string
  scopes: Scope[]
  expires_at: string | null
  revoked_at: string | null
  last_used_at: string | null
  created_at: string
}

/** Fields of an account that an operator may set. Absent fields keep their value. */
export type AccountChanges = {
  plan?: Plan
  projects?: number
  credits?: number
  suspended?: boolean
  outreachPro?: boolean
  outreachBeta?: boolean
}

/** Thrown if a command cannot be done: no such account or key, or an email already in use. */
class AdminError extends Error {
  override readonly name = 'AdminError'
}

/** Largest id. A larger number matches no row, and would fail in a cast. */
const MAX_ID = 2_147_483_647

const ACCOUNT = {
  id: accounts.id,
  email: accounts.email,
  plan: accounts.plan,
  project_slots: accounts.projectSlots,
  active_projects: accounts.activeProjects,
  article_credits: accounts.articleCredits,
  outreach_pro: accounts.outreachPro,
  outreach_beta: accounts.outreachBeta,
  suspended_at: accounts.suspendedAt,
  created_at: accounts.createdAt,
}
const KEY = {
  id: apiKeys.id,
  account_id: apiKeys.accountId,
  name: apiKeys.name,
  last_four: apiKeys.lastFour,
  scopes: apiKeys.scopes,
  expires_at: apiKeys.expiresAt,
  revoked_at: apiKeys.revokedAt,
  last_used_at: apiKeys.lastUsedAt,
  created_at: apiKeys.createdAt,
}

const NOW = sql`now()`
const OPERATOR = { actor: () => 'operator', now: () => NOW }

/** Only builds statements; the operator's runner sends them. */
const db = drizzle.mock()
const MADE_ID = sql`made.id`

/** Creates an account. Defaults: plan `pro`, one project slot, no credits. Throws AdminError if the email is taken. */
export const createAccount = async (
  run: SqlRunner,
  email: string,
  changes: AccountChanges = {},
): Promise<AccountRow> => {
  const plan = changes.plan ?? 'pro'
  const row = {
    email,
    plan,
    projectSlots: changes.projects ?? 1,
    articleCredits: changes.credits ?? 0,
    creditsFilledTo: includedCredits(sql`${plan}::text`),
    outreachPro: changes.outreachPro ?? false,
    outreachBeta: changes.outreachBeta ?? true,
    suspendedAt: changes.suspended ? NOW : null,
  }
  const made = insertWhere(accounts, row, {
    if: 'always',
    onConflict: sql`(lower(${sql.identifier(accounts.email.name)})) do nothing`,
    returning: ACCOUNT,
  })
  const entry = { account: MADE_ID, action: 'account.create', on: ['account', MADE_ID], detail: changes } as const
  const [account] = await run<AccountRow>(withAudit(OPERATOR, made, entry))
  if (!account) throw new AdminError(`An account with the email ${email} exists already.`)
  return account
}

/** Returns an account by email or id. Throws AdminError if it does not exist. */
export const showAccount = async (run: SqlRunner, who: string): Promise<AccountRow> => {
  const isId = /^\d{1,10}$/.test(who) && Number(who) <= MAX_ID
  const isNamed = isId ? eq(accounts.id, Number(who)) : sql`lower(${accounts.email}) = lower(${who})`
  const [account] = await run<AccountRow>(db.select(ACCOUNT).from(accounts).where(isNamed).getSQL())
  if (!account) throw new AdminError(`There is no account ${who}.`)
  return account
}

/** Returns the columns to change. Fields that are not given keep their value. */
const columnsFor = ({ plan, projects, credits, outreachPro, outreachBeta, suspended }: AccountChanges) => {
  return {
    ...(plan === undefined ? {} : { plan, ...creditsOnPlan(plan) }),
    ...(projects === undefined ? {} : { projectSlots: projects }),
    ...(credits === undefined ? {} : { articleCredits: credits }),
    ...(outreachPro === undefined ? {} : { outreachPro }),
    ...(outreachBeta === undefined ? {} : { outreachBeta }),
    ...(suspended === undefined
      ? {}
      : { suspendedAt: suspended ? sql`coalesce(${accounts.suspendedAt}, now())` : null }),
    updatedAt: NOW,
  }
}

/** Changes the given fields of an account. Throws AdminError if it does not exist. */
export const setAccount = async (run: SqlRunner, who: string, changes: AccountChanges): Promise<AccountRow> => {
  const { id } = await showAccount(run, who)
  const made = db.update(accounts).set(columnsFor(changes)).where(eq(accounts.id, id)).returning(ACCOUNT)
  const entry = { account: MADE_ID, action: 'account.set', on: ['account', MADE_ID], detail: changes } as const
  const [account] = await run<AccountRow>(withAudit(OPERATOR, made, entry))
  if (!account) throw new AdminError(`There is no account ${who}.`)
  return account
}

/** API key to create. `kind` defaults to `live`; without `expiresAt` the key does not expire. */
export type NewKey = { name: string; scopes: readonly Scope[]; expiresAt?: Date; kind?: 'live' | 'test' }

/** Creates an API key. Only this result contains the key; the database stores its hash and last four characters. */
export const createKey = async (run: SqlRunner, who: string, given: NewKey): Promise<{ key: string; row: KeyRow }> => {
  const { id } = await showAccount(run, who)
  const key = mintApiKey(given.kind ?? 'live', (bytes) => crypto.getRandomValues(bytes))
  const row = {
    accountId: id,
    name: given.name,
    keyHash: await sha256(key),
    lastFour: key.slice(-4),
    scopes: [...given.scopes],
    expiresAt: given.expiresAt ?? null,
  }
  const made = insertWhere(apiKeys, row, { if: 'always', returning: KEY })
  const entry = { account: id, action: 'key.create', on: ['key', MADE_ID], detail: { scopes: given.scopes } } as const
  const [stored] = await run<KeyRow>(withAudit(OPERATOR, made, entry))
  if (!stored) throw new AdminError('The key could not be stored.')
  return { key, row: stored }
}

/** Returns the keys of an account, oldest first, revoked ones included. */
export const listKeys = async (run: SqlRunner, who: string): Promise<KeyRow[]> => {
  const { id } = await showAccount(run, who)
  return await run<KeyRow>(db.select(KEY).from(apiKeys).where(eq(apiKeys.accountId, id)).orderBy(apiKeys.id).getSQL())
}

/**
 * Returns the id of the account's key with a name: the one that is not revoked, else the newest.
 *
 * Throws AdminError if no key has the name, or if several that are not revoked do.
 */
const keyNamed = async (run: SqlRunner, name: string, who: string): Promise<number> => {
  const named = (await listKeys(run, who)).filter((key) => key.name === name)
  const open = named.filter((key) => key.revoked_at === null)
  const key = open[0] ?? named.at(-1)
  if (!key) throw new AdminError(`There is no key "${name}" of account ${who}.`)
  if (open.length > 1)
    throw new AdminError(
      `Account ${who} has ${open.length} keys named "${name}": name one by its number, ${open.map(({ id }) => id).join(' or ')}.`,
    )
  return key.id
}

/**
 * Revokes a key immediately, by its id, or by its name in the account `who`.
 *
 * Throws AdminError if there is no such key, or if it is not the account's.
 */
export const revokeKey = async (run: SqlRunner, key: number | string, who?: string): Promise<KeyRow> => {
  const owner = who === undefined ? null : (await showAccount(run, who)).id
  const keyId = typeof key === 'number' ? key : await keyNamed(run, key, who ?? '')
  const made = db
    .update(apiKeys)
    .set({ revokedAt: sql`coalesce(${apiKeys.revokedAt}, now())` })
    .where(and(eq(apiKeys.id, keyId), owner === null ? undefined : eq(apiKeys.accountId, owner)))
    .returning(KEY)
  const entry = { account: sql`made.account_id`, action: 'key.revoke', on: ['key', MADE_ID] } as const
  const [row] = await run<KeyRow>(withAudit(OPERATOR, made, entry, forgetGrants(db, sql`select id from made`)))
  if (!row) throw new AdminError(`There is no key ${keyId}${who === undefined ? '' : ` of account ${who}`}.`)
  return row
}
