import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq, sql } from 'drizzle-orm'
import { bigint, pgTable } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { articles } from '../../schema/articles.ts'
import { projects } from '../../schema/projects.ts'
import { accountOfKey } from '../../src/accounts/key-owner.ts'
import { articleById } from '../../src/articles/queries.ts'
import { createDb, type Db } from '../../src/db/client.ts'
import { msOf } from '../../src/db/instant.ts'
import { keptQuery, type Place } from '../../src/db/kept-query.ts'
import { ownerOfId } from '../../src/db/owner.ts'
import { packed } from '../../src/db/packed.ts'

type Sent = { query: string; params: string[] }
const INT4 = 23
const TEXT = 25
const JSON_TYPE = 114

let server: Server
let db: Db
let sent: Sent[]
let answer: { fields: { name: string; dataTypeID: number }[]; rows: (string | null)[][] }

beforeAll(async () => {
  server = createServer(async (req, res) => {
    let body = ''
    for await (const chunk of req) body += chunk
    const { queries, ...one } = JSON.parse(body)
    sent.push(...(queries ?? [one]))
    const result = { ...answer, command: 'SELECT', rowCount: answer.rows.length }
    res.end(JSON.stringify(queries ? { results: queries.map(() => result) } : result))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  db = createDb('postgresql://galley:galley@db.localtest.neon/galley', `http://127.0.0.1:${port}/sql`)
})

afterAll(() => new Promise((resolve) => server.close(resolve)))

beforeEach(() => {
  sent = []
  answer = { fields: [], rows: [] }
})

const shown = keptQuery((of, { id, name }: { id: Place; name?: Place }, owner) =>
  of
    .select({ id: projects.id })
    .from(projects)
    .where(sql`id = ${id} and account_id = ${owner}${name ? sql` and business_name = ${name}` : sql``}`),
)

test('one text for all callers, and each call carries its own values alone, whether it is sent by itself or with others', async () => {
  await shown(db, { id: 1 }, ownerOfId(10))
  await db.batch([shown(db, { id: 2 }, ownerOfId(20)), shown(db, { id: 3 }, ownerOfId(30))])
  const text = 'select "id" from "projects" where id = $1 and account_id = $2::int'
  expect(sent).toEqual([
    { query: text, params: ['1', '10'] },
    { query: text, params: ['2', '20'] },
    { query: text, params: ['3', '30'] },
  ])
})

test('queries made one after the other and sent in another order keep their values', async () => {
  const [first, second] = [shown(db, { id: 1 }, ownerOfId(10)), shown(db, { id: 2 }, ownerOfId(20))]
  await second
  await first
  expect(sent.map(({ params }) => params)).toEqual([
    ['2', '20'],
    ['1', '10'],
  ])
})

test('a value more, or an owner known by the key, is another text', async () => {
  await shown(db, { id: 1 }, ownerOfId(10))
  await shown(db, { id: 1, name: 'Spaak' }, ownerOfId(10))
  await shown(db, { id: 1, name: undefined }, accountOfKey('a hash'))
  expect(sent[1]).toEqual({
    query: 'select "id" from "projects" where id = $1 and account_id = $2::int and business_name = $3',
    params: ['1', '10', 'Spaak'],
  })
  expect(sent[2]?.query).toContain(
    'account_id = (select account_id from api_keys where key_hash = $2 and revoked_at is null',
  )
  expect(sent[2]?.params).toEqual(['1', 'a hash'])
})

test('a text that holds a value is not kept, and an owner of unknown making is not taken', () => {
  const leaky = keptQuery((of, _: { id: Place }) =>
    of.select({ id: projects.id }).from(projects).where(eq(projects.id, 7)),
  )
  expect(() => leaky(db, { id: 1 })).toThrow('the text of a kept query holds a value')
  expect(() => shown(db, { id: 1 }, sql`${10}::int`)).toThrow('the owner of a kept query must be made by ownerFrom')
})

test('an article is asked for with the caller of this request only', async () => {
  await db.batch([articleById(db, accountOfKey('one'), 1), articleById(db, accountOfKey('another'), 2)])
  expect(sent.map(({ params }) => params)).toEqual([
    ['one', '1'],
    ['another', '2'],
  ])
  expect(sent[0]?.query).toBe(sent[1]?.query)
})

test('rows are decoded as drizzle does it: by column, by expression, and nothing stays nothing', async () => {
  answer = {
    fields: [
      { name: 'id', dataTypeID: INT4 },
      { name: 'text', dataTypeID: TEXT },
      { name: 'at', dataTypeID: TEXT },
      { name: 'created_at', dataTypeID: TEXT },
    ],
    rows: [
      ['5', null, '1000', '2027-01-21 01:10:17.993+00'],
      ['6', 'Spaak', null, '2027-01-21 01:10:18+00'],
    ],
  }
  const columns = {
    id: projects.id,
    name: projects.businessName,
    at: msOf(projects.createdAt).mapWith(Number).as('at'),
    createdAt: projects.createdAt,
  }
  const rows = [
    { id: 5, name: null, at: 1_000, createdAt: new Date('2027-01-21T01:10:17.993Z') },
    { id: 6, name: 'Spaak', at: null, createdAt: new Date('2027-01-21T01:10:18Z') },
  ]
  expect(await db.select(columns).from(projects)).toEqual(rows)
  expect((await db.batch([db.select(columns).from(projects)]))[0]).toEqual(rows)
  expect(await db.select({ project: columns }).from(projects)).toEqual(rows.map((project) => ({ project })))
})

test('packed columns are read from one JSON value as they are by themselves', async () => {
  const json = [7, 'Spaak "& Fietsen"', 1_000, null, ['a', 'b, c'], { a: [1, null] }, true]
  answer = { fields: [{ name: 'json_build_array', dataTypeID: JSON_TYPE }], rows: [[JSON.stringify(json)]] }
  const columns = {
    id: articles.id,
    title: articles.title,
    createdAt: articles.createdAt,
    scheduledAt: articles.scheduledAt,
    tags: articles.tags,
    receipt: articles.receipt,
    mine: sql<boolean>`true`,
  }
  const row = {
    id: 7,
    title: 'Spaak "& Fietsen"',
    createdAt: new Date(1_000),
    scheduledAt: null,
    tags: ['a', 'b, c'],
    receipt: { a: [1, null] },
    mine: true,
  }
  expect(await db.select({ row: packed(columns) }).from(articles)).toEqual([{ row }])
  const shown = keptQuery(
    (of, { id }: { id: Place }) =>
      of
        .select({ row: packed(columns) })
        .from(articles)
        .where(eq(articles.id, id)),
    ({ row: one }) => one.title,
  )
  expect(await shown(db, { id: 1 })).toEqual([row.title])
  expect(await db.batch([shown(db, { id: 1 })])).toEqual([[row.title]])
})

test('a column whose value JSON would change is not packed', () => {
  const { size } = pgTable('files', { size: bigint('size', { mode: 'bigint' }) })
  expect(() => packed({ size })).toThrow('a column of the type PgBigInt64 cannot be packed')
})
