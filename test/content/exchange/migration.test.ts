/** @module-tag services */
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readMigrations } from '../../../scripts/migrations/read.ts'
import { type OwnDatabase, ownDatabase } from '../../support/databases.ts'

let database: OwnDatabase
let db: pg.Client
const migrations = readMigrations()
const at = migrations.findIndex(({ tag }) => tag.endsWith('_credits_held'))

const apply = async (some: typeof migrations) => {
  for (const { statements } of some) for (const statement of statements) await db.query(statement)
}

beforeAll(async () => {
  database = await ownDatabase()
  db = new pg.Client({ connectionString: database.url })
  await db.connect()
  await apply(migrations.slice(0, at))
})
afterAll(async () => {
  await db.end()
  await database.drop()
})

it.runIf(process.env.DATABASE_URL)(
  'projects of before get their welcome once a site, and what was below zero is lifted to zero',
  async () => {
    await db.query(`insert into accounts (email, plan, project_slots) values ('a@b.example', 'pro', 9), ('c@d.example', 'pro', 9);
    insert into projects (account_id, website_url, website_key, status, backlink_credits) values
      (1, 'https://one.example', 'one.example', 'Archived', 2), (1, 'https://one.example', 'one.example', 'Active', -4),
      (1, 'https://two.example', 'two.example', 'Active', 5), (2, 'https://one.example', 'one.example', 'Archived', -1)`)
    await apply(migrations.slice(at))
    const { rows } = await db.query(
      'select id, backlink_credits as credits, backlink_debt as debt from projects order by id',
    )
    expect(rows).toEqual([
      { id: 1, credits: 2, debt: 0 },
      { id: 2, credits: 3, debt: 0 },
      { id: 3, credits: 8, debt: 0 },
      { id: 4, credits: 3, debt: 0 },
    ])
    const entries = await db.query(
      'select project_id, delta, reason, key from exchange_ledger order by project_id, reason',
    )
    expect(entries.rows).toEqual([
      { project_id: 2, delta: 4, reason: 'lifted_to_zero', key: 'lifted:2' },
      { project_id: 2, delta: 3, reason: 'welcome', key: 'welcome:1:one.example' },
      { project_id: 3, delta: 3, reason: 'welcome', key: 'welcome:1:two.example' },
      { project_id: 4, delta: 1, reason: 'lifted_to_zero', key: 'lifted:4' },
      { project_id: 4, delta: 3, reason: 'welcome', key: 'welcome:2:one.example' },
    ])
  },
)
