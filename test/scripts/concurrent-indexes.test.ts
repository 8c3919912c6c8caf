/** @module-tag services */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migratePostgres } from '../../scripts/migrations/apply.ts'
import { type OwnDatabase, ownDatabase } from '../support/databases.ts'

const TABLE = { tag: '0000_table', when: 1, hash: 'a', statements: ['create table things (id int, name text)'] }
const INDEX = {
  tag: '0001_index',
  when: 2,
  hash: 'b',
  statements: ['create unique index concurrently "things_id" on "things" using btree ("id");'],
}
const COLUMN = { tag: '0002_column', when: 3, hash: 'c', statements: ['alter table things add column size int'] }
const LATE = { tag: '0003_late', when: 4, hash: 'd', statements: ['alter table things add column weight int'] }

describe.skipIf(!process.env.DATABASE_URL)('a migration that builds an index concurrently', () => {
  let database: OwnDatabase
  const clients: pg.Client[] = []
  const connect = async (name = 'test'): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: database.url, application_name: name })
    await client.connect()
    clients.push(client)
    return client
  }
  const isValid = async (client: pg.Client): Promise<boolean | undefined> => {
    const { rows } = await client.query<{ valid: boolean }>(
      `select indisvalid as valid from pg_index where indexrelid = to_regclass('things_id')`,
    )
    return rows[0]?.valid
  }
  beforeAll(async () => {
    database = await ownDatabase()
  })
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.end()))
    await database.drop()
  })

  it('is applied between transactional ones, rebuilds an interrupted index, and does not block writers', async () => {
    const [client, holder, writer] = [await connect(), await connect(), await connect()]
    expect(await migratePostgres(client, holder, [TABLE])).toEqual(['0000_table'])
    await writer.query(`insert into things values (1, 'one'), (1, 'one again')`)

    await expect(migratePostgres(client, holder, [TABLE, INDEX, COLUMN])).rejects.toThrow(
      /0001_index stopped\. Run it again/,
    )
    expect(await isValid(client)).toBe(false)

    await writer.query(`delete from things where name = 'one again'`)
    // Its transaction is under way while the index is built, which a lock on the table would wait for or hold up.
    await writer.query('begin')
    await writer.query('select count(*) from pg_class')
    const migrating = migratePostgres(client, holder, [TABLE, INDEX, COLUMN])
    await writer.query(`insert into things values (2, 'two')`)
    await writer.query('commit')
    expect(await migrating).toEqual(['0001_index', '0002_column'])
    expect(await isValid(client)).toBe(true)
    await expect(writer.query(`insert into things values (2, 'two again')`)).rejects.toThrow(/things_id/)
    expect(await migratePostgres(client, holder, [TABLE, INDEX, COLUMN])).toEqual([])
  })

  it('does not wait for other migrations, which hold no transaction while they wait', async () => {
    const [client, holder] = [await connect('migrating'), await connect()]
    const [other, looker] = [await connect(), await connect()]
    const seen = async (name: string) =>
      (
        await looker.query(`select state, wait_event_type, query from pg_stat_activity where application_name = $1`, [
          name,
        ])
      ).rows[0]
    await migratePostgres(client, holder, [TABLE, INDEX, COLUMN])
    // The first migration has the lock, and a table that is locked keeps it from its end.
    await other.query('begin; lock table things')
    const migrating = migratePostgres(client, holder, [TABLE, INDEX, COLUMN, LATE])
    await expect.poll(() => seen('migrating')).toMatchObject({ wait_event_type: 'Lock' })
    const waiting = migratePostgres(await connect(), await connect('waiting'), [TABLE, INDEX, COLUMN, LATE])
    await expect.poll(() => seen('waiting'), { interval: 20 }).toMatchObject({ state: 'idle', query: 'rollback' })
    await other.query('commit')
    expect(await Promise.all([migrating, waiting])).toEqual([['0003_late'], []])
  })
})
