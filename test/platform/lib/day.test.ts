import { expect, it } from 'vitest'
import { wholeDay } from '../../support/day.ts'

/** Returns the end of the wait of a file that begins at an instant, with a clock that moves half a minute at each look. */
const endOf = async (zone: string, begin: string): Promise<string> => {
  let last = ''
  let next = Date.parse(begin)
  await wholeDay(zone, () => {
    last = new Date(next).toISOString()
    next += 30_000
    return Date.parse(last)
  })
  return last
}

it.each([
  ['UTC', '2026-11-30T12:00:00.000Z', '2026-11-30T12:00:00.000Z'],
  ['UTC', '2026-11-30T23:55:00.000Z', '2026-11-30T23:55:00.000Z'],
  ['UTC', '2026-11-30T23:59:00.000Z', '2026-12-01T00:00:00.000Z'],
  ['America/Los_Angeles', '2026-11-30T23:59:00.000Z', '2026-11-30T23:59:00.000Z'],
  ['America/Los_Angeles', '2026-12-01T07:58:30.000Z', '2026-12-01T08:00:00.000Z'],
])('in %s a file that begins at %s goes on at %s', async (zone, begin, end) => {
  expect(await endOf(zone, begin)).toBe(end)
})
