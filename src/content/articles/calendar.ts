import { DAY_MS, instantOfWall, wallTime } from '../../platform/lib/time.ts'

const HOUR_MS = 3_600_000
/** Days that plans call a month. */
const MONTH_DAYS = 30
/** Between two articles of one day, hours, while a day has room for that. */
const STEP_HOURS = 6

type Planning = {
  /** The first article goes out on the day after this instant, as the project's zone counts days. */
  from: Date
  count: number
  articlesPerMonth: number
  /** Wall time `HH:MM` in `timezone` (IANA name). */
  publishTime: string
  timezone: string
  /** Instants already in use; none of them is given out again. */
  taken: readonly Date[]
}

/** Returns the wall reading (ms, as if UTC) of the n-th place in the calendar: even over 30 days, several a day 6 hours apart. */
const wallOf = (n: number, firstDay: number, articlesPerMonth: number, publishMs: number): number => {
  const perDay = Math.max(1, Math.ceil(articlesPerMonth / MONTH_DAYS))
  const day = perDay === 1 ? Math.floor((n * MONTH_DAYS) / articlesPerMonth) : Math.floor(n / perDay)
  const step = Math.min(STEP_HOURS, 24 / perDay) * HOUR_MS
  return firstDay + day * DAY_MS + publishMs + (perDay === 1 ? 0 : n % perDay) * step
}

const MINUTE_MS = 60_000
const STEP_MINUTES = STEP_HOURS * 60
const DAY_MINUTES = 24 * 60

/** Returns the day of a planned date, and how many minutes behind the publish time of that day it is: whole steps of six hours. */
export const placeOf = (
  at: Date,
  { publishTime, timezone }: Pick<Planning, 'publishTime' | 'timezone'>,
): { scheduledDay: string; scheduledStep: number } => {
  const wall = Date.parse(`${wallTime(at, timezone)}Z`)
  const [hours = 0, minutes = 0] = publishTime.split(':').map(Number)
  const behind = (wall / MINUTE_MS - hours * 60 - minutes) % DAY_MINUTES
  const scheduledStep = (Math.round(((behind + DAY_MINUTES) % DAY_MINUTES) / STEP_MINUTES) * STEP_MINUTES) % DAY_MINUTES
  const first = wall - scheduledStep * MINUTE_MS
  return { scheduledDay: new Date(first).toISOString().slice(0, 10), scheduledStep }
}

/**
 * Returns the dates of `count` planned articles: evenly over 30 days at the project's publish time, strictly increasing, none of
 * them in `taken`. A time the clock skips moves forward by the gap, one it shows twice is the first of the two.
 *
 * A place that is taken is left out, and the last articles move past the month for it.
 */
export const planDates = (planning: Planning): Date[] => {
  const { from, count, articlesPerMonth, publishTime, timezone, taken } = planning
  const used = new Set(taken.map((date) => date.getTime()))
  const [hours = 0, minutes = 0] = publishTime.split(':').map(Number)
  const publishMs = hours * HOUR_MS + minutes * 60_000
  const firstDay = Date.parse(`${wallTime(from, timezone).slice(0, 10)}T00:00:00Z`) + DAY_MS
  const dates: Date[] = []
  let last = from.getTime()
  for (let n = 0; dates.length < count; n += 1) {
    const instant = instantOfWall(wallOf(n, firstDay, articlesPerMonth, publishMs), timezone)
    if (instant <= last || used.has(instant)) continue
    last = instant
    dates.push(new Date(instant))
  }
  return dates
}
