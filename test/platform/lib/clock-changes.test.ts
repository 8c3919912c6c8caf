import { expect, test } from 'vitest'
import { instantOf, wallTime } from '../../../src/platform/lib/time.ts'
import { comingClockChanges, oddWall, wallAt } from '../../support/zones.ts'

const changes = comingClockChanges()
const zones = new Set(changes.map(({ zone }) => zone))
const iso = (ms: number): string => new Date(ms).toISOString()

test('there are zones to look at: those of Europe, America and half-hour Lord Howe', () => {
  expect([...zones]).toEqual(
    expect.arrayContaining(['Europe/Berlin', 'America/New_York', 'America/Santiago', 'Australia/Lord_Howe']),
  )
  expect(zones.size).toBeGreaterThan(100)
})

test('in every zone a time the clock skips moves forward, and one it shows twice is the first', () => {
  for (const change of changes) {
    const { zone, at, before, after } = change
    const moved = instantOf(oddWall(change), zone)
    const half = (after - before) / 2
    expect([zone, moved.toISOString()]).toEqual([zone, iso(at + half)])
    expect([zone, wallTime(moved, zone)]).toEqual([zone, after > before ? wallAt(at + half, after) : oddWall(change)])
  }
})

test('in every zone the last second before a change and the first after it are right', () => {
  for (const { zone, at, before, after } of changes) {
    expect([zone, wallTime(new Date(at - 1000), zone)]).toEqual([zone, wallAt(at - 1000, before)])
    expect([zone, wallTime(new Date(at), zone)]).toEqual([zone, wallAt(at, after)])
    expect([zone, instantOf(wallAt(at - 1000, before), zone).toISOString()]).toEqual([zone, iso(at - 1000)])
    // After a gap the new clock's first reading is this instant; in an overlap it is the first of two.
    const first = after > before ? at : at + after - before
    expect([zone, instantOf(wallAt(at, after), zone).toISOString()]).toEqual([zone, iso(first)])
  }
})

test('in every zone a date that is read and sent back moves nothing, on both whole days', () => {
  for (const { zone, at, before, after } of changes) {
    for (let step = -48; step < 48; step += 1) {
      const instant = at + step * 1_800_000
      const again = instantOf(wallTime(new Date(instant), zone), zone).getTime()
      const second = after < before && instant >= at && instant < at + before - after
      expect([zone, iso(again)]).toEqual([zone, iso(second ? instant + after - before : instant)])
    }
  }
})
