/** @module-tag services */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { ROOT } from '../../local/root.ts'
import { runScript, serviceFolder } from '../support/command.ts'
import { type OwnDatabase, ownDatabase } from '../support/databases.ts'

// Every command is a process of its own, which a busy machine is slow to start.
vi.setConfig({ testTimeout: 90_000 })

const stack = inject('stack')

const migrate = (url: string) => runScript('scripts/migrate.ts', [], { DATABASE_URL: url })

describe('npm run migrate', () => {
  it('finds the running service up to date', async () => {
    const folder = serviceFolder(stack)
    const ended = await runScript('scripts/migrate.ts', ['--dir', folder.dir])
    folder.remove()
    expect(ended).toMatchObject({ code: 0, err: '' })
    expect(ended.out).toMatch(/: up to date\n$/)
  })

  it('explains itself, and refuses unknown options', async () => {
    expect(await runScript('scripts/migrate.ts', ['--help'])).toMatchObject({ code: 0, err: '' })
    const wrong = await runScript('scripts/migrate.ts', ['--dri', 'x'])
    expect(wrong).toMatchObject({ code: 2, out: '' })
    expect(wrong.err).toMatch(/--dri[\s\S]*--dir D/)
  })
})

describe.skipIf(!process.env.DATABASE_URL)('npm run migrate on PostgreSQL', () => {
  const databases: OwnDatabase[] = []
  const query = async <Row extends pg.QueryResultRow>(url: string, statement: string): Promise<Row[]> => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      return (await client.query<Row>(statement)).rows
    } finally {
      await client.end()
    }
  }
  const empty = async (): Promise<string> => {
    const database = await ownDatabase()
    databases.push(database)
    return database.url ?? ''
  }
  const tablesIn = (url: string) =>
    query<{ name: string }>(url, `select tablename as name from pg_tables where schemaname = 'public' order by 1`)
  let url = ''
  beforeAll(async () => {
    url = await empty()
  })
  afterAll(() => Promise.all(databases.map(({ drop }) => drop())))

  it('applies missing migrations once, even by several processes at the same time', async () => {
    const before = await runScript('scripts/admin.ts', ['account', 'show', '--account', '1', '--json'], {
      DATABASE_URL: url,
    })
    expect(before).toMatchObject({ code: 1, json: { error: expect.stringMatching(/not migrated.*npm run migrate/) } })
    const runs = await Promise.all([migrate(url), migrate(url), migrate(url)])
    expect(runs).toMatchObject(Array(3).fill({ code: 0, err: '' }))
    expect(runs.filter(({ out }) => /: applied 0000_init/.test(out))).toHaveLength(1)
    expect(runs.filter(({ out }) => /: up to date\n$/.test(out))).toHaveLength(2)
    expect(await migrate(url)).toMatchObject({ code: 0, out: expect.stringMatching(/: up to date\n$/) })
    expect(await tablesIn(url)).toContainEqual({ name: 'api_keys' })
    const email = `${randomBytes(6).toString('hex')}@test.example`
    const made = await runScript('scripts/admin.ts', ['account', 'create', '--email', email], { DATABASE_URL: url })
    expect(made).toMatchObject({ code: 0, err: '' })
  })

  it('changes nothing if a migration fails, and says why', async () => {
    const broken = await empty()
    await query(broken, 'create table articles (id int)')
    const ended = await migrate(broken)
    expect(ended).toMatchObject({ code: 1, out: '' })
    expect(ended.err).toBe('Migration 0000_init failed, and nothing was changed: relation "articles" already exists\n')
    expect(await tablesIn(broken)).toEqual([{ name: 'articles' }])
    await query(broken, 'drop table articles')
    expect(await migrate(broken)).toMatchObject({ code: 0, err: '' })
  })

  it('shows no credentials', async () => {
    const withPassword = new URL(url)
    withPassword.password = 's3cret'
    const ended = await migrate(withPassword.href)
    expect(ended.code).toBe(0)
    expect(ended.out).not.toContain('s3cret')
  })

  /** Returns the tables, columns, constraints and indexes of a database as text, in one order. */
  const schemaIn = async (url: string): Promise<string[]> => {
    const rows = await query<{ line: string }>(
      url,
      `select table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' || coalesce(column_default, '') as line
         from information_schema.columns where table_schema = 'public'
       union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
         where connamespace = 'public'::regnamespace
       union all select indexdef from pg_indexes where schemaname = 'public'
       order by 1`,
    )
    return rows.map(({ line }) => line)
  }

  it('leads from the tables of release 0.3.0 to those of an empty database', async () => {
    const [upgraded, made] = [await empty(), await empty()]
    await query(upgraded, readFileSync(join(ROOT, 'test/releases/0.3.0/schema.sql'), 'utf8'))
    expect([await migrate(upgraded), await migrate(made)]).toMatchObject(Array(2).fill({ code: 0, err: '' }))
    expect(await schemaIn(upgraded)).toEqual(await schemaIn(made))
  })

  it('refuses a database from before release 0.3.0, and changes nothing', async () => {
    const old = await empty()
    await query(
      old,
      `create schema drizzle; create table drizzle.__drizzle_migrations (id serial, hash text not null, created_at bigint);
       insert into drizzle.__drizzle_migrations (hash, created_at) values ('before', 1795700853659)`,
    )
    const ended = await migrate(old)
    expect(ended).toMatchObject({ code: 1, out: '' })
    expect(ended.err).toMatch(/from before release 0\.3\.0.*Nothing was changed/)
    expect(await tablesIn(old)).toEqual([])
  })
})
