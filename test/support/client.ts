import { randomBytes } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import { neonRunner } from '../../local/database.ts'
import type { Scope } from '../../schema/values/accounts.ts'
import { type AccountChanges, createAccount, createKey } from '../../src/platform/accounts/admin.ts'
import { mintApiKey } from '../../src/platform/accounts/api-key.ts'
import type { SqlRunner } from '../../src/platform/db/client.ts'
import { sha256 } from '../../src/platform/lib/crypto.ts'
import { checkAnswer } from './answers.ts'
import { PATIENCE_MS } from './patience.ts'
import { sendLarge } from './send.ts'

/** Answer from the wire. */
export type Answer = { status: number; headers: Headers; body: Record<string, unknown>; text: string }

type CallOptions = {
  body?: unknown
  /** Sent unchanged instead of `body`. */
  raw?: string | Uint8Array | ReadableStream<Uint8Array>
  headers?: Record<string, string>
  /** `null` sends no Authorization header. */
  key?: string | null
}

export type Api = {
  key: string
  accountId: number
  call: (method: string, path: string, options?: CallOptions) => Promise<Answer>
  get: (path: string, options?: CallOptions) => Promise<Answer>
  post: (path: string, body?: unknown, options?: CallOptions) => Promise<Answer>
  put: (path: string, body?: unknown, options?: CallOptions) => Promise<Answer>
  del: (path: string, options?: CallOptions) => Promise<Answer>
}

export type Target = { url: string; neonUrl: string; connectionString: string }

const parse = (text: string): Record<string, unknown> => {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return {}
  }
}

/** Bodies from here on may be refused before they are sent. */
const LARGE = 256 * 1024

/** Returns an address of its own per account, so that refusals of one test never use up the allowance of another. */
const randomAddress = (): string => `198.18.${randomBytes(1)[0]}.${randomBytes(1)[0]}-${randomBytes(4).toString('hex')}`

/** Returns a client of `/api/v1` that sends one key. */
export const clientOf = (url: string, key: string, accountId: number): Api => {
  const address = randomAddress()
  const call: Api['call'] = async (method, path, { body, raw, headers = {}, key: other } = {}) => {
    const presented = other === undefined ? key : other
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const sent = {
      'cf-connecting-ip': address,
      ...(presented === null ? {} : { authorization: `Bearer ${presented}` }),
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    }
    const to = `${url}/api/v1${path}`
    const response =
      payload !== undefined && (payload instanceof ReadableStream || payload.length > LARGE)
        ? await sendLarge(to, { method, headers: sent, body: payload })
        : await fetch(to, { method, headers: sent, ...(payload === undefined ? {} : { body: payload as string }) })
    const text = await response.text()
    checkAnswer(method, path, response.status, text, response.headers)
    return { status: response.status, headers: response.headers, body: parse(text), text }
  }
  return {
    key,
    accountId,
    call,
    get: (path, options) => call('GET', path, options),
    post: (path, body, options) => call('POST', path, { ...options, body }),
    put: (path, body, options) => call('PUT', path, { ...options, body }),
    del: (path, options) => call('DELETE', path, options),
  }
}

export const runnerOf = (target: Target): SqlRunner => neonRunner(target.connectionString, target.neonUrl, PATIENCE_MS)

/** Runs one statement on the stack's database; its rows. */
export const rowsIn = <Row>(target: Target, statement: SQL): Promise<Row[]> => runnerOf(target)<Row>(statement)

type Made = { key: string; accountId: number }

/**
 * Accounts made in advance, by database and scopes. Most tests take one, and making them singly would cost more than
 * the tests.
 */
const ahead = new Map<string, Promise<Made[]>>()
const AT_ONCE = 16

/** Makes accounts with a key each in one statement, with the same rows as createAccount and createKey. */
const makeAccounts = async (target: Target, scopes: readonly Scope[]): Promise<Made[]> => {
  const keys = Array.from({ length: AT_ONCE }, () => mintApiKey('test', (bytes) => crypto.getRandomValues(bytes)))
  const given = await Promise.all(
    keys.map(async (key) => ({
      email: `${randomBytes(8).toString('hex')}@test.example`,
      hash: await sha256(key),
      last_four: key.slice(-4),
    })),
  )
  const rows = await rowsIn<{ hash: string; id: number }>(
    target,
    sql`with given as (
        select g.* from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g(email text, hash text, last_four text)
      ), made as (
        insert into accounts (email, plan, project_slots) select email, 'pro', 20 from given returning id, email
      ), keyed as (
        insert into api_keys (account_id, name, key_hash, last_four, scopes)
        select made.id, 'test', given.hash, given.last_four, ${sql.param([...scopes])}::text[]
        from made join given using (email) returning id, account_id, key_hash
      ), audited as (
        insert into audit_log (account_id, actor, action, subject, detail)
        select id, 'operator', 'account.create', 'account:' || id, '{"plan": "pro", "projects": 20}'::jsonb from made
        union all
        select account_id, 'operator', 'key.create', 'key:' || id, ${JSON.stringify({ scopes })}::jsonb from keyed
      )
      select key_hash as hash, account_id as id from keyed`,
  )
  const ids = new Map(rows.map(({ hash, id }) => [hash, Number(id)]))
  return keys.map((key, n) => ({ key, accountId: ids.get(given[n]?.hash ?? '') ?? 0 }))
}

const takeAccount = async (target: Target, scopes: readonly Scope[]): Promise<Made> => {
  const place = `${target.neonUrl} ${scopes.join()}`
  for (;;) {
    const made = ahead.get(place)
    const taken = (await made?.catch(() => []))?.pop()
    if (taken) return taken
    if (ahead.get(place) !== made) continue
    const next = makeAccounts(target, scopes)
    ahead.set(place, next)
    await next
  }
}

/** Forgets the accounts made ahead in a database that is closed. */
export const forgetAccounts = (neonUrl: string): void => {
  for (const place of ahead.keys()) if (place.startsWith(`${neonUrl} `)) ahead.delete(place)
}

/** Further keys of an account, in one statement; each has a rate allowance of its own. */
export const makeKeys = async (
  target: Target,
  accountId: number,
  count: number,
  scopes: readonly Scope[] = ['read', 'write'],
): Promise<string[]> => {
  const made = Array.from({ length: count }, () => mintApiKey('test', (bytes) => crypto.getRandomValues(bytes)))
  const hashes = await Promise.all(made.map(sha256))
  await rowsIn(
    target,
    sql`insert into api_keys (account_id, name, key_hash, last_four, scopes)
      select ${accountId}::int, 'further', hash, 'test', ${sql.param([...scopes])}::text[] from unnest(${sql.param(hashes)}::text[]) hash`,
  )
  return made
}

/** Returns a new account with a key, and a client that uses it. Defaults: plan pro, 20 project slots. */
export const newAccount = async (
  target: Target,
  changes: AccountChanges = {},
  scopes: readonly Scope[] = ['read', 'write'],
): Promise<Api> => {
  if (Object.keys(changes).length === 0) {
    const { key, accountId } = await takeAccount(target, scopes)
    return clientOf(target.url, key, accountId)
  }
  const run = runnerOf(target)
  const email = `${randomBytes(8).toString('hex')}@test.example`
  const account = await createAccount(run, email, { plan: 'pro', projects: 20, ...changes })
  const { key } = await createKey(run, email, { name: 'test', scopes, kind: 'test' })
  return clientOf(target.url, key, Number(account.id))
}

/** Another key of the same account, with a rate allowance of its own. */
export const anotherKey = async (
  target: Target,
  api: Api,
  scopes: readonly Scope[] = ['read', 'write'],
): Promise<Api> => {
  const { key } = await createKey(runnerOf(target), String(api.accountId), { name: 'another', scopes, kind: 'test' })
  return clientOf(target.url, key, api.accountId)
}

/** Returns a project of the account; its id. Every call makes another website. */
export const newProject = async (api: Api, settings: Record<string, unknown> = {}): Promise<number> => {
  const { status, body, text } = await api.post('/projects', {
    website_url: `https://${randomBytes(6).toString('hex')}.example`,
    // The default is a minute of the project; tests of dates need one that they know.
    publish_time: '09:00',
    ...settings,
  })
  if (status !== 201) throw new Error(`POST /projects: ${status} ${text}`)
  return body.project_id as number
}

/** Connects a receiver to a project; the answer's body. */
export const connectReceiver = async (
  api: Api,
  projectId: number,
  receiverUrl: string,
  token: string,
): Promise<Record<string, unknown>> => {
  const { status, body, text } = await api.post(`/projects/${projectId}/integrations`, {
    platform: 'webhook',
    url: `${receiverUrl}/webhook`,
    access_token: token,
  })
  if (status !== 201) throw new Error(`POST /projects/:id/integrations: ${status} ${text}`)
  return body
}

/** Saves an article; its id. */
export const newArticle = async (
  api: Api,
  projectId: number,
  fields: Record<string, unknown> = {},
): Promise<number> => {
  const { status, body, text } = await api.post('/articles', {
    project_id: projectId,
    keyword: `keyword ${randomBytes(4).toString('hex')}`,
    content: '<h2>A heading</h2><p>Some words that are worth reading.</p>',
    ...fields,
  })
  if (status !== 201) throw new Error(`POST /articles: ${status} ${text}`)
  return body.article_id as number
}

/** Sets the misbehaviour of a local service (`/_faults`, `/_delivery_faults`, `/_control`, …). Returns its answer. */
export const tell = async (url: string, path: string, body?: unknown): Promise<Record<string, unknown>> => {
  const response = await fetch(
    `${url}${path}`,
    body === undefined
      ? { method: 'DELETE' }
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
  )
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return parse(await response.text())
}
