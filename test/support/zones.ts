/** A change of a zone's clocks: the first instant of the new offset, and both offsets; all in ms. */
export type ClockChange = { zone: string; at: number; before: number; after: number }

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Returns the zone's offset at an instant, read from the runtime's own words for it (`GMT+05:30`), ms. */
const offsetReader = (zone: string): ((at: number) => number) => {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  return (at) => {
    const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const [, sign, hours, minutes, seconds] = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?/.exec(name) ?? []
    const ms = (Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0)) * 1000
    return sign === '-' ? -ms : ms
  }
}

/** Returns every change of a zone's clocks in so many days, found by halving. */
export const clockChanges = (zone: string, from: number, days: number): ClockChange[] => {
  const offset = offsetReader(zone)
  const changes: ClockChange[] = []
  for (let day = from; day < from + days * DAY_MS; day += DAY_MS) {
    let [low, high] = [day, day + DAY_MS]
    const [before, after] = [offset(low), offset(high)]
    if (before === after) continue
    while (high - low > 1000) {
      const middle = Math.floor((low + high) / 2000) * 1000
      if (offset(middle) === before) low = middle
      else high = middle
    }
    changes.push({ zone, at: high, before, after })
  }
  return changes
}

/** Changes of all zones the runtime knows in the coming 366 days, from a full hour. */
export const comingClockChanges = (): ClockChange[] => {
  const from = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
  return Intl.supportedValuesOf('timeZone').flatMap((zone) => clockChanges(zone, from, 366))
}

/** Returns the wall reading in the middle of the hour that is skipped or shown twice, as `YYYY-MM-DDTHH:MM:SS`. */
export const oddWall = ({ at, before, after }: ClockChange): string => wallAt(at + (after - before) / 2, before)

/** Returns a wall reading of an instant under an offset. */
export const wallAt = (at: number, offset: number): string => new Date(at + offset).toISOString().slice(0, 19)
