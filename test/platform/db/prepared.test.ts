import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { projects } from '../../../schema/projects.ts'
import { createDb, preparedOnce } from '../../../src/platform/db/client.ts'
import { sendQueries } from '../../../src/platform/runtime/ctx.ts'

type Sent = { query: string; params: string[] }

const db = createDb('postgresql://galley:galley@db.localtest.neon/galley', 'http://127.0.0.1/sql')
const named = preparedOnce((of) =>
  of
    .select({ name: projects.businessName })
    .from(projects)
    .where(sql`id = ${sql.placeholder('id')} and key = ${sql.placeholder('keyHash')}`)
    .prepare('named'),
)
/** Returns a query that is made on each call. */
const counted = (id: number) => db.select({ name: projects.businessName }).from(projects).where(sql`id = ${id}`)

let requests: Sent[][]
beforeEach(() => {
  requests = []
  // Each row is named after the values of its query.
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    const body = JSON.parse(String(init.body)) as Sent & { queries?: Sent[] }
    requests.push(body.queries ?? [body])
    const answer = ({ params }: Sent) => ({
      fields: [{ name: 'business_name', dataTypeID: 25 }],
      rows: [[params.join()]],
      command: 'SELECT',
      rowCount: 1,
    })
    return Response.json(body.queries ? { results: body.queries.map(answer) } : answer(body))
  })
})
afterEach(() => vi.unstubAllGlobals())

it('a prepared query is sent separately, with its own values, beside one batch of the others', async () => {
  const rows = await sendQueries(db, [
    counted(1),
    named(db, { id: 2, keyHash: 'mine' }),
    counted(3),
    named(db, { id: 4, keyHash: 'yours' }),
  ])
  expect(rows).toEqual([[{ name: '1' }], [{ name: '2,mine' }], [{ name: '3' }], [{ name: '4,yours' }]])
  expect(requests.map((queries) => queries.length).sort()).toEqual([1, 1, 2])
})

it('one with a missing value is refused before it is sent', async () => {
  await expect(named(db, { id: 2 }).run()).rejects.toThrow('keyHash')
  expect(requests).toEqual([])
})
