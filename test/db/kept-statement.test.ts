import { eq, type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { outbox } from '../../schema/kernel.ts'
import { keptStatement } from '../../src/db/kept-statement.ts'
import { statement } from '../../src/db/statement.ts'
import { update } from '../../src/db/write-parts.ts'
import { inRequest, requestIdNow } from '../../src/lib/request-scope.ts'
import { takeNextHeld } from '../../src/publishing/due/statements.ts'
import { claimWithNewDelivery } from '../../src/publishing/send/claim-statements.ts'
import { finishAccepted } from '../../src/publishing/send/end-statements.ts'
import type { Ctx } from '../../src/runtime/ctx.ts'

const dialect = new PgDialect()
const sentAs = (statement: SQL) => {
  const { sql: text, params } = dialect.sqlToQuery(statement)
  return { text, params: params.map((one) => (one instanceof Date ? one.toISOString() : one)) }
}

const NOW = new Date('2026-03-04T05:06:07.089Z')

type Given = { id: number; runAt: Date; error: string | null; payload: object }

const moving = ({ job }: { job: string }, { id, runAt, error, payload }: Given): SQL => {
  const moved = update(
    'moved',
    outbox,
    { job, runAt, lastError: error, payload: payload as Record<string, unknown>, requestId: requestIdNow() ?? null },
    { where: eq(outbox.id, id), returning: { id: outbox.id } },
  )
  return statement({ unaudited: 'a test', parts: [moved], answer: { id: moved.c.id } })
}

const GIVEN: Given = { id: 7, runAt: NOW, error: null, payload: { article_id: 3 } }

test('a kept statement is the one that is made each time, with the values of its own call', () => {
  const kept = keptStatement(moving)
  for (const job of ['one', 'other'])
    for (const given of [GIVEN, { ...GIVEN, id: 8, error: 'no' }, { ...GIVEN, id: 9, payload: {} }])
      expect(sentAs(kept({ job }, given))).toEqual(sentAs(moving({ job }, given)))
})

test('each call has the id of its own request', () => {
  const kept = keptStatement(moving)
  for (const id of ['first', 'second'])
    inRequest(id, () => expect(sentAs(kept({ job: 'one' }, GIVEN))).toEqual(sentAs(moving({ job: 'one' }, GIVEN))))
  expect(sentAs(kept({ job: 'one' }, GIVEN)).params).toContain(null)
})

test('the text is made once', () => {
  let made = 0
  const kept = keptStatement((shape: { job: string }, values: Given) => {
    made += 1
    return moving(shape, values)
  })
  for (let n = 0; n < 10; n += 1) kept({ job: 'one' }, { ...GIVEN, id: n })
  expect(made).toBe(2)
})

test('a statement that computes with a value throws, unless it says so', () => {
  const make = (_: 'later', { at }: { at: Date }): SQL => sql`select ${new Date(at.getTime() + 1_000).toISOString()}`
  expect(() => keptStatement(make)('later', { at: NOW })).toThrow('a parameter that is none of its values')
  const kept = keptStatement(make, ({ at }) => ({ later: new Date(at.getTime() + 1_000) }))
  expect(sentAs(kept('later', { at: NOW })).params).toEqual(['2026-03-04T05:06:08.089Z'])
})

test('a value in the text itself throws', () => {
  const make = (_: 'raw', { id }: { id: number }): SQL => sql`select ${sql.raw(String(id))}`
  expect(() => keptStatement(make)('raw', { id: 1 })).toThrow('depends on its values')
})

test('what is computed of another kind than for most values is made each time', () => {
  const evenOf = (id: number): number | null => (id % 2 === 0 ? id / 2 : null)
  const make = (_: 'even', { id }: { id: number }): SQL => sql`select ${evenOf(id)}, ${id}`
  const kept = keptStatement(make, ({ id }) => ({ even: evenOf(id) }))
  for (const id of [1, 2, 3, 4]) expect(sentAs(kept('even', { id }))).toEqual(sentAs(make('even', { id })))
})

/** What of a context the statements of a publication read; `run` is that of a job. */
const ctxOf = (run: Ctx['run']): Ctx => {
  const keep = { answer: () => undefined, running: () => undefined, done: () => undefined }
  return { actor: () => 'job:publishing.publish_due', now: () => NOW, keep, ...(run ? { run } : {}) } as unknown as Ctx
}
const RUN = { id: 1, attempts: 1, leaseUntil: NOW }

const attempt = (n: number, live: boolean) => ({
  ...{ accountId: n, projectId: n + 1, integrationId: n + 2, platform: 'webhook', articleId: n + 3, replayOf: null },
  ...{ deliveryId: n + 4, number: n, lease: new Date(NOW.getTime() + n), lookups: 0, revision: n + 5, live },
  request: {
    ...{ key: `key ${n}`, event: 'publish_articles' as const, origin: 'here', updateOnly: false, hostImages: false },
    article: { id: `${n}`, title: `Title ${n}` } as never,
    firstSentAt: new Date(NOW.getTime() - n).toISOString(),
  },
  takesNext: false,
})

test.each(['a request', undefined])(
  'claim and end of a publication are the same by a job, whose texts are kept, as by a caller (%s)',
  (id) => {
    const scoped = <T>(work: () => T): T => (id === undefined ? work() : inRequest(id, work))
    scoped(() => {
      for (const n of [1, 2, 3])
        for (const live of [true, false]) {
          const of = attempt(n, live)
          for (const onDate of [true, false]) {
            const claim = { ...of, attempt: of, readRevision: of.revision, onDate, byClock: true, replaces: null }
            expect(sentAs(claimWithNewDelivery(ctxOf(RUN), claim))).toEqual(
              sentAs(claimWithNewDelivery(ctxOf(undefined), claim)),
            )
          }
          for (const url of ['https://blog.example/a', 'no address', undefined, 'https://'])
            for (const text of [undefined, '{}', 'https://blog.example/a']) {
              const answer = text === undefined ? {} : { httpStatus: 200, excerpt: text }
              const durationMs = text === undefined ? null : n
              const ending = { status: 'delivered' as const, error: null, nextAt: null, durationMs, answer }
              const taken = { publishedAt: live ? NOW : null, url, remoteId: text }
              const end = (run: Ctx['run']) => sentAs(finishAccepted(ctxOf(run), of, ending, taken, {} as never))
              expect(end(RUN)).toEqual(end(undefined))
            }
        }
    })
  },
)

test('taking the next late article names its own project and lease', () => {
  const later = new Date(NOW.getTime() + 5)
  const [one, other] = [takeNextHeld(NOW, 11, later), takeNextHeld(later, 12, NOW)].map(sentAs)
  expect(other?.text).toBe(one?.text)
  expect(one?.params).toContain(`:${NOW.getTime()}`)
  expect(one?.params).toContain(11)
  expect(other?.params).toContain(12)
  expect(other?.params).not.toContain(11)
})
