import { instantOfWall, wallTime } from '../../../platform/lib/time.ts'
import type { PagesContext } from '../../front.tsx'
import type { Site } from '../../queries.ts'
import { dayAfter, dayIn, viewerMay } from '../../zone.ts'
import type { Listed, Placed, PlacedPost, PlanConditions } from '../queries.ts'
import { type KindWords, kindOf, kindWords, plannedOf } from '../states.tsx'

/** Article with a date, as the calendar shows it. */
export type Dated = {
  article: Placed
  day: string
  time: string
  words: KindWords | undefined
  /** Name of its site, if the calendar shows several sites. */
  siteName?: string
}

/** True if the person may give the article another date. */
export const isMovable = ({ status, publish_state, being_written }: Listed): boolean =>
  viewerMay('edit') && (status === 'Planned' || status === 'Draft') && publish_state !== 'publishing' && !being_written

/** True if the article waits for its date, so that its consequence is known. */
export const isPlanned = ({
  status,
  publish_state,
  being_written,
}: Pick<Listed, 'status' | 'publish_state' | 'being_written'>): boolean =>
  status === 'Planned' && publish_state === 'idle' && !being_written

/** Returns an article with its day and time in the site's zone, and what will happen to it. */
export const datedOf = (c: PagesContext, article: Placed, site: Site, conditions: PlanConditions): Dated => {
  const wall = wallTime(new Date(article.at), site.zone)
  return {
    article,
    day: wall.slice(0, 10),
    time: wall.slice(11, 16),
    words: isPlanned(article) ? kindWords(kindOf(c, plannedOf(article), conditions), conditions) : undefined,
  }
}

/** Post on a network, as the calendar shows it. */
export type DatedPost = { post: PlacedPost; day: string; time: string; network: string; siteName?: string }

const SPELT: Partial<Record<PlacedPost['platform'], string>> = {
  googlebusiness: 'Google Business',
  linkedin: 'LinkedIn',
  tiktok: 'TikTok',
  youtube: 'YouTube',
}

/** Returns a post with its day and time in the site's zone, and the name of its network. */
export const datedPostOf = (post: PlacedPost, { zone }: Site): DatedPost => {
  const wall = wallTime(new Date(post.at), zone)
  const network = SPELT[post.platform] ?? post.platform.charAt(0).toUpperCase() + post.platform.slice(1)
  return { post, day: wall.slice(0, 10), time: wall.slice(11, 16), network }
}

/** Month as a grid of whole weeks, Monday first. */
export type Month = {
  /** `YYYY-MM`. */
  name: string
  /** Every day of the grid, `YYYY-MM-DD`. */
  days: string[]
  /** Start of the grid's first day and end of its last one, in the zone. */
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

/** Returns the time at which a day begins in a zone. */
const startOf = (day: string, zone: string): Date => new Date(instantOfWall(Date.parse(`${day}T00:00:00Z`), zone))

const isMonth = (text: string | undefined): text is string =>
  text !== undefined && /^(19[7-9]\d|2\d{3})-(0[1-9]|1[0-2])$/.test(text)

/** Returns the requested month, else the current one in a zone. */
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

/** Returns a line of iCalendar, folded so that no line has more than 75 bytes (RFC 5545, 3.1). */
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
