import { afterAll, beforeAll, expect, test } from 'vitest'
import { OUTREACH_KINDS, type OutreachKind } from '../../schema/values/outreach.ts'
import { action, entitled, identity, lead, person, type Rows } from '../reach/outreach/rows.ts'
import type { Api } from '../support/client.ts'
import { manyKeys } from '../support/keys.ts'
import { startTestStack, type TestStack, targetOf } from '../support/stack.ts'

/** LONG_ROWS asks for another size. */
const ROWS = Number(process.env.LONG_ROWS ?? 20_000)
const SEED = Number(process.env.LONG_SEED ?? Date.now() % 2 ** 31)
const BATCH = 1_000

let stack: TestStack
beforeAll(async () => {
  stack = await startTestStack()
}, 120_000)
afterAll(() => stack.close())

type Sent = { kind: OutreachKind; row: Record<string, unknown> & { id: string } }

/** Numbers from 0 to 1 that a seed brings again (mulberry32). */
const randomOf = (seed: number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
const random = randomOf(SEED)

const shuffled = <T>(values: readonly T[]): T[] => {
  const all = [...values]
  for (let n = all.length - 1; n > 0; n -= 1) {
    const other = Math.floor(random() * (n + 1))
    ;[all[n], all[other]] = [all[other] as T, all[n] as T]
  }
  return all
}

/** Returns the newest row of each id. */
const mirrorOf = (count: number): Sent[] => {
  const sent: Sent[] = []
  for (let n = 0; n < count / 5; n += 1) {
    const id = `x${n}`
    const at = `2026-05-0${1 + (n % 9)}T10:00:00.${String(n % 1_000_000).padStart(6, '0')}Z`
    sent.push(
      {
        kind: 'persons',
        row: person(id, { email: `${id}@d${n % 500}.example`, updated_at: at, n, extra: { tags: ['a', n] } }),
      },
      { kind: 'identities', row: identity(id, id, `${id}@home.example`) },
      { kind: 'leads', row: lead(id, id, { stage: n % 2 ? 'won' : 'lost', updated_at: at }) },
      { kind: 'actions', row: action(id, id) },
      {
        kind: 'suppressions',
        row: { id, kind: n % 3 ? 'email' : 'person', value: n % 3 ? `gone${n}@x.example` : `gone${n}` },
      },
    )
  }
  return sent
}

/** Returns an earlier version of a row that has one. */
const older = ({ kind, row }: Sent): Sent[] =>
  'updated_at' in row
    ? [{ kind, row: { ...row, updated_at: '2026-04-01T00:00:00Z', stage: 'older', full_name: 'Older' } }]
    : []

/** Returns batches of rows in their order. A new batch begins when a kind is full. */
const inBatches = (sent: readonly Sent[]): Rows[] => {
  const made: Record<OutreachKind, Record<string, unknown>[]>[] = []
  const empty = () => Object.fromEntries(OUTREACH_KINDS.map((kind) => [kind, []])) as never
  for (const { kind, row } of sent) {
    const last = made.at(-1)
    if (!last || last[kind].length === BATCH) made.push(empty())
    made.at(-1)?.[kind].push(row)
  }
  return made
}

const syncAll = async (api: Api, sent: readonly Sent[]): Promise<void> => {
  for (const batch of inBatches(sent)) {
    const { status, text } = await api.post('/outreach/sync', batch)
    if (status !== 200) throw new Error(`${status} ${text.slice(0, 300)}`)
  }
}

/** Returns the rows of an export as sorted texts, fields in one order. */
const exported = async (api: Api): Promise<string[]> => {
  const { status, text } = await api.get('/outreach/export')
  expect(status).toBe(200)
  const lines = text.trimEnd().split('\n')
  expect(JSON.parse(lines.at(-1) ?? '{}')).toMatchObject({ kind: 'end' })
  return lines.slice(0, -1).map(ordered).sort()
}

const ordered = (line: string): string =>
  textOf(JSON.parse(line) as { kind: string; row: object; suppressed?: boolean })
const textOf = ({ kind, row, suppressed }: { kind: string; row: object; suppressed?: boolean }): string =>
  `${kind} ${JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)))} ${suppressed ?? false}`

const opened = async (): Promise<Api> => {
  const target = targetOf(stack)
  return manyKeys(target, await entitled(target))
}

test(`a mirror of ${ROWS} rows synced in random orders with repeats is exported and restored equal (seed ${SEED})`, async () => {
  const newest = mirrorOf(ROWS)
  const repeats = newest.filter(() => random() < 0.2)
  const here = await opened()
  await syncAll(here, shuffled([...newest, ...newest.flatMap(older), ...repeats]))
  const expected = newest.map((sent) => textOf(sent)).sort()
  const first = await exported(here)
  expect(first.length).toBe(expected.length)
  expect(first).toEqual(expected)

  const there = await opened()
  const restored = (await here.get('/outreach/export')).text
    .trimEnd()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Sent)
  await syncAll(there, shuffled(restored))
  expect(await exported(there)).toEqual(first)
  await syncAll(here, shuffled(newest.flatMap(older)).slice(0, 5_000))
  expect(await exported(here)).toEqual(first)
})
