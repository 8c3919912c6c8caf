/** @module-tag services */
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { expect, inject, it } from 'vitest'
import { cron } from '../../publishing/scene.ts'
import { newAccount, newProject, rowsIn } from '../../support/client.ts'
import { manyKeys } from '../../support/keys.ts'
import { newOwner } from '../people/browser.ts'

const stack = inject('stack')

/** Returns a connection to the database of the stack, with a transaction that has begun to write. */
const writing = async () => {
  const [here] = await rowsIn<{ name: string }>(stack, sql`select current_database() as name`)
  const url = new URL(process.env.DATABASE_URL ?? '')
  url.pathname = `/${here?.name}`
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  await client.query('begin')
  await client.query('select pg_current_xact_id()')
  const add = async (account: number, action: string, subject: string): Promise<number> => {
    const { rows } = await client.query(
      'insert into audit_log (account_id, actor, action, subject) values ($1, $2, $3, $4) returning id',
      [account, 'job:race', action, subject],
    )
    return rows[0].id
  }
  const commit = async () => {
    await client.query('commit')
    await client.end()
  }
  return { add, commit }
}

/** Has two transactions write an entry each: the second to begin draws the smaller id, and commits last. */
const race = async (account: number, action: string, subject: string) => {
  const [older, newer] = [await writing(), await writing()]
  const small = await newer.add(account, action, subject)
  const large = await older.add(account, action, subject)
  expect(large).toBeGreaterThan(small)
  await older.commit()
  return { small, large, commitLast: newer.commit }
}

/** Transactions of other tests on this server hold the feed up until they end. */
const SETTLED = { timeout: 60_000 }

it.runIf(process.env.DATABASE_URL)('a reader of the feed gets an event that commits behind its cursor', async () => {
  const api = manyKeys(stack, await newAccount(stack))
  await newProject(api)
  const { small, large, commitLast } = await race(api.accountId, 'article.raced', 'article:1')
  const seen: number[] = []
  let cursor = 0
  const read = async () => {
    const { body } = await api.get(`/events?after=${cursor}`)
    const { events, after } = body as { events: { id: number; type: string }[]; after: number }
    seen.push(...events.filter(({ type }) => type === 'article.raced').map(({ id }) => id))
    cursor = after
    return seen
  }
  await expect.poll(read, SETTLED).toEqual([large])
  await commitLast()
  await expect.poll(read, SETTLED).toEqual([large, small])
  expect(await read()).toEqual([large, small])
})

it.runIf(process.env.DATABASE_URL)('people get a notice of an event that commits behind the cursor', async () => {
  const { api } = await newOwner(stack)
  const { small, large, commitLast } = await race(api.accountId, 'suggestion.stage', 'suggestion:1')
  const keys = async () => {
    await cron(stack)
    const found = await rowsIn<{ key: string }>(
      stack,
      sql`select key from notices where account_id = ${api.accountId}::int order by id`,
    )
    return found.map(({ key }) => key)
  }
  await expect.poll(keys, SETTLED).toEqual([`entry:${large}`])
  await commitLast()
  await expect.poll(keys, SETTLED).toEqual([`entry:${large}`, `entry:${small}`])
})
