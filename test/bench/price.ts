import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startTestStack, type TestStack } from '../support/stack.ts'
import { type Caller, createCaller } from './caller.ts'
import { type Counting, startCounting } from './counting.ts'
import { cpuOf } from './machine.ts'
import { costOf, idleMonth, lookUpsOf, monthTotal, PRICES, sum, type Use } from './prices.ts'
import type { Findings, Line } from './report.ts'
import { type Sql, seedAccount, seedArticles, seedKeys, seedProjects, sqlOver } from './seed.ts'
import { sized } from './sizes.ts'

const CALLS = sized(80, 2)
const ARTICLES = sized(10, 2)
const MINUTES = sized(5, 1)
/** Below the lowest limit of the measured calls, 5 a minute and key. */
const CALLS_PER_KEY = 4
/** After this long nothing of a call is still under way: offers, receipts, log lines. */
const QUIET_MS = 1_500

const CONTENT = `<h2>What to check</h2><p>${'The chain wears first, then the brake pads. '.repeat(60)}</p>`

type Place = { stack: TestStack; counting: Counting; caller: Caller; sql: Sql; key: () => string; projectId: number }

const logEvents = (stack: TestStack): number =>
  readFileSync(join(stack.workDir, 'workers.log'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('"event":')).length

const quiet = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, QUIET_MS))

/** Does something several times. Returns the use of each, with all work that followed. */
const measure = async (
  { stack, counting }: Place,
  times: number,
  requests: number,
  once: (n: number) => Promise<unknown>,
): Promise<Use> => {
  await once(0)
  await quiet()
  const [before, cpu, logs] = [counting.counts(), cpuOf(stack.workers().pid), logEvents(stack)]
  for (let n = 1; n <= times; n += 1) await once(n)
  await quiet()
  const after = counting.counts()
  const each = (name: keyof typeof after): number => (after[name] - before[name]) / times
  const messages = each('messages')
  return {
    // Each message returns as a request of its own.
    requests: requests + messages,
    cpuMs: (cpuOf(stack.workers().pid) - cpu) / times,
    logEvents: (logEvents(stack) - logs) / times,
    redisCommands: each('redisCommands') + requests * lookUpsOf(CALLS_PER_KEY),
    messages,
    databaseRequests: each('databaseRequests'),
    statements: each('statements'),
    egressBytes: each('egressBytes'),
  }
}

const openPlace = async (): Promise<Place> => {
  const counting = await startCounting()
  const stack = await startTestStack({
    timeScale: 1,
    vars: {
      NEON_FETCH_ENDPOINT: `${counting.neon.url}/sql`,
      UPSTASH_REDIS_REST_URL: counting.redis.url,
      QSTASH_URL: counting.qstash.url,
      // As in production.
      CRON_REST_MINUTES: '60',
      LOG_ONE_READ_IN: '20',
    },
  })
  counting.neon.leadTo(stack.neon.url)
  counting.redis.leadTo(stack.redis.url)
  counting.qstash.leadTo(stack.qstash.url)
  const sql = sqlOver(stack.neon.url, stack.connectionString)
  const accountId = await seedAccount(sql, 'price@bench.example')
  const projectIds = await seedProjects(sql, accountId, 1)
  const keys = await seedKeys(sql, accountId, 100)
  await seedArticles(sql, { accountId, projectIds, count: 200, weeks: 17, content: CONTENT })
  let used = 0
  const key = () => {
    used += 1
    return keys[Math.floor(used / CALLS_PER_KEY) % keys.length] ?? ''
  }
  return { stack, counting, caller: createCaller(stack.url), sql, key, projectId: projectIds[0] ?? 0 }
}

const MAX_MINUTES = 60

/** Runs minutes until one makes no database request and no work waits, so that all earlier work has ended. */
const untilIdle = async ({ stack, counting, sql }: Place): Promise<void> => {
  for (let n = 0; n < MAX_MINUTES; n += 1) {
    const before = counting.counts().databaseRequests
    await stack.workers().cron()
    const waiting = await sql(`select 1 from outbox where done_at is null and dead_at is null limit 1`)
    if (counting.counts().databaseRequests === before && waiting.length === 0) return
    await quiet()
  }
  throw new Error(`no minute of ${MAX_MINUTES} was idle`)
}

const measureAll = async (place: Place): Promise<Record<string, Use>> => {
  const { caller, key, projectId, stack, sql } = place
  const [row] = await sql<{ id: number }>(`select id from articles where status = 'Published' limit 1`)
  const connect = { platform: 'webhook', url: `${stack.receiver.url}/webhook`, access_token: stack.receiverToken }
  await caller.call('POST', `/projects/${projectId}/integrations`, key(), connect)
  const create = async (n: number): Promise<number> => {
    const body = { project_id: projectId, keyword: `price ${n} ${Date.now()}`, content: CONTENT }
    return (JSON.parse((await caller.call('POST', '/articles', key(), body)).text) as { article_id: number }).article_id
  }
  const created: number[] = []
  return {
    'a list': await measure(place, CALLS, 1, () => caller.call('GET', '/articles', key())),
    'an article read': await measure(place, CALLS, 1, () => caller.call('GET', `/articles/${row?.id}`, key())),
    'an article created': await measure(place, ARTICLES, 1, async (n) => created.push(await create(n))),
    'published by hand, with its receipt': await measure(place, ARTICLES - 1, 1, async (n) =>
      caller.call('POST', `/articles/${created[n]}/publish`, key()),
    ),
    'an idle minute': await untilIdle(place).then(() => measure(place, MINUTES, 0, () => stack.workers().cron())),
  }
}

const useText = (use: Use): string =>
  [
    `${use.databaseRequests.toFixed(1)} database requests (${use.statements.toFixed(1)} statements, ${(use.egressBytes / 1024).toFixed(1)} KB)`,
    `${use.redisCommands.toFixed(1)} Redis commands`,
    `${use.messages.toFixed(1)} messages`,
    `${use.cpuMs.toFixed(1)} ms CPU`,
    `${use.logEvents.toFixed(1)} log lines`,
  ].join(', ')

const dollars = (parts: Record<string, number>): string =>
  Object.entries(parts)
    .map(([name, value]) => `${name} $${value.toFixed(2)}`)
    .join(', ')

const line = (name: string, value: number, note: string, goal?: number): Line => ({
  part: 'price',
  name,
  kind: 'size',
  value,
  unit: '$',
  ...(goal === undefined ? {} : { goal: { max: goal } }),
  note,
})

const linesOf = (uses: Record<string, Use>): Line[] => {
  const use = (name: string): Use => uses[name] as Use
  const { awakeHours, ...idle } = idleMonth(use('an idle minute'))
  const reads = { list: costOf(use('a list'), 1e6), article: costOf(use('an article read'), 1e6) }
  const made = costOf(use('an article created'), 1_000)
  const sent = costOf(use('published by hand, with its receipt'), 1_000)
  return [
    line('an idle month', sum(idle), `${dollars(idle)}; the database awake ${awakeHours.toFixed(0)} of 730 hours`, 10),
    line(
      'a month of a small customer',
      monthTotal().all,
      `with the customer's own keys $${monthTotal().own.toFixed(2)}`,
    ),
    line('a million lists', sum(reads.list), dollars(reads.list), 4),
    line(
      'a million lists, Redis at a fixed price',
      sum({ ...reads.list, redis: 0 }),
      `beside $${PRICES.redisFixedMonth.dollars} a month for Redis`,
      4,
    ),
    line('a million articles read', sum(reads.article), dollars(reads.article), 4),
    line(
      'a thousand articles created and published',
      sum(made) + sum(sent),
      `created ${dollars(made)}; published ${dollars(sent)}`,
    ),
  ]
}

/** Counts what calls use of each paid service, and computes the cost at list prices. */
export const price = async (): Promise<Findings> => {
  const place = await openPlace()
  const { stack, counting, caller } = place
  try {
    const uses = await measureAll(place)
    const counted = Object.entries(uses).map(([name, use]) => `${name}: ${useText(use)}`)
    const assumed = Object.entries(PRICES).map(([name, { dollars: each, per, assumption }]) => {
      const text = each < 0.001 ? `$${(each * 1e6).toFixed(2)} a million` : `$${each}`
      return `${name}: ${text} (per ${per}): ${assumption}`
    })
    const notes = [`Counted per call:\n  ${counted.join('\n  ')}`, `Assumed:\n  ${assumed.join('\n  ')}`]
    return { lines: linesOf(uses), notes, details: { uses } }
  } finally {
    caller.close()
    await stack.close()
    for (const front of [counting.neon, counting.redis, counting.qstash]) front.close()
  }
}
