/** @module-tag services */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
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
})
