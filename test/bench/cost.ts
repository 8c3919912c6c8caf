import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@redis/client'
import { ROOT } from '../../local/root.ts'
import { startBare } from './bare.ts'
import { createCaller } from './caller.ts'
import type { LoadMessage, LoadPlan, LoadResult } from './load.ts'
import { childNamed, cpuOf, cpuOfFamily, postmasterPid, redisPid } from './machine.ts'
import type { Findings, Line } from './report.ts'
import { seedAccount, seedArticles, seedKeys, seedProjects } from './seed.ts'
import { sized } from './sizes.ts'
import { openStage, type Stage } from './stage.ts'
import { median } from './statistics.ts'

const CONNECTIONS = 16
const WARM_UP_S = sized(0.5, 0.1)
/**
 * Requests before the first round: until then V8 still compiles a read's code (5 % of its cost).
 *
 * Bare Hono answers ten times as many in the same seconds, and is long past that.
 */
const WARM_UP_REQUESTS = sized(12_000, 50)
const SECONDS = sized(2, 0.3)
/**
 * Number of short rounds in which the service and bare Hono take turns, because the machine's load changes within
 * seconds.
 */
const ROUNDS = sized(9, 1)
/** workerd's CPU over that of bare Hono with the same bytes. */
const LIST_CPU_GOAL = 14
const ARTICLE_CPU_GOAL = 12
const TAIL_GOAL = 3
/** Enough keys that none reaches its 30 requests a minute, even at 2,000 requests/s. */
const KEYS = sized(1_600, 200)
const ARTICLE_WORDS = 2_000

/** CPU time so far of each process that has a part in an answer, ms. */
type Meter = () => Record<string, number>

type Run = LoadResult & { cpuMsPerRequest: Record<string, number>; perSecond: number }

/** Loads one address from another process and reads the meter at both ends of the measured time. */
const underLoad = (plan: LoadPlan, meter: Meter): Promise<Run> =>
  new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(new URL('./load.ts', import.meta.url)))
    let before: Record<string, number> = {}
    child.once('error', reject)
    child.once('exit', (code) => code !== 0 && reject(new Error(`the load generator ended with ${code}`)))
    child.on('message', (message: LoadMessage) => {
      if (message.kind === 'measuring') {
        before = meter()
        return
      }
      const { result } = message
      const used = Object.entries(meter()).map(([name, after]) => [
        name,
        (after - (before[name] ?? 0)) / result.requests,
      ])
      const cpuMsPerRequest = { ...Object.fromEntries(used), 'load generator': result.cpuMs / result.requests }
      resolve({ ...result, cpuMsPerRequest, perSecond: result.requests / result.seconds })
    })
    child.send(plan)
  })

const redisInfo = async (url: string): Promise<string> => {
  const client = await createClient({ url }).connect()
  const info = await client.info('server')
  client.destroy()
  return info
}

const meterOf = async (stage: Stage): Promise<Meter> => {
  const neon = childNamed('local/neon/main.ts')
  const postmaster = await postmasterPid(stage.sql)
  const { REDIS_URL } = process.env
  const redisServer = REDIS_URL ? redisPid(await redisInfo(REDIS_URL)) : undefined
  return () => {
    const own = process.cpuUsage()
    return {
      workerd: cpuOf(stage.workers().pid),
      'neon endpoint': neon === undefined ? Number.NaN : cpuOf(neon),
      // It runs in this process, which does nothing else while the load generator works.
      'redis endpoint': (own.user + own.system) / 1000,
      ...(postmaster === undefined ? {} : { PostgreSQL: cpuOfFamily(postmaster) }),
      ...(redisServer === undefined ? {} : { Redis: cpuOf(redisServer) }),
    }
  }
}

/** Returns the example article's paragraphs again and again, until 2,000 words of text are together. */
const longArticle = (): string => {
  const blocks = readFileSync(join(ROOT, 'examples/article.html'), 'utf8').split(/\n(?=<)/)
  const wordsOf = (html: string) =>
    html
      .replace(/<[^>]*>/g, ' ')
      .split(/\s+/)
      .filter(Boolean).length
  let html = ''
  for (let at = 0; wordsOf(html) < ARTICLE_WORDS; at += 1) html += `${blocks[at % blocks.length]}\n`
  return html
}

/** Number of projects: with one, PostgreSQL plans differently. */
const PROJECTS = [1, 21]

const seed = async ({ sql }: Stage, projects: number) => {
  const accountId = await seedAccount(sql, `cost-${projects}@bench.example`)
  const projectIds = await seedProjects(sql, accountId, projects)
  await seedArticles(sql, { accountId, projectIds, count: 1_000, weeks: 17, content: longArticle() })
  await sql('analyze')
  const [article] = await sql<{ id: number }>(
    `select id from articles where status = 'Published' and account_id = $1::int limit 1`,
    [accountId],
  )
  return { accountId, articleId: article?.id ?? 0 }
}

/** Returns the median of each measurement over all rounds, so that a disturbed round does not count. */
const inTheMiddle = (runs: readonly Run[]): Run => {
  const [first] = runs
  if (!first) throw new Error('no rounds')
  const middle = (of: (run: Run) => number): number => median(runs.map(of))
  const parts = Object.keys(first.cpuMsPerRequest)
  return {
    ...first,
    medianMs: middle((run) => run.medianMs),
    p95Ms: middle((run) => run.p95Ms),
    p99Ms: middle((run) => run.p99Ms),
    perSecond: middle((run) => run.perSecond),
    cpuMsPerRequest: Object.fromEntries(
      parts.map((part) => [part, middle((run) => run.cpuMsPerRequest[part] ?? Number.NaN)]),
    ),
  }
}

const workerdOf = (run: Run): number => run.cpuMsPerRequest.workerd ?? Number.NaN

const total = (run: Run): number => Object.values(run.cpuMsPerRequest).reduce((sum, ms) => sum + (ms || 0), 0)

const shares = (run: Run): string =>
  Object.entries(run.cpuMsPerRequest)
    .map(([name, ms]) => `${name} ${Number.isNaN(ms) ? 'unknown' : ms.toFixed(3)}`)
    .join(', ')

type Beside = { service: Run; bare: Run; rounds: { service: Run; bare: Run }[] }

const linesOf = (name: string, { service, bare, rounds }: Beside, cpuGoal: number): Line[] => {
  const cpu = median(rounds.map((round) => workerdOf(round.service) / workerdOf(round.bare)))
  return [
    {
      part: 'cost',
      name: `${name}: requests/s`,
      kind: 'rate',
      value: service.perSecond,
      unit: '/s',
      note: `${CONNECTIONS} connections, ${service.bytes} bytes, median ${service.medianMs.toFixed(1)} ms, p95 ${service.p95Ms.toFixed(1)} ms`,
    },
    {
      part: 'cost',
      name: `${name}: bare Hono's rate ÷ ours`,
      kind: 'ratio',
      value: bare.perSecond / service.perSecond,
      unit: '×',
      note: `bare Hono with the same bytes ${Math.round(bare.perSecond)}/s`,
    },
    {
      part: 'cost',
      name: `${name}: workerd CPU ÷ bare Hono's`,
      kind: 'ratio',
      value: cpu,
      unit: '×',
      goal: { max: cpuGoal },
      note: `${workerdOf(service).toFixed(3)} and ${workerdOf(bare).toFixed(3)} ms a request; the middle of ${rounds.length} rounds`,
    },
    {
      part: 'cost',
      name: `${name}: p99 ÷ median`,
      kind: 'ratio',
      value: service.p99Ms / service.medianMs,
      unit: '×',
      goal: { max: TAIL_GOAL },
      note: `p99 ${service.p99Ms.toFixed(1)} ms`,
    },
  ]
}

/** Throws when an answer was not the one to be measured. */
const checked = (run: Run): Run => {
  if (run.refused > 0)
    throw new Error(`${run.refused} of ${run.requests} requests under load were not answered with 200`)
  return run
}

const plan = (url: string, keys: readonly string[], round: number): LoadPlan => ({
  url,
  keys,
  connections: CONNECTIONS,
  warmUpS: WARM_UP_S,
  warmUpRequests: round === 0 ? WARM_UP_REQUESTS : 0,
  seconds: SECONDS,
})

/** Measures the two most common reads of an account beside a Worker that only answers the same bytes. */
const readsOf = async (stage: Stage, meter: Meter, projects: number): Promise<Findings> => {
  const caller = createCaller(stage.url)
  const { accountId, articleId } = await seed(stage, projects)
  const paths = { 'GET /articles': '/articles', 'GET /articles/:id': `/articles/${articleId}` }
  const lines: Line[] = []
  const notes: string[] = []
  const details: Record<string, unknown> = {}
  try {
    for (const [read, path] of Object.entries(paths)) {
      const name = `${read}, ${projects === 1 ? 'one project' : `${projects} projects`}`
      const keys = await seedKeys(stage.sql, accountId, KEYS)
      const { text } = await caller.call('GET', path, keys[0] ?? '')
      const alone = await startBare({ '/answer': text })
      const aloneMeter = () => ({ workerd: cpuOf(alone.pid) })
      const rounds: Beside['rounds'] = []
      try {
        for (let round = 0; round < ROUNDS; round += 1)
          rounds.push({
            service: checked(await underLoad(plan(`${stage.url}/api/v1${path}`, keys, round), meter)),
            bare: checked(await underLoad(plan(`${alone.url}/answer`, keys.slice(0, 1), round), aloneMeter)),
          })
      } finally {
        await alone.close()
      }
      const service = inTheMiddle(rounds.map((round) => round.service))
      const bare = inTheMiddle(rounds.map((round) => round.bare))
      const goal = read === 'GET /articles' ? LIST_CPU_GOAL : ARTICLE_CPU_GOAL
      lines.push(...linesOf(name, { service, bare, rounds }, goal))
      notes.push(`${name}: ${total(service).toFixed(2)} ms CPU a request: ${shares(service)}.`)
      details[name] = { service, bare, rounds }
    }
    return { lines, notes, details }
  } finally {
    caller.close()
  }
}

/** Measures requests a second and CPU a request of the two most common reads, in a database with one project and with many. */
export const cost = async (): Promise<Findings> => {
  // The value of production, not that of a local service.
  const stage = await openStage({ LOG_ONE_READ_IN: '20' })
  try {
    const meter = await meterOf(stage)
    const found: Findings[] = []
    for (const projects of PROJECTS) found.push(await readsOf(stage, meter, projects))
    return {
      lines: found.flatMap(({ lines }) => lines),
      notes: found.flatMap(({ notes }) => notes),
      details: Object.assign({}, ...found.map(({ details }) => details)) as Record<string, unknown>,
    }
  } finally {
    await stage.close()
  }
}
