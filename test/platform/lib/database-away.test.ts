import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDb, type Db, databaseFields, isDatabaseAway } from '../../../src/platform/db/client.ts'
import { guardDatabase } from '../../../src/platform/runtime/ctx.ts'

/** The answer has no code, because the database sent none. */
const BROKEN = JSON.stringify({ message: 'connection closed', code: '', severity: '', detail: null })
/** Resolves when the service has ended the request that got no answer. */
const ended = Promise.withResolvers<void>()
/**
 * Endpoint that answers by the statement's text: `402` with that status, `late` never, `broken` as Neon does if its connection to the
 * database broke, any other with half an answer.
 */
const server = createServer((req, res) => {
  let text = ''
  req
    .on('data', (chunk) => (text += chunk))
    .on('end', () => {
      const [, status] = /select (\d{3})/.exec(text) ?? []
      if (text.includes('late')) return res.on('close', () => ended.resolve())
      if (text.includes('broken')) return res.writeHead(400).end(BROKEN)
      if (status) return res.writeHead(Number(status)).end('exceeded the compute time quota')
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' })
      res.write('{"rows": [', () => res.destroy())
    })
})
let db: Db
const WAIT_MS = 1_000
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  db = createDb('postgresql://u:p@db.example.test/main', `http://127.0.0.1:${port}/sql`, WAIT_MS)
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
})

const faultOf = (statement: string): Promise<unknown> =>
  db.execute(sql.raw(statement)).then(
    () => undefined,
    (error: unknown) => error,
  )

it('a call without an answer in its time is ended, and the database is away', async () => {
  const startedAt = performance.now()
  const fault = await faultOf('select late')
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(WAIT_MS - 10)
  expect(isDatabaseAway(fault)).toBe(true)
  expect(databaseFields(fault)).toMatchObject({ cause: 'TimeoutError' })
  await ended.promise
})

it.each([
  ['an answer that breaks off', 'insert into articles default values', 'TypeError'],
  ['a connection that broke behind Neon', 'insert into broken default values', 'NeonDbError'],
])('%s is a database that is away, and of a write nobody knows the outcome', async (_, statement, cause) => {
  const fault = await faultOf(statement)
  expect(isDatabaseAway(fault)).toBe(true)
  expect(databaseFields(fault)).toEqual({ cause, code: undefined, http_status: undefined })
  await expect(guardDatabase(Promise.reject(fault), true)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('not known whether'),
    cause: fault,
  })
})

it('if an endpoint refuses, the log has its status, and none of its words', async () => {
  const fault = await faultOf('select 402')
  expect(isDatabaseAway(fault)).toBe(true)
  expect(databaseFields(fault)).toEqual({ cause: 'NeonDbError', code: undefined, http_status: 402 })
})
