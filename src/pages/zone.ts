import type { Role } from '../../schema/values/people.ts'
import { has, type Right } from '../accounts/people/roles.ts'
import { DAY_MS, wallTime } from '../platform/lib/time.ts'

/** Zone and current time by which a page shows times. */
export type Clock = { zone: string; now: Date }

/** Clock of a page, and the role of the person who sees it. */
type Scene = Clock & { role?: Role | undefined }

let present: Scene = { zone: 'UTC', now: new Date(0) }

/**
 * Draws a page with its clock and role.
 *
 * A page is drawn synchronously, so no other request can change the scene during it. hono's own context would add its
 * browser renderer, 5 KiB, to every Worker.
 */
export const drawnBy = <Page>(scene: Scene, draw: () => Page): Page => {
  present = scene
  return draw()
}

/** Returns the clock of the page that is being drawn. */
export const clockOfPage = (): Clock => present

/** True if the person who sees the page has a right. */
export const viewerMay = (right: Right): boolean => present.role !== undefined && has(present.role, right)

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Returns the display name of a zone: `Europe/Paris` is Paris. */
export const placeOf = (zone: string): string => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')

/** Returns the local day of a time in a zone, `YYYY-MM-DD`. */
export const dayIn = (at: Date, zone: string): string => wallTime(at, zone).slice(0, 10)

/** Returns the local time of day in a zone, `HH:MM`. */
export const timeIn = (at: Date, zone: string): string => wallTime(at, zone).slice(11, 16)

/** Returns the day a number of days later, `YYYY-MM-DD`. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

/** Returns a day in words: `Thu 26 Nov`. Adds the year if it is not the current one. */
export const dayText = (day: string, today: string): string => {
  const at = new Date(`${day}T00:00:00Z`)
  const year = day.slice(0, 4) === today.slice(0, 4) ? '' : ` ${day.slice(0, 4)}`
  return `${DAYS[at.getUTCDay()]} ${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]}${year}`
}

/** Returns a time in words, by a clock: `tomorrow 09:00`, `Thu 26 Nov, 09:00`. */
export const momentText = (at: Date, { zone, now }: Clock): string => {
  const [wall, today] = [wallTime(at, zone), dayIn(now, zone)]
  const [day, time] = [wall.slice(0, 10), wall.slice(11, 16)]
  const near = new Map([
    [today, 'today'],
    [dayAfter(today, 1), 'tomorrow'],
    [dayAfter(today, -1), 'yesterday'],
  ]).get(day)
  return near === undefined ? `${dayText(day, today)}, ${time}` : `${near} ${time}`
}
