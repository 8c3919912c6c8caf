import { type SQL, sql } from 'drizzle-orm'
import { signDelivery } from '../../local/qstash/signature.ts'
import type { Delivery } from '../../local/receiver/deliveries.ts'
import { type RunningReceiver, startReceiver } from '../../local/receiver/server.ts'
import {
  type Answer,
  type Api,
  anotherKey,
  connectReceiver,
  newAccount,
  newArticle,
  newProject,
  rowsIn,
  type Target,
  tell,
} from '../support/client.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { type TestStack, targetOf } from '../support/stack.ts'

/** Access to a stack for these tests. The shared stack can be used directly. */
export type StackAccess = Target & { qstashUrl: string; redisUrl: string; cronUrl: string }

/** Returns a stack of the test's own; the cron's address changes with every restart. */
export const accessOf = (stack: TestStack): StackAccess => ({
  ...targetOf(stack),
  qstashUrl: stack.qstash.url,
  redisUrl: stack.redis.url,
  get cronUrl() {
    return stack.workers().cronUrl
  },
})

export type Post = {
  article_id: string
  slug: string
  title: string
  status: string
  content_html: string
  url: string
}

/** An account with a project and a receiver of its own, so that one test's moods never meet another's. */
export type Scene = {
  access: StackAccess
  api: Api
  projectId: number
  receiver: RunningReceiver
  token: string
  integration: Record<string, unknown>
  /** Makes the receiver misbehave. */
  mood: (control: Record<string, unknown>) => Promise<void>
  deliveries: (articleId?: number) => Promise<Delivery[]>
  posts: () => Promise<Post[]>
  article: (id: number) => Promise<Record<string, unknown>>
  publish: (id: number) => Promise<Answer>
  rows: <Row>(statement: SQL) => Promise<Row[]>
}

const TOKEN = 'scene-receiver-token'
const CALLS_PER_KEY = 5

/** Returns a client that changes its key before it reaches the rate limit, even if many calls run at once. */
const tireless = (access: StackAccess, first: Api): Api => {
  let calls = 0
  let current = Promise.resolve(first)
  const call: Api['call'] = async (...given) => {
    calls += 1
    if (calls % CALLS_PER_KEY === 0) current = anotherKey(access, first)
    return await (await current).call(...given)
  }
  return {
    key: first.key,
    accountId: first.accountId,
    call,
    get: (path, options) => call('GET', path, options),
    post: (path, body, options) => call('POST', path, { ...options, body }),
    put: (path, body, options) => call('PUT', path, { ...options, body }),
    del: (path, options) => call('DELETE', path, options),
  }
}

/** Returns a new account with a client that never reaches a rate limit. */
export const tirelessAccount = async (access: StackAccess): Promise<Api> => tireless(access, await newAccount(access))

const readJson = async <T>(url: string): Promise<T> => (await (await fetch(url)).json()) as T

/** Opens a scene; `settings` are the project's. */
export const openScene = async (access: StackAccess, settings: Record<string, unknown> = {}): Promise<Scene> => {
  const receiver = await startReceiver({ port: 0, token: TOKEN })
  const api = await tirelessAccount(access)
  const projectId = await newProject(api, settings)
  const integration = await connectReceiver(api, projectId, receiver.url, TOKEN)
  return {
    access,
    api,
    projectId,
    receiver,
    token: TOKEN,
    integration,
    mood: async (control) => {
      await tell(receiver.url, '/_control', control)
    },
    deliveries: async (articleId) => {
      const query = articleId === undefined ? '' : `?article_id=${articleId}`
      return (await readJson<{ deliveries: Delivery[] }>(`${receiver.url}/api/deliveries${query}`)).deliveries
    },
    posts: async () => (await readJson<{ posts: Post[] }>(`${receiver.url}/api/posts`)).posts,
    article: async (id) => (await api.get(`/articles/${id}`)).body,
    publish: (id) => api.post(`/articles/${id}/publish`),
    rows: (statement) => rowsIn(access, statement),
  }
}

/** Returns an article of the scene's project. */
export const write = (scene: Scene, fields: Record<string, unknown> = {}): Promise<number> =>
  newArticle(scene.api, scene.projectId, fields)

/** Fires the minute's cron and waits for its end. */
export const cron = async (access: StackAccess): Promise<void> => {
  const response = await fetch(access.cronUrl)
  const text = await response.text()
  if (!response.ok) throw new Error(`the cron failed: ${text}`)
}

/** Waits until the receiver has had so many requests for the article. */
export const awaitDeliveries = async (scene: Scene, articleId: number, count: number): Promise<void> => {
  const query = `deliveries=${count}&article_id=${articleId}&timeout_ms=${PATIENCE_MS}`
  const response = await fetch(`${scene.receiver.url}/_wait?${query}`)
  const text = await response.text()
  if (!response.ok) throw new Error(`waited for ${count} deliveries: ${text}`)
}

/**
 * Waits until the queue has nothing due and nothing in flight. With `early`, it first sends all messages that wait for
 * their time.
 */
export const flush = async (access: StackAccess, early = false): Promise<void> => {
  await tell(access.qstashUrl, '/_flush', early ? { run_delayed: true } : {})
}

const KEYS = { current: 'sig_local_current_key', next: 'sig_local_next_key' }

export type Message = {
  key?: keyof typeof KEYS | undefined
  signedAt?: number
  url?: string
  signature?: string | null
}

/** Calls the executor as QStash would. */
export const callExecutor = async (access: StackAccess, body: string, message: Message = {}): Promise<Answer> => {
  const { key = 'current', signedAt = Date.now(), url = `${access.url}/jobs/run`, signature } = message
  const signed = signature === undefined ? signDelivery(KEYS[key], url, Buffer.from(body), signedAt) : signature
  const response = await fetch(`${access.url}/jobs/run`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(signed === null ? {} : { 'upstash-signature': signed }) },
    body,
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: JSON.parse(text || '{}') as Record<string, unknown>,
    text,
  }
}

/**
 * Runs a row whose earlier runs all ended without reporting, as if each had killed its process. The queue may run it
 * first.
 */
export const runAfterDeaths = async (access: StackAccess, key: string): Promise<void> => {
  const [row] = await rowsIn<{ id: string }>(
    access,
    sql`update outbox set done_at = null, lost_runs = 4, lease_until = now() - interval '1 second' where key = ${key} returning id`,
  )
  await callExecutor(access, JSON.stringify({ outbox_id: Number(row?.id) }))
}

export type DeliveryRow = {
  id: number
  status: string
  attempts: number
  idempotency_key: string
  error: string | null
}

/** Returns the deliveries the database has of an article, oldest first. */
export const deliveriesOf = (scene: Scene, articleId: number): Promise<DeliveryRow[]> =>
  scene.rows<DeliveryRow>(
    sql`select id, status, attempts, idempotency_key, error from deliveries where article_id = ${articleId}::int order by id`,
  )

/** Leases of an attempt that is under way: table, and the column with the end of its lease. */
const LEASES = [
  ['deliveries', 'lease_until'],
  ['articles', 'publish_lease_until'],
  ['projects', 'publishing_until'],
] as const

type Held = { table: string; id: number; until: string }

/** Account whose leases and waits can be ended. */
export type Clocked = Pick<Scene, 'access' | 'api' | 'rows'>

const heldBy = async (scene: Clocked): Promise<Held[]> => {
  const mine = sql`account_id = ${scene.api.accountId}::int`
  const of = ([table, column]: (typeof LEASES)[number]): SQL =>
    sql`select ${table}::text as "table", id, ${sql.identifier(column)}::text as until
      from ${sql.identifier(table)} where ${mine} and ${sql.identifier(column)} is not null`
  return await scene.rows<Held>(sql.join(LEASES.map(of), sql` union all `))
}

const endLeases = async (scene: Clocked, held: readonly Held[]): Promise<void> => {
  for (const [table, column] of LEASES) {
    const name = sql.identifier(column)
    for (const { id, until } of held.filter((h) => h.table === table))
      await scene.rows(sql`update ${sql.identifier(table)} set ${name} = least(${name}, now() - interval '1 second')
        where id = ${id}::int and ${name} = ${until}::timestamptz`)
  }
}

const endOtherWaits = async (scene: Clocked): Promise<void> => {
  const mine = sql`account_id = ${scene.api.accountId}::int`
  await scene.rows(sql`update deliveries set next_attempt_at = least(next_attempt_at, now() - interval '1 second')
    where ${mine} and status in ('sending', 'retrying', 'unknown')`)
  await scene.rows(
    sql`update accounts set publish_minute = publish_minute - interval '1 minute' where id = ${scene.api.accountId}::int`,
  )
  await scene.rows(sql`update outbox set run_at = least(run_at, now() - interval '5 minutes'), lease_until = null,
      offered_at = least(offered_at, now() - interval '2 hours')
    where ${mine} and done_at is null and dead_at is null`)
}

/** Makes every lease and wait of the account end now, as if the time had passed; also the lease of an attempt under way. */
export const passTime = async (scene: Scene): Promise<void> => {
  await endLeases(scene, await heldBy(scene))
  await endOtherWaits(scene)
}

/**
 * Does the same as `passTime`, but running attempts keep their leases, as in production, where a lease outlasts every attempt.
 *
 * A lease that remains after the queue came to rest belongs to no living process.
 */
export const passTimeAtRest = async (scene: Clocked): Promise<void> => {
  const held = await heldBy(scene)
  await flush(scene.access)
  await endLeases(scene, held)
  await endOtherWaits(scene)
}

/** Runs the job of an article's open delivery now, as the queue would when its time has come, and waits for its end. */
export const wake = async (scene: Scene, articleId: number): Promise<void> => {
  const [row] = await scene.rows<{
    id: string
  }>(sql`select o.id from outbox o join deliveries d on o.key = 'deliver:' || d.id
    where d.article_id = ${articleId}::int and o.done_at is null and o.dead_at is null order by o.id desc limit 1`)
  if (!row) throw new Error(`no delivery of article ${articleId} waits`)
  await passTime(scene)
  const answer = await callExecutor(scene.access, JSON.stringify({ outbox_id: Number(row.id) }))
  if (answer.status !== 200) throw new Error(`the job: ${answer.status} ${answer.text}`)
  // A sweep at the same moment may have given the row to the queue, and then it runs there.
  await flush(scene.access)
}

const openWork = async (scene: Scene): Promise<number> => {
  const [row] = await scene.rows<{ open: string }>(sql`select
      (select count(*) from deliveries where account_id = ${scene.api.accountId}::int and status in ('sending', 'retrying', 'unknown'))
    + (select count(*) from outbox where account_id = ${scene.api.accountId}::int and done_at is null and dead_at is null)
    + (select count(*) from articles where account_id = ${scene.api.accountId}::int and status = 'Planned' and scheduled_at <= now()
        and publish_state in ('idle', 'publishing')) as open`)
  return Number(row?.open ?? 0)
}

const ROUNDS = 12

/** Lets time pass, with cron and queue, until the account has no open work. Throws if nothing changes any more. */
export const heal = async (scene: Scene): Promise<void> => {
  let least = Number.POSITIVE_INFINITY
  for (let idle = 0; idle < ROUNDS; idle += 1) {
    await passTimeAtRest(scene)
    await cron(scene.access)
    await flush(scene.access, true)
    const open = await openWork(scene)
    if (open === 0) return
    if (open < least) idle = 0
    least = Math.min(least, open)
  }
  throw new Error(`work stays open: ${JSON.stringify(await stuck(scene))}`)
}

const stuck = async (scene: Scene): Promise<unknown[]> => [
  ...(await scene.rows(sql`select id, status, attempts, error, next_attempt_at, lease_until from deliveries
    where account_id = ${scene.api.accountId}::int and status in ('sending', 'retrying', 'unknown')`)),
  ...(await scene.rows(sql`select id, job, key, attempts, last_error, run_at, lease_until from outbox
    where account_id = ${scene.api.accountId}::int and done_at is null and dead_at is null`)),
]
