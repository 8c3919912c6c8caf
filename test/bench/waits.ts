import { type Caller, createCaller } from './caller.ts'
import type { Findings, Line } from './report.ts'
import { seedAccount, seedArticles, seedKeys, seedProjects } from './seed.ts'
import { sized } from './sizes.ts'
import { openStage, type Stage } from './stage.ts'
import { median, quantile } from './statistics.ts'

/** Time that a local service takes for every answer. */
const DELAY_MS = 50
const CALLS = sized(60, 2)
const WARM_UP = sized(5, 1)
/** Under the tightest rate of the measured operations, 10 a minute and key. */
const CALLS_PER_KEY = 8

type Operation = {
  name: string
  goal: number
  method: string
  path: string
  body?: (n: number) => unknown
}

const content = `<h2>What to check</h2><p>${'The chain wears first, then the brake pads. '.repeat(60)}</p>`

const operations = (projectId: number, articleId: number): Operation[] => [
  { name: 'GET /articles', goal: 1.15, method: 'GET', path: '/articles' },
  { name: 'GET /articles/:id', goal: 1.15, method: 'GET', path: `/articles/${articleId}` },
  { name: 'GET /projects', goal: 1.15, method: 'GET', path: '/projects' },
  {
    name: 'POST /articles',
    goal: 2.6,
    method: 'POST',
    path: '/articles',
    body: (n) => ({ project_id: projectId, keyword: `waits ${n}`, content }),
  },
  {
    name: 'PUT /articles/:id',
    goal: 2.6,
    method: 'PUT',
    path: `/articles/${articleId}`,
    body: (n) => ({ title: `A title of its own, number ${n}`, content: `${content}<p>${n}</p>` }),
  },
]

const faults = async (url: string, body: unknown): Promise<number> => {
  const init = body === undefined ? { method: 'GET' } : { method: 'POST', body: JSON.stringify(body) }
  const response = await fetch(`${url}/_faults`, init)
  const { rules } = (await response.json()) as { rules: { used: number }[] }
  return rules[0]?.used ?? 0
}

const slow = { delay_ms: DELAY_MS }

/** The keys take turns, so that none gets near its rate. */
const measure = async (stage: Stage, caller: Caller, keys: readonly string[], op: Operation) => {
  let sent = 0
  const once = async (): Promise<number> => {
    const key = keys[sent % keys.length] ?? ''
    sent += 1
    return (await caller.call(op.method, op.path, key, op.body?.(sent))).ms
  }
  for (let n = 0; n < WARM_UP; n += 1) await once()
  await Promise.all([faults(stage.neon.url, slow), faults(stage.redis.url, slow)])
  const samples: number[] = []
  for (let n = 0; n < CALLS; n += 1) samples.push(await once())
  const [database, redis] = await Promise.all([faults(stage.neon.url, undefined), faults(stage.redis.url, undefined)])
  return { samples, database: database / CALLS, redis: redis / CALLS }
}

const lineOf = (op: Operation, found: Awaited<ReturnType<typeof measure>>): Line => ({
  part: 'waits',
  name: op.name,
  kind: 'ratio',
  value: median(found.samples) / DELAY_MS,
  unit: '× 50 ms',
  goal: { max: op.goal },
  note: `median ${median(found.samples).toFixed(1)} ms, p95 ${quantile(found.samples, 0.95).toFixed(1)} ms; ${found.database} database and ${found.redis} Redis requests a call`,
})

/**
 * Counts the round trips that a call waits for: database and Redis answer exactly 50 ms after each request.
 *
 * Key check and rate limit are included.
 */
export const waits = async (): Promise<Findings> => {
  const stage = await openStage()
  const caller = createCaller(stage.url)
  try {
    const accountId = await seedAccount(stage.sql, 'waits@bench.example')
    const [projectId = 0] = await seedProjects(stage.sql, accountId, 3)
    await seedArticles(stage.sql, { accountId, projectIds: [projectId], count: 60, weeks: 8, content })
    const [draft] = await stage.sql<{ id: number }>(`select id from articles where status = 'Draft' limit 1`)
    const keys = await seedKeys(stage.sql, accountId, Math.ceil((CALLS + WARM_UP) / CALLS_PER_KEY))
    const lines: Line[] = []
    for (const op of operations(projectId, draft?.id ?? 0))
      lines.push(lineOf(op, await measure(stage, caller, keys, op)))
    return { lines, notes: [], details: { delay_ms: DELAY_MS, calls: CALLS } }
  } finally {
    caller.close()
    await stage.close()
  }
}
