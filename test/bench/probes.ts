import type { SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { ListArticlesInput } from '../../src/content/articles/operations.ts'
import { articleById } from '../../src/content/articles/queries.ts'
import { listRows } from '../../src/content/articles/read.ts'
import { accountOfKey } from '../../src/platform/accounts/key-owner.ts'
import { createDb } from '../../src/platform/db/client.ts'
import { claimOffers } from '../../src/platform/jobs/outbox.ts'
import { takeLate } from '../../src/publishing/due.ts'
import { listDeliveryRows } from '../../src/publishing/queries.ts'
import type { Sql } from './seed.ts'
import type { Stage } from './stage.ts'
import type { World } from './world.ts'

type Statement = { sql: string; params: unknown[] }

/** One read of the interface, and the statement it sends. */
export type Probe = {
  name: string
  path: (world: World) => string
  statement: (stage: Stage, world: World) => Statement
  rows: (answer: Record<string, unknown>) => unknown[]
  mayBeEmpty?: boolean
  /** Largest factor of its time, if it is not the usual. */
  most?: number
  /** Reason for which it may grow: the data it reads grow, not only the table. Measured without a goal. */
  grows?: string
}

const PAGE = { limit: 50, offset: 0 }

const dbOf = (stage: Stage) => createDb(stage.connectionString, `${stage.neon.url}/sql`)

const query = (input: Record<string, unknown>): string =>
  Object.entries(input)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&')

/** As the gate asks it: the account is found by the key inside the statement, so the planner does not know it. */
const owner = ({ keyHash }: World): SQL => accountOfKey(keyHash)

type Marks = Pick<Probe, 'mayBeEmpty' | 'most' | 'grows'>

/** A search reads the newest rows first, then asks the index of words. */
const SEARCH = { most: 4 }

const articleList = (name: string, input: (world: World) => ListArticlesInput, marks: Marks = {}): Probe => ({
  name: `GET /articles ${name}`.trim(),
  path: (world) => `/articles?${query(input(world))}`,
  statement: (stage, world) => {
    const { before_id: beforeId, ...rest } = input(world)
    return listRows(dbOf(stage), owner(world), rest, { ...PAGE, beforeId }).toSQL()
  },
  rows: (answer) => answer.articles as unknown[],
  ...marks,
})

const deliveryList = (name: string, input: { status?: 'failed' }): Probe => ({
  name: `GET /webhook-deliveries ${name}`.trim(),
  path: () => `/webhook-deliveries?${query(input)}`,
  statement: (stage, world) =>
    listDeliveryRows(dbOf(stage), owner(world), input, { ...PAGE, beforeId: undefined }).toSQL(),
  rows: (answer) => answer.deliveries as unknown[],
})

const scheduledIn = ({ after, before }: World['denseWeek']) => ({ scheduled_after: after, scheduled_before: before })

/** Returns one of those that have only the older half. */
const project = ({ projectIds }: World): number => projectIds[1] ?? projectIds[0] ?? 0

/** Lists that must not become slower with the account's size. */
export const lists: readonly Probe[] = [
  articleList('', () => ({})),
  articleList('?project_id', (world) => ({ project_id: project(world) })),
  articleList('?status', () => ({ status: ['Planned'] })),
  articleList('?project_id&status', (world) => ({ project_id: project(world), status: ['Published'] })),
  articleList('?status, two of them', () => ({ status: ['Draft', 'Published'] })),
  articleList('?publish_state', () => ({ publish_state: ['failed', 'retrying'] }), { mayBeEmpty: true }),
  articleList('?status&publish_state', () => ({ status: ['Draft', 'Planned'], publish_state: ['unknown'] }), {
    mayBeEmpty: true,
  }),
  articleList('?updated_after, nothing since', () => ({ updated_after: '2999-01-01T00:00:00Z' }), { mayBeEmpty: true }),
  articleList('?updated_after, all since', () => ({ updated_after: '1999-01-01T00:00:00Z' })),
  articleList('?before_id, deep', ({ deepId }) => ({ before_id: deepId })),
  articleList('?q, in 3 rows', () => ({ q: 'zymurgy' }), SEARCH),
  articleList('?q, in every third row', () => ({ q: 'guide' }), SEARCH),
  articleList('?q, in no row', () => ({ q: 'xylophone' }), { ...SEARCH, mayBeEmpty: true }),
  articleList('?q, in 60 → 1,060 rows', () => ({ q: 'sourdough' }), SEARCH),
  articleList('?q of two letters, in no row', () => ({ q: 'zq' }), {
    mayBeEmpty: true,
    grows: 'the newest 20,000 are looked at',
  }),
  articleList('?scheduled, a week of 60', ({ sparseWeek }) => scheduledIn(sparseWeek)),
  articleList('?scheduled, a week of 60 → 4,000', ({ denseWeek }) => scheduledIn(denseWeek), { most: 2.5 }),
  {
    name: 'GET /articles/:id',
    path: ({ articleId }) => `/articles/${articleId}`,
    statement: (stage, world) => articleById(dbOf(stage), owner(world), world.articleId).toSQL(),
    rows: (answer) => [answer.ID],
  },
  deliveryList('', {}),
  deliveryList('?status', { status: 'failed' }),
]

/** Statement of the cron. `run` runs it once, restores everything, and returns its time, ms. */
export type Sweep = { name: string; run: (sql: Sql, world: World) => Promise<number> }

const dialect = new PgDialect()
const ROWS = 20

const timed = async (sql: Sql, statement: SQL): Promise<{ rows: Record<string, unknown>[]; ms: number }> => {
  const { sql: text, params } = dialect.sqlToQuery(statement)
  const startedAt = performance.now()
  const rows = await sql(text, params)
  return { rows, ms: performance.now() - startedAt }
}

const expectRows = (found: number): void => {
  if (found !== ROWS) throw new Error(`the sweep took ${found} rows, not ${ROWS}`)
}

export const sweeps: readonly Sweep[] = [
  {
    name: `cron takeLate, ${ROWS} due`,
    run: async (sql, { accountId }) => {
      const late = await sql(
        `update articles set scheduled_at = now() - interval '1 minute' where id in
           (select id from articles where account_id = $1::int and status = 'Planned' order by id limit ${ROWS}) returning project_id`,
        [accountId],
      )
      const projects = new Set(late.map((row) => row.project_id)).size
      const { rows, ms } = await timed(sql, takeLate(new Date()))
      if (rows.length !== projects) throw new Error(`the sweep took ${rows.length} articles, not one of each project`)
      await sql(
        `update articles set due_taken_at = null, scheduled_at = now() + interval '30 days' where due_taken_at is not null`,
      )
      await sql(`delete from outbox where key like 'publish_due:%' and done_at is null`)
      return ms
    },
  },
  {
    name: `cron sweep of the outbox, ${ROWS} open`,
    run: async (sql, { accountId }) => {
      await sql(
        `insert into outbox (account_id, job, key, payload, run_at)
         select $1::int, 'publishing.deliver', 'open:' || n, '{}'::jsonb, now() from generate_series(1, ${ROWS}) n`,
        [accountId],
      )
      const { rows, ms } = await timed(sql, claimOffers(new Date(), 100))
      expectRows(rows.length)
      await sql(`delete from outbox where key like 'open:%' and done_at is null`)
      return ms
    },
  },
]
