import { beforeAll, expect, vi } from 'vitest'
import { wallTime } from '../../src/lib/time.ts'

/** Longer than a test file takes whose days are to be the same from its beginning to its end. */
const NEEDED_MS = 4 * 60_000

/** Waits until midnight is past where it is near, as a zone counts days: what follows is of one day. */
export const wholeDay = async (zone: string, now: () => number = Date.now): Promise<void> => {
  const dayAt = (ms: number) => wallTime(new Date(ms), zone).slice(0, 10)
  const lasts = () => {
    const ms = now()
    return dayAt(ms) === dayAt(ms + NEEDED_MS)
  }
  await vi.waitFor(() => expect(lasts()).toBe(true), { timeout: 2 * NEEDED_MS, interval: 250 })
}

/** For test files that reckon with today: they begin when no midnight of a zone is near. */
export const onOneDay = (zone: string): void => beforeAll(() => wholeDay(zone), 2 * NEEDED_MS)
