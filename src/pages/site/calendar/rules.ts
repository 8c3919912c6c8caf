import { instantOfWall } from '../../../platform/lib/time.ts'
import { dayAfter, dayIn } from '../../zone.ts'

/** A month as a grid of whole weeks, Monday first. */
export type Month = {
  /** `YYYY-MM`. */
  name: string
  /** Every day of the grid, `YYYY-MM-DD`. */
  days: string[]
  /** Start of the first day and end of the last one, by the clock of the zone. */
  from: Date
  until: Date
  before: string
  after: string
}

const NAMES = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** Returns a month in words: `November 2026`. */
export const monthText = (name: string): string => `${NAMES[Number(name.slice(5, 7)) - 1]} ${name.slice(0, 4)}`

const weekday = (day: string): number => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7

/** Returns the instant at which a day begins by the clock of a zone. */
const startOf = (day: string, zone: string): Date => new Date(instantOfWall(Date.parse(`${day}T00:00:00Z`), zone))

const isMonth = (text: string | undefined): text is string =>
  text !== undefined && /^(19[7-9]\d|2\d{3})-(0[1-9]|1[0-2])$/.test(text)

/** Returns the month that is asked for, else the present one, by the clock of a zone. */
export const monthOf = (asked: string | undefined, now: Date, zone: string): Month => {
  const name = isMonth(asked) ? asked : dayIn(now, zone).slice(0, 7)
  const first = `${name}-01`
  const next = dayAfter(first, 31).slice(0, 7)
  const last = dayAfter(`${next}-01`, -1)
  const start = dayAfter(first, -weekday(first))
  const end = dayAfter(last, 6 - weekday(last))
  const days: string[] = []
  for (let day = start; day <= end; day = dayAfter(day, 1)) days.push(day)
  return {
    name,
    days,
    from: startOf(start, zone),
    until: startOf(dayAfter(end, 1), zone),
    before: dayAfter(first, -1).slice(0, 7),
    after: next,
  }
}

const escaped = (text: string): string => text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n/g, '\\n')

/** Returns a line of iCalendar, folded so that none has more than 75 bytes (RFC 5545, 3.1). */
const folded = (line: string): string => {
  const parts: string[] = []
  let [part, bytes] = ['', 0]
  for (const character of line) {
    const size = new TextEncoder().encode(character).length
    if (bytes + size > 73) {
      parts.push(part)
      ;[part, bytes] = [' ', 1]
    }
    part += character
    bytes += size
  }
  return [...parts, part].join('\r\n')
}

const stamp = (at: Date): string => `${at.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`

type Event = { id: number; title: string; at: Date; url: string; note: string; changed: Date }

/** Returns articles with dates as an iCalendar file. */
export const feedOf = (name: string, host: string, events: readonly Event[]): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${host}//Calendar//EN`,
    `X-WR-CALNAME:${escaped(name)}`,
    ...events.flatMap(({ id, title, at, url, note, changed }) => [
      'BEGIN:VEVENT',
      `UID:article-${id}@${host}`,
      `DTSTAMP:${stamp(changed)}`,
      `DTSTART:${stamp(at)}`,
      'DURATION:PT15M',
      `SUMMARY:${escaped(title)}`,
      `DESCRIPTION:${escaped(note)}`,
      `URL:${url}`,
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
    '',
  ]
    .map(folded)
    .join('\r\n')
