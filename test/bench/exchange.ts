import { sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { partnersNear } from '../../src/content/exchange/candidates.ts'
import { nearPages } from '../../src/content/site/pages.ts'
import { seedExchange, seedPages } from './exchange-seed.ts'
import type { Findings, Line } from './report.ts'
import { sized } from './sizes.ts'
import { openStage, type Stage } from './stage.ts'
import { median, ms, quantile } from './statistics.ts'

const GOAL_MS = 50
const MEMBERS = sized(50_000, 200)
const PAGES = sized(1_000_000, 2000)
/** The embedded database would take an hour for all. */
const EMBEDDED_MEMBERS = sized(5_000, 200)
const EMBEDDED_PAGES = sized(50_000, 2000)
const CHUNK = 100_000
const ROUNDS = sized(25, 1)

/** Words on most pages, on few, on the old ones only, on none, and many at once. */
const PAGE_KEYWORDS = [
  'bikes guide',
  'zymurgy guide',
  'commuter bikes for city riders',
  'vintage bikes',
  'sourdough',
  'nothing at all here',
  'a plain guide to the real cost of service',
]
const PARTNER_KEYWORDS = [
  'commuter bikes',
  'topic77 guides',
  'a shop for services and guides with web hosting',
  'unheard of',
]

const dialect = new PgDialect()

/** Planning and execution of one statement, ms, as the database itself takes the time. */
const timeOf = async (stage: Stage, statement: ReturnType<typeof nearPages>): Promise<number> => {
  const { sql: text, params } = dialect.sqlToQuery(statement)
  const rows = await stage.sql<{ 'QUERY PLAN': string }>(`explain (analyze, timing off, costs off) ${text}`, params)
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  const part = (name: string) => Number(new RegExp(`${name} Time: ([\\d.]+)`).exec(plan)?.[1])
  return part('Planning') + part('Execution')
}

const seed = async (stage: Stage, members: number, pages: number): Promise<number[]> => {
  const ids = await seedExchange(stage.sql, members)
  const [owner = 0] = ids
  await stage.sql('drop index site_pages_words')
  for (let from = 1; from <= pages; from += CHUNK)
    await seedPages(stage.sql, owner, from, Math.min(from + CHUNK - 1, pages))
  await stage.sql('create index site_pages_words on site_pages using gin (project_id, words)')
  await stage.sql('vacuum analyze')
  return ids
}

const lineOf = (name: string, times: readonly number[]): Line => ({
  part: 'exchange',
  name: `${name}, p95 in the database`,
  kind: 'time',
  value: quantile(times, 0.95),
  unit: 'ms',
  goal: { max: GOAL_MS },
  note: `median ${ms(median(times))}, ${times.length} statements`,
})

/** Measures the database's cost of finding partners and internal links in a large exchange and a large site. */
export const exchange = async (): Promise<Findings> => {
  const stage = await openStage()
  try {
    const embedded = stage.neon.backend === 'pglite'
    const [members, pages] = embedded ? [EMBEDDED_MEMBERS, EMBEDDED_PAGES] : [MEMBERS, PAGES]
    const ids = await seed(stage, members, pages)
    const links: number[] = []
    const targets: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const project = sql`${ids[(round * 997) % ids.length]}::int`
      for (const keyword of PAGE_KEYWORDS) links.push(await timeOf(stage, nearPages(sql`${ids[0]}::int`, keyword, 20)))
      for (const keyword of PARTNER_KEYWORDS)
        for (const projectId of [project, sql`${ids[0]}::int`])
          targets.push(
            await timeOf(stage, partnersNear({ projectId, keyword, limit: 5, now: new Date(), uncommitted: false })),
          )
    }
    const note = `exchange: ${members.toLocaleString('en-US')} projects take part, with ${(members * 8).toLocaleString('en-US')} links among them; one site has ${pages.toLocaleString('en-US')} pages${embedded ? ' (embedded database)' : ''}.`
    return {
      lines: [lineOf('GET /internal-links', links), lineOf('GET /backlink-targets', targets)],
      notes: [note],
      details: { links, targets },
    }
  } finally {
    await stage.close()
  }
}
