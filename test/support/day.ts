import { beforeAll, expect, vi } from 'vitest'
import { wallTime } from '../../src/platform/lib/time.ts'

/** Longer than any test file runs that needs one day from beginning to end. */
const NEEDED_MS = 4 * 60_000

/** So much of a wall time says the day, and so much the month. */
const [DAY, MONTH] = ['2026-11-30'.length, '2026-11'.length]

/** If midnight in a zone is near, waits until it is past, so that the following work is on one day. */
export const wholeDay = async (zone: string, now: () => number = Date.now, part = DAY): Promise<void> => {
  const dayAt = (ms: number) => wallTime(new Date(ms), zone).slice(0, part)
  const lasts = () => {
    const ms = now()
    return dayAt(ms) === dayAt(ms + NEEDED_MS)
  }
  await vi.waitFor(() => expect(lasts()).toBe(true), { timeout: 2 * NEEDED_MS, interval: 250 })
}

/** For test files that reckon with today: they begin when no midnight of a zone is near. */
export const onOneDay = (zone: string): void => beforeAll(() => wholeDay(zone), 2 * NEEDED_MS)

/** The same for those that reckon with this month. */
export const onOneMonth = (zone: string): void => beforeAll(() => wholeDay(zone, Date.now, MONTH), 2 * NEEDED_MS)
