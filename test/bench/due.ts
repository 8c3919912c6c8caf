import { startTestStack, type TestStack } from '../support/stack.ts'
import { createCaller } from './caller.ts'
import { cpuOf } from './machine.ts'
import type { Findings, Line } from './report.ts'
import { type Sql, seedAccount, seedKeys, seedProjects, sqlOver } from './seed.ts'
import { sized } from './sizes.ts'
import { quantile } from './statistics.ts'

const PROJECTS = sized(100, 2)
const ARTICLES = sized(1_000, 4)
/** An account publishes 50 articles a minute at most. */
const PROJECTS_PER_ACCOUNT = 2
const OF_ONE_PROJECT = sized(20, 2)
const LATENESS_GOAL_S = 12
const ONE_PROJECT_GOAL_S = 3
const CPU_GOAL_MS = 8
const MINUTE_MS = 60_000
/** Minutes after which an article that is not out never will be. */
const MAX_MINUTES = 5
const LOOK_EVERY_MS = 500

const CONTENT = `<h2>What to check</h2><p>${'The chain wears first, then the brake pads. '.repeat(60)}</p>`

type Place = { stack: TestStack; sql: Sql }

/** Makes accounts with two projects each that publish to the sample receiver. Returns the ids of the projects. */
const seedSites = async ({ stack, sql }: Place): Promise<number[]> => {
  const caller = createCaller(stack.url)
  const body = { platform: 'webhook', url: `${stack.receiver.url}/webhook`, access_token: stack.receiverToken }
  const all: number[] = []
  try {
    for (let n = 0; n < PROJECTS / PROJECTS_PER_ACCOUNT; n += 1) {
      const accountId = await seedAccount(sql, `due-${n}@bench.example`)
      const projectIds = await seedProjects(sql, accountId, PROJECTS_PER_ACCOUNT)
      const [key = ''] = await seedKeys(sql, accountId, 1)
      for (const id of projectIds) await caller.call('POST', `/projects/${id}/integrations`, key, body)
      all.push(...projectIds)
    }
    return all
  } finally {
    caller.close()
  }
}

/** Claimed articles of these projects in turn, all due from now on. */
const seedDue = ({ sql }: Place, projectIds: readonly number[], count: number): Promise<unknown> =>
  sql(
    `insert into articles (account_id, project_id, status, title, main_keyword, slug, content, scheduled_at, claimed_at)
     select p.account_id, p.id, 'Planned', 'Due ' || n, 'due ' || n, 'due-' || gen_random_uuid(), $3, now(), now()
     from generate_series(1, $2::int) n join projects p on p.id = ($1::int[])[1 + n % array_length($1::int[], 1)]`,
    [projectIds, count, CONTENT],
  )

const waiting = async ({ sql }: Place): Promise<number> =>
  Number((await sql<{ n: number }>(`select count(*) as n from articles where status = 'Planned'`))[0]?.n)

/** Runs the cron once a minute until all articles are out. Returns how late each arrived at its target, s. */
const publishDue = async (place: Place, projectIds: readonly number[], count: number): Promise<number[]> => {
  await seedDue(place, projectIds, count)
  const startedAt = Date.now()
  for (let minute = 0; (await waiting(place)) > 0; minute += 1) {
    if (minute === MAX_MINUTES) throw new Error(`${await waiting(place)} of ${count} due articles are not out`)
    void place.stack
      .workers()
      .cron()
      .catch(() => {})
    const next = startedAt + (minute + 1) * MINUTE_MS
    while (Date.now() < next && (await waiting(place)) > 0)
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
  const rows = await place.sql<{ late: number }>(
    `select extract(epoch from d.updated_at - a.scheduled_at)::float8 as late from deliveries d join articles a on a.id = d.article_id
     where d.status = 'delivered' and a.main_keyword like 'due %' order by d.id desc limit $1::int`,
    [count],
  )
  if (rows.length < count) throw new Error(`${rows.length} of ${count} due articles were delivered`)
  return rows.map(({ late }) => Number(late))
}

const lateLine = (name: string, late: readonly number[], goal: number): Line => ({
  part: 'due',
  name,
  kind: 'time',
  value: quantile(late, 0.99),
  unit: 's',
  goal: { max: goal },
  note: `p50 ${quantile(late, 0.5).toFixed(1)} s, the last ${Math.max(...late).toFixed(1)} s`,
})

/** Measures how late articles go out, with production's delays: of many projects at once, and many of one project. */
export const due = async (): Promise<Findings> => {
  const stack = await startTestStack({ timeScale: 1 })
  const sql = sqlOver(stack.neon.url, stack.connectionString)
  try {
    const place = { stack, sql }
    const projectIds = await seedSites(place)
    const one = await publishDue(place, projectIds.slice(0, 1), OF_ONE_PROJECT)
    const before = cpuOf(stack.workers().pid)
    const many = await publishDue(place, projectIds, ARTICLES)
    const cpuMs = (cpuOf(stack.workers().pid) - before) / ARTICLES
    const lines: Line[] = [
      lateLine(`${ARTICLES} due at once in ${PROJECTS} projects: lateness, p99`, many, LATENESS_GOAL_S),
      lateLine(`${OF_ONE_PROJECT} due at once in one project: lateness, p99`, one, ONE_PROJECT_GOAL_S),
      {
        part: 'due',
        name: 'a due article published: workerd CPU',
        kind: 'time',
        value: cpuMs,
        unit: 'ms',
        goal: { max: CPU_GOAL_MS },
      },
    ]
    return { lines, notes: [], details: { many, one } }
  } finally {
    await stack.close()
  }
}
