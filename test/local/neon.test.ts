import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { NeonDbError, neon, neonConfig } from '@neondatabase/serverless'
import { eq, sql as rawSql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/neon-http'
import { bigint, jsonb, numeric, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openPglite } from '../../local/neon/backend-pglite.ts'
import { openPostgres } from '../../local/neon/backend-postgres.ts'
import { startNeon } from '../../local/neon/server.ts'
import { type NeonOptions, type NeonProcess, spawnNeon } from '../../local/neon/spawn.ts'
import { freePort } from '../../local/start/ports.ts'

const databaseUrl = process.env.DATABASE_URL
const connectionString = 'postgres://user:secret@db.example.test/main'
/** Kept between runs: only the very first pays for the initialisation of a database. */
const template = join(tmpdir(), 'galley-neon-template.tar')

type Options = { headers?: Record<string, string>; path?: string; method?: string }

/** Headers that the driver always sends. */
const raw = { 'Neon-Raw-Text-Output': 'true', 'Neon-Array-Mode': 'true' }

type Json = { [field: string]: Json & string } & Json[]

const post = async (
  server: { url: string },
  body: unknown,
  { headers, path = '/sql', method = 'POST' }: Options = {},
) => {
  const answer = await fetch(server.url + path, {
    method,
    headers: { 'Neon-Connection-String': connectionString, ...raw, ...headers },
    ...(method === 'GET' ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: answer.status, headers: answer.headers, json: (await answer.json()) as Json }
}

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

const articles = pgTable('neon_http_articles', {
  id: uuid('id').primaryKey().defaultRandom(),
  slug: text('slug').notNull(),
  tags: text('tags').array(),
  meta: jsonb('meta').$type<Record<string, unknown>>(),
  views: bigint('views', { mode: 'bigint' }),
  price: numeric('price', { precision: 20, scale: 6 }),
  publishedAt: timestamp('published_at', { withTimezone: true }),
})

const createArticles = `create table neon_http_articles (
  id uuid primary key default gen_random_uuid(),
  slug text not null constraint neon_http_articles_slug_key unique,
  tags text[], meta jsonb, views int8, price numeric(20,6), published_at timestamptz
)`

const backends: { name: string; available: boolean; options: NeonOptions }[] = [
  { name: 'PGlite', available: true, options: { port: 0, template } },
  {
    name: 'PostgreSQL',
    available: databaseUrl !== undefined,
    options: { port: 0, ...(databaseUrl === undefined ? {} : { databaseUrl }) },
  },
]

for (const { name, available, options } of backends) {
  describe.skipIf(!available)(`Neon endpoint over ${name}`, { tags: ['services'] }, () => {
    let server: NeonProcess
    const sql = neon(connectionString)
    const db = drizzle({ client: sql })

    beforeAll(async () => {
      server = await spawnNeon(options)
      neonConfig.fetchEndpoint = `${server.url}/sql`
      await sql`drop table if exists neon_http_articles`
      await sql.query(createArticles)
    })
    afterAll(async () => {
      await sql`drop table if exists neon_http_articles`
      await server.close()
    })
    afterEach(async () => {
      await sql`truncate neon_http_articles`
    })

    it('says which backend it is', () => {
      expect(server.backend).toBe(options.databaseUrl ? 'postgres' : 'pglite')
    })

    it('returns rows with the OIDs, tags and counts of PostgreSQL', async () => {
      const query = 'select $1::int4 as a, $2::text as b, null::bool as c'
      const { status, headers, json } = await post(server, { query, params: ['7', 'é😀"'] })
      const field = { tableID: 0, columnID: 0, dataTypeModifier: -1, format: 'text' }
      expect(status).toBe(200)
      expect(Number(headers.get('content-length'))).toBeGreaterThan(0)
      expect(json).toEqual({
        fields: [
          { ...field, name: 'a', dataTypeID: 23, dataTypeSize: 4 },
          { ...field, name: 'b', dataTypeID: 25, dataTypeSize: -1 },
          { ...field, name: 'c', dataTypeID: 16, dataTypeSize: 1 },
        ],
        rows: [['7', 'é😀"', null]],
        command: 'SELECT',
        rowCount: 1,
        rowAsArray: true,
      })
      const insert = { query: "insert into neon_http_articles (slug) values ('a'), ('b')" }
      expect((await post(server, insert)).json).toMatchObject({ command: 'INSERT', rowCount: 2, rows: [], fields: [] })
      const update = { query: "update neon_http_articles set tags = '{}' where slug = 'b'" }
      expect((await post(server, update)).json).toMatchObject({ command: 'UPDATE', rowCount: 1 })
      expect((await post(server, { query: 'create temp table gone (a int)' })).json).toMatchObject({
        command: 'CREATE',
        rowCount: null,
      })
      expect((await post(server, { query: '' })).json).toMatchObject({ command: '', rowCount: null, rows: [] })
    })

    it('carries jsonb, text[], timestamptz, int8 and numeric through drizzle', async () => {
      const row = {
        slug: 'types',
        tags: ['plain', 'a,b', 'say "hi"', 'NULL', ''],
        meta: { title: 'Naïve 😀', nested: { none: null, list: [1, 'two', false] } },
        views: 9_007_199_254_740_993n,
        price: '12345678901234.123456',
        publishedAt: new Date('2026-03-01T10:11:12.345Z'),
      }
      const [inserted] = await db.insert(articles).values(row).returning()
      expect(inserted).toEqual({ ...row, id: expect.stringMatching(/^[0-9a-f-]{36}$/) })
      const [read] = await db.select().from(articles).where(eq(articles.slug, 'types'))
      expect(read).toEqual(inserted)
    })

    it('keeps SQLSTATE and constraint name of a violation', async () => {
      await sql`insert into neon_http_articles (slug) values ('taken')`
      const direct = await failureOf(sql`insert into neon_http_articles (slug) values ('taken')`)
      expect(direct).toBeInstanceOf(NeonDbError)
      expect(direct).toMatchObject({
        code: '23505',
        constraint: 'neon_http_articles_slug_key',
        severity: 'ERROR',
        table: 'neon_http_articles',
        detail: 'Key (slug)=(taken) already exists.',
      })
      const wrapped = await failureOf(db.insert(articles).values({ slug: 'taken' }).execute())
      expect(wrapped).toMatchObject({ cause: { code: '23505', constraint: 'neon_http_articles_slug_key' } })
    })

    it('points at a syntax error and sends every error field', async () => {
      const { status, json } = await post(server, { query: 'select nope' })
      expect(status).toBe(400)
      expect(json).toMatchObject({ code: '42703', position: '8', constraint: null, internalQuery: null })
      expect(Object.keys(json)).toHaveLength(17)
    })

    it('refuses several statements in one query', async () => {
      expect(await failureOf(sql`select 1; select 2`)).toMatchObject({ code: '42601' })
    })

    it('commits a batch and gives its results in order', async () => {
      const [, updated, rows] = await db.batch([
        db.insert(articles).values({ slug: 'one' }),
        db
          .update(articles)
          .set({ tags: ['x'] })
          .where(eq(articles.slug, 'one')),
        db.select({ slug: articles.slug, tags: articles.tags }).from(articles),
      ])
      expect(updated.rowCount).toBe(1)
      expect(rows).toEqual([{ slug: 'one', tags: ['x'] }])
      expect((await post(server, { queries: [] })).json).toEqual({ results: [] })
    })

    it('rolls a batch back if a statement fails, and continues to work', async () => {
      await sql`insert into neon_http_articles (slug) values ('taken')`
      const failing = db.batch([
        db.insert(articles).values({ slug: 'lost' }),
        db.insert(articles).values({ slug: 'taken' }),
        db.insert(articles).values({ slug: 'never' }),
      ])
      expect(await failureOf(failing)).toMatchObject({ code: '23505' })
      expect(await db.select({ slug: articles.slug }).from(articles)).toEqual([{ slug: 'taken' }])
    })

    it('refuses malformed requests without running anything', async () => {
      const messageOf = async (body: unknown, given: Options = {}) => {
        const { status, json } = await post(server, body, given)
        return [status, json.message]
      }
      const one = { query: 'select 1' }
      expect(await messageOf(one, { headers: { 'Neon-Connection-String': '' } })).toEqual([
        400,
        'missing header: Neon-Connection-String',
      ])
      for (const name of ['neon-raw-text-output', 'neon-array-mode'])
        expect(await messageOf(one, { headers: { [name]: 'false' } })).toEqual([400, expect.stringContaining(name)])
      const isolation = { headers: { 'Neon-Batch-Isolation-Level': 'Serializable' } }
      expect(await messageOf({ queries: [one] }, isolation)).toEqual([400, expect.stringContaining('not serve')])
      expect(await messageOf({ query: 'select $1', params: [7] })).toEqual([400, '`params` are texts or null'])
      expect(await messageOf('{')).toEqual([400, 'the body is not JSON'])
      expect(await messageOf('null')).toEqual([400, 'missing field `query`'])
      expect(await messageOf({ queries: one })).toEqual([400, '`queries` is not an array'])
      expect(await messageOf({ query: 'select $1', params: {} })).toEqual([400, '`params` is not an array'])
      expect(await messageOf({ query: 'select 1\0' })).toEqual([400, expect.stringContaining('0x00')])
      expect(await messageOf('', { method: 'GET' })).toEqual([405, 'method not allowed'])
      expect(await messageOf(one, { path: '/other' })).toEqual([404, 'not found'])
      expect((await post(server, { query: 'select 1 as n' }, { path: '/sql/anything' })).json.rows).toEqual([['1']])
    })

    it('leaves no transaction, setting or temporary table to the next request', async () => {
      await sql`begin`
      await sql`insert into neon_http_articles (slug) values ('kept')`
      await sql`rollback`
      expect(await sql`select slug from neon_http_articles`).toEqual([{ slug: 'kept' }])
      await sql`set statement_timeout = 4321`
      expect(await sql`show statement_timeout`).toEqual([{ statement_timeout: '0' }])
      await sql`create temp table scratch (a int)`
      expect(await failureOf(sql`select * from scratch`)).toMatchObject({ code: '42P01' })
    })

    it('refuses COPY from the client, alone or in a batch, and continues to work', async () => {
      const copy = '-- rows\ncopy neon_http_articles from stdin'
      expect(await failureOf(sql.query(copy))).toMatchObject({ code: '0A000' })
      const batch = sql.transaction([sql`insert into neon_http_articles (slug) values ('no')`, sql.query(copy)])
      expect(await failureOf(batch)).toMatchObject({ code: '0A000' })
      expect(await sql`select slug from neon_http_articles`).toEqual([])
    })

    it('has pg_trgm', async () => {
      await sql`create extension if not exists pg_trgm`
      expect(await sql`select similarity('word', 'word') as s`).toEqual([{ s: 1 }])
    })

    it('gives each of many parallel requests its own answer', async () => {
      const numbers = Array.from({ length: 100 }, (_, i) => i)
      const query = (n: number) => sql`select ${n}::int as n, repeat('x', ${n}::int) as pad`
      const answers = await Promise.all(numbers.map(query))
      expect(answers).toEqual(numbers.map((n) => [{ n, pad: 'x'.repeat(n) }]))
    })

    it('returns the new columns of a table that changed under a repeated query', async () => {
      await sql`insert into neon_http_articles (slug) values ('a')`
      const read = () => sql`select * from neon_http_articles`
      expect((await read())[0]).not.toHaveProperty('extra')
      await post(server, { queries: [{ query: 'select 1' }] })
      // In one transaction with other statements, so that the connection keeps its prepared statements.
      await sql.transaction([sql`select 1`, sql`truncate neon_http_articles`])
      await read()
      await sql`alter table neon_http_articles add column extra int default 3`
      await sql`insert into neon_http_articles (slug) values ('a')`
      expect((await read())[0]).toHaveProperty('extra', 3)
      await sql`alter table neon_http_articles drop column extra`
      expect((await sql.transaction([read(), read()]))[1]?.[0]).not.toHaveProperty('extra')
    })

    it('runs more distinct statements than a connection prepares, and prepares no more', async () => {
      const queries = Array.from({ length: 520 }, (_, i) => ({ query: `select ${i} as n` }))
      for (let round = 0; round < 2; round += 1) {
        const { json } = await post(server, { queries })
        expect(json.results?.[519]?.rows).toEqual([['519']])
        expect((await post(server, queries[3])).json.rows).toEqual([['3']])
      }
      const [kept] = await sql`select count(*)::int as n from pg_prepared_statements`
      expect(kept?.n).toBeLessThanOrEqual(501)
    })

    it('supports a raw statement through drizzle', async () => {
      const { rows } = await db.execute(rawSql`select ${'a'}::text = any(${rawSql.param(['a', 'b'])}::text[]) as found`)
      expect(rows).toEqual([{ found: true }])
    })
  })
}

describe('Neon endpoint process', () => {
  let dir: string
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'neon-'))
  })
  afterAll(() => rm(dir, { recursive: true, force: true }))

  it('keeps the data of a directory, and makes it again if its first start was interrupted', async () => {
    const place = { dir: join(dir, 'data'), template }
    const server = await spawnNeon({ port: 0, ...place })
    const queries = [{ query: 'create table kept (a int)' }, { query: 'insert into kept values (1), (2)' }]
    expect((await post(server, { queries })).status).toBe(200)
    await server.close()
    expect((await stat(template)).size).toBeGreaterThan(1_000_000)
    const read = { statements: [{ query: 'select sum(a) from kept', params: [] }] }
    const again = await openPglite(place)
    expect(await again.run(read)).toMatchObject([{ rows: [['3']] }])
    await again.close()
    // Without this file it is not a database any more, but it may be someone's data.
    const version = join(place.dir, 'PG_VERSION')
    await rename(version, `${version}.aside`)
    await expect(spawnNeon({ port: 0, ...place })).rejects.toMatchObject({
      name: 'DamagedFile',
      file: place.dir,
      reason: 'PostgreSQL cannot open it (it has no PG_VERSION)',
    })
    expect(existsSync(join(place.dir, 'base'))).toBe(true)
    await writeFile(`${place.dir}.unfinished`, '')
    const restarted = await openPglite(place)
    await expect(restarted.run(read)).rejects.toMatchObject({ fields: { code: '42P01' } })
    await restarted.close()
    expect(existsSync(`${place.dir}.unfinished`)).toBe(false)
    // Made from nothing three times, which a busy machine takes long for.
  }, 120_000)

  it('rejects with the reason when it cannot start', async () => {
    await expect(spawnNeon({ port: 70_000 })).rejects.toThrow('--port')
    const file = join(dir, 'file')
    await writeFile(file, '')
    await expect(spawnNeon({ port: 0, dir: join(file, 'data') })).rejects.toThrow('file already exists')
  })

  it('ends with its parent', async () => {
    const module = fileURLToPath(new URL('../../local/neon/spawn.ts', import.meta.url))
    const options = JSON.stringify({ port: 0, databaseUrl: 'postgres://nobody@127.0.0.1:1/none' })
    const script = `import(${JSON.stringify(module)}).then(async (m) => console.log((await m.spawnNeon(${options})).port))`
    const parent = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [port] = await once(createInterface(parent.stdout), 'line')
    const socket = connect(Number(port), '127.0.0.1')
    await once(socket, 'connect')
    const closed = once(socket.resume(), 'close')
    parent.kill('SIGKILL')
    await closed
  })
})

describe('Neon endpoint without its PostgreSQL', () => {
  it('answers 500 while the server cannot be reached', async () => {
    const backend = openPostgres('postgres://nobody@127.0.0.1:1/none')
    const server = await startNeon({ port: 0, backend })
    for (let i = 0; i < 2; i += 1) {
      const { status, json } = await post(server, { query: 'select 1' })
      expect([status, json]).toEqual([500, { message: expect.stringContaining('ECONNREFUSED') }])
    }
    await server.close()
    await backend.close()
  })

  it.skipIf(databaseUrl === undefined)('recovers by itself when the server is back', async () => {
    const target = new URL(databaseUrl ?? '')
    const sockets = new Set<Socket>()
    const relay = createServer((near) => {
      const far = connect(Number(target.port || 5432), target.hostname)
      for (const socket of [near, far]) sockets.add(socket.on('error', () => undefined))
      near.pipe(far).pipe(near)
    })
    const port = await freePort()
    await once(relay.listen(port, '127.0.0.1'), 'listening')
    const relayed = new URL(target)
    relayed.host = `127.0.0.1:${port}`
    const backend = openPostgres(relayed.href)
    const server = await startNeon({ port: 0, backend })
    const statusOf = async (query: string) => (await post(server, { query })).status
    expect(await statusOf('select 1')).toBe(200)
    const inFlight = post(server, { query: 'select pg_sleep(60)' })
    expect(await statusOf('select 1')).toBe(200)
    const gone = once(relay.close(), 'close')
    for (const socket of sockets) socket.destroy()
    await gone
    expect(await inFlight).toMatchObject({ status: 400, json: { code: '', severity: '', detail: null } })
    expect(await statusOf('select 1')).toBe(500)
    await once(relay.listen(port, '127.0.0.1'), 'listening')
    expect(await statusOf('select 1')).toBe(200)
    await server.close()
    await backend.close()
    relay.close()
  })
})
