import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { OPERATIONS } from '../../src/operations.ts'
import { scopesOf } from '../../src/platform/accounts/scopes.ts'
import type { Operation } from '../../src/platform/http/operation.ts'
import { type Api, anotherKey, newAccount, newArticle, rowsIn } from '../support/client.ts'
import { bodyOf, newThings, pathTo, type Things } from '../support/contract.ts'
import { ownFaults } from '../support/faults.ts'
import { type SharedStack, sharedOf } from '../support/global.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { checksums } from '../support/rows.ts'
import { borrowTestStack, type TestStack } from '../support/stack.ts'

const WRITES = OPERATIONS.filter(({ method }) => method !== 'GET')
/** Most statements of a batch. */
const MOST = 24

let own: TestStack
let stack: SharedStack
let api: Api
let things: Things

beforeAll(async () => {
  own = await borrowTestStack({ timeScale: 10 })
  stack = sharedOf(own)
  api = await newAccount(stack, {}, scopesOf('admin'))
  things = await newThings(api, stack)
})
afterAll(() => own.close())

/** Waits until the work of earlier calls has ended, so that every later change comes from the tested call. */
const endWork = () =>
  vi.waitFor(
    async () => {
      const rows = await rowsIn<{ held: boolean }>(
        stack,
        sql`with open as (select id, lease_until > now() as held from outbox where done_at is null and dead_at is null),
            ended as (update outbox o set done_at = now() from open where o.id = open.id and open.held is not true)
          select held from open where held`,
      )
      if (rows.length > 0) throw new Error(`${rows.length} jobs are running`)
    },
    { timeout: PATIENCE_MS, interval: 100 },
  )

/** Returns the place of an operation in the order. Those that remove the project's receiver are last. */
const turnOf = ({ id }: Operation): number =>
  id.startsWith('integrations.') ? (id === 'integrations.connect' ? 2 : 1) : 0

it('leaves every row as it was when the connection breaks between two statements of a write', async () => {
  const faults = ownFaults(stack.neonUrl)
  const cuts: string[] = []
  for (const op of WRITES.toSorted((one, other) => turnOf(one) - turnOf(other))) {
    const of = op.id === 'articles.delete' ? { ...things, article: await newArticle(api, things.project) } : things
    const caller = await anotherKey(stack, api, scopesOf('admin'))
    for (let cut = 1; cut <= MOST; cut += 1) {
      await endWork()
      const before = await checksums(stack)
      const requestId = `cut-${cut}-${op.id.replaceAll(/\W/g, '-')}`
      await faults.set({ body: requestId, cut, times: 1 })
      const headers = {
        'x-request-id': requestId,
        ...(op.method === 'POST' ? { 'idempotency-key': `cut ${op.id}` } : {}),
      }
      const answer = await caller.call(op.method, pathTo(op, of), { body: bodyOf(op, of.project), headers })
      if (answer.body.code !== 'unavailable') break
      cuts.push(`${op.id} after ${cut}`)
      expect({ op: op.id, cut, ...(await checksums(stack)) }).toEqual({ op: op.id, cut, ...before })
    }
  }
  await faults.clear()
  expect(cuts.length).toBeGreaterThan(WRITES.length)
})
