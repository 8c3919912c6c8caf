import { type SQL, sql } from 'drizzle-orm'
import { sha256 } from '../lib/crypto.ts'
import { mintApiKey } from './api-key.ts'
import { includedCredits } from './credits.ts'
import type { Plan, Scope } from './values.ts'

/** What the operator's verbs need: a database that runs one statement, whichever driver it is. */
export type SqlRunner = <Row>(statement: SQL) => Promise<Row[]>

export type AccountRow = {
  id: number
  email: string
  plan: Plan
  project_slots: number
  active_projects: number
  article_credits: number
  outreach_pro: boolean
  suspended_at: string | null
  created_at: string
}

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

/** What an operator may set on an account; absent fields stay. */
export type AccountChanges = {
  plan?: Plan
  projects?: number
  credits?: number
  suspended?: boolean
  outreachPro?: boolean
}

/** What cannot be done as asked: no such account or key, or an email already in use. */
class AdminError extends Error {
  override readonly name = 'AdminError'
}

/** Ids are 32-bit; a larger number names nothing and must not reach a cast. */
const MAX_ID = 2_147_483_647

const ACCOUNT = sql.raw(
  'id, email, plan, project_slots, active_projects, article_credits, outreach_pro, suspended_at, created_at',
)
const KEY = sql.raw('id, account_id, name, last_four, scopes, expires_at, revoked_at, last_used_at, created_at')

/** A CTE that notes what the operator did to each row of `made`. */
const audit = (account: 'id' | 'account_id', action: string, detail: Record<string, unknown> = {}): SQL =>
  sql`, audited as (insert into audit_log (account_id, actor, action, subject, detail)
    select made.${sql.raw(account)}, 'operator', ${action}::text, ${action.split('.')[0]}::text || ':' || made.id, ${JSON.stringify(detail)}::jsonb
    from made returning id)`

/** Creates an account; defaults: plan `pro`, one project slot, no credits. Throws AdminError when the email is taken. */
export const createAccount = async (
  run: SqlRunner,
  email: string,
  changes: AccountChanges = {},
): Promise<AccountRow> => {
  const [account] = await run<AccountRow>(sql`with made as (
      insert into accounts (email, plan, project_slots, article_credits, outreach_pro, suspended_at)
      values (${email}, ${changes.plan ?? 'pro'}, ${changes.projects ?? 1}::int, ${changes.credits ?? 0}::int, ${changes.outreachPro ?? false}::boolean,
        case when ${changes.suspended ?? false}::boolean then now() end)
      on conflict (lower(email)) do nothing returning ${ACCOUNT})
    ${audit('id', 'account.create', changes)} select * from made`)
  if (!account) throw new AdminError(`An account with the email ${email} exists already.`)
  return account
}

/** An account by email or id. Throws AdminError when there is none. */
export const showAccount = async (run: SqlRunner, who: string): Promise<AccountRow> => {
  const [account] = await run<AccountRow>(
    /^\d{1,10}$/.test(who) && Number(who) <= MAX_ID
      ? sql`select ${ACCOUNT} from accounts where id = ${Number(who)}::int`
      : sql`select ${ACCOUNT} from accounts where lower(email) = lower(${who})`,
  )
  if (!account) throw new AdminError(`There is no account ${who}.`)
  return account
}

/** The credits of an account that changes to another plan: what that includes for its projects, unless it has more. */
const creditsOnPlan = ({ plan }: AccountChanges): SQL =>
  plan === undefined
    ? sql`article_credits`
    : sql`case when plan = ${plan} then article_credits else greatest(article_credits, ${includedCredits(sql`${plan}::text`)} * active_projects) end`

/** Changes what is given of an account. Throws AdminError when there is none. */
export const setAccount = async (run: SqlRunner, who: string, changes: AccountChanges): Promise<AccountRow> => {
  const { id } = await showAccount(run, who)
  const [account] = await run<AccountRow>(sql`with made as (
      update accounts set plan = coalesce(${changes.plan ?? null}, plan), project_slots = coalesce(${changes.projects ?? null}::int, project_slots),
        article_credits = coalesce(${changes.credits ?? null}::int, ${creditsOnPlan(changes)}),
        outreach_pro = coalesce(${changes.outreachPro ?? null}::boolean, outreach_pro),
        suspended_at = case ${changes.suspended ?? null}::boolean when true then coalesce(suspended_at, now()) when false then null else suspended_at end,
        updated_at = now()
      where id = ${id}::int returning ${ACCOUNT})
    ${audit('id', 'account.set', changes)} select * from made`)
  if (!account) throw new AdminError(`There is no account ${who}.`)
  return account
}

export type NewKey = { name: string; scopes: readonly Scope[]; expiresAt?: Date; kind?: 'live' | 'test' }

/** Issues a key. The key stands in this answer only; the database keeps its hash and last four characters. */
export const createKey = async (run: SqlRunner, who: string, given: NewKey): Promise<{ key: string; row: KeyRow }> => {
  const { id } = await showAccount(run, who)
  const key = mintApiKey(given.kind ?? 'live', (bytes) => crypto.getRandomValues(bytes))
  const [row] = await run<KeyRow>(sql`with made as (
      insert into api_keys (account_id, name, key_hash, last_four, scopes, expires_at)
      values (${id}::int, ${given.name}, ${await sha256(key)}, ${key.slice(-4)}, ${sql.param([...given.scopes])}::text[],
        ${given.expiresAt?.toISOString() ?? null}::timestamptz) returning ${KEY})
    ${audit('account_id', 'key.create', { scopes: given.scopes })} select * from made`)
  if (!row) throw new AdminError('The key could not be stored.')
  return { key, row }
}

/** The keys of an account, oldest first, revoked ones included. */
export const listKeys = async (run: SqlRunner, who: string): Promise<KeyRow[]> => {
  const { id } = await showAccount(run, who)
  return await run<KeyRow>(sql`select ${KEY} from api_keys where account_id = ${id}::int order by id`)
}

/** Revokes a key at once and everywhere. Throws AdminError when there is no such key, or not of the account given. */
export const revokeKey = async (run: SqlRunner, keyId: number, who?: string): Promise<KeyRow> => {
  const owner = who === undefined ? null : (await showAccount(run, who)).id
  const [row] = await run<KeyRow>(sql`with made as (
      update api_keys set revoked_at = coalesce(revoked_at, now())
      where id = ${keyId}::int and account_id = coalesce(${owner}::int, account_id) returning ${KEY})
    ${audit('account_id', 'key.revoke')} select * from made`)
  if (!row) throw new AdminError(`There is no key ${keyId}${who === undefined ? '' : ` of account ${who}`}.`)
  return row
}
