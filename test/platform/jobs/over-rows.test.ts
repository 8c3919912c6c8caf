import { expect, it } from 'vitest'
import { lastOf, overRows, type Part } from '../../../src/platform/jobs/over-rows.ts'

const BATCH = 2
const ROWS = [1, 2, 3, 4, 5].map((id) => ({ id }))

/** Returns two parts over the same rows, what they handled, and a clock that goes on by `ms` with each batch. */
const work = (ms: number) => {
  const handled: string[] = []
  let time = 0
  const part =
    (name: string): Part =>
    async (after) => {
      const rows = ROWS.filter(({ id }) => id > after).slice(0, BATCH)
      handled.push(...rows.map(({ id }) => `${name}${id}`))
      time += ms
      return lastOf(rows, BATCH)
    }
  return { handled, parts: { a: part('a'), b: part('b') }, now: () => new Date(time) }
}
const ALL = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'b3', 'b4', 'b5']

it('all rows of all parts are handled once, in order', async () => {
  const { handled, parts, now } = work(0)
  expect(await overRows(now, parts, { step: 'a', after: 0 })).toBeNull()
  expect(handled).toEqual(ALL)
})

it.each([4_000, 8_000, 20_000])('runs of limited time continue where the last one ended: %i ms a batch', async (ms) => {
  const { handled, parts, now } = work(ms)
  let runs = 0
  for (let place: Awaited<ReturnType<typeof overRows<'a' | 'b'>>> = { step: 'a', after: 0 }; place; runs += 1)
    place = await overRows(now, parts, place)
  expect(handled).toEqual(ALL)
  expect(runs).toBeGreaterThan(1)
})

it('a run begins at its place, and leaves out the parts before it', async () => {
  const { handled, parts, now } = work(0)
  await overRows(now, parts, { step: 'b', after: 3 })
  expect(handled).toEqual(['b4', 'b5'])
})
