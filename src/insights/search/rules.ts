import { DAY_MS, wallTime } from '../../platform/lib/time.ts'
import type { Days } from './port.ts'

/** Search Console counts days in this zone. */
export const ZONE = 'America/Los_Angeles'

/** Sixteen months: what Search Console keeps. */
export const MAX_HISTORY_DAYS = 488

/** Days until Google calls its numbers final. */
const FINAL_AFTER_DAYS = 3
/** Returns a day (`YYYY-MM-DD`) moved by so many days. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

/** Returns the number of days from one to the other, both included. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS) + 1

/** Returns the last day whose numbers are final, if Google is not late. */
export const lastFinalDay = (now: Date): string => addDays(wallTime(now, ZONE).slice(0, 10), -FINAL_AFTER_DAYS)

/**
 * Returns the last final day of an answer by days, `last` at the latest: the day before the first that Google has not finished, else
 * the newest with a row. Undefined if there is no row.
 */
export const finalDayIn = ({ rows, firstOpenDay }: Days, last: string): string | undefined => {
  if (firstOpenDay !== undefined) return firstOpenDay > last ? last : addDays(firstOpenDay, -1)
  const days = rows.map(({ keys: [day = ''] }) => day)
  return days
    .filter((day) => day <= last)
    .sort()
    .at(-1)
}

export type Range = { start_date: string; end_date: string; days: number }

/** Returns the last `days` days up to one. */
export const rangeOf = (end: string, days: number): Range => ({
  start_date: addDays(end, 1 - days),
  end_date: end,
  days,
})

/** As many days before a range. */
export const rangeBefore = ({ start_date: start, days }: Range): Range => ({
  start_date: addDays(start, -days),
  end_date: addDays(start, -1),
  days,
})

/** Length of the periods that are compared page by page, in days. */
export const WINDOW_DAYS = 28

/** 1970-01-01 was a Thursday. */
const isThursday = (day: string): boolean => (Date.parse(`${day}T00:00:00Z`) / DAY_MS) % 7 === 0

/** Returns the last Thursday up to the last final day: the suggestions of Monday morning (UTC) look at the weeks up to it. */
export const lastWindowEnd = (final: string): string => {
  let day = final
  while (!isThursday(day)) day = addDays(day, -1)
  return day
}

/** Enough impressions, and near enough to the top, that a better page would be clicked. */
export const isStrikingDistance = (row: { impressions: number; position: number }): boolean =>
  row.impressions >= 10 && row.position >= 4 && row.position <= 20

const hostOf = (url: string): string | undefined => URL.parse(url)?.hostname.replace(/^www\./, '')

const DOMAIN = 'sc-domain:'

const folderOf = ({ pathname }: URL): string => (pathname.endsWith('/') ? pathname : `${pathname}/`)

/** True if a prefix property is the website: the same protocol, host and path. */
const isSite = (prefix: URL, website: URL): boolean =>
  prefix.origin === website.origin && folderOf(prefix) === folderOf(website)

/**
 * Returns a rank for a property that covers a website; 0 if it covers none of it.
 *
 * The prefix that is the website comes before domains, domains before other prefixes, and the narrowest of each first.
 */
const fitOf = (property: string, website: string): number => {
  const host = hostOf(website)
  if (host === undefined) return 0
  if (property.startsWith(DOMAIN)) {
    const domain = hostOf(`https://${property.slice(DOMAIN.length)}`)
    if (domain === undefined) return 0
    return host === domain || host.endsWith(`.${domain}`) ? 1_000_000 + domain.length : 0
  }
  if (hostOf(property) !== host) return 0
  const [prefix, wanted] = [URL.parse(property), URL.parse(website)]
  if (!prefix || !wanted || prefix.port !== wanted.port || !folderOf(wanted).startsWith(prefix.pathname)) return 0
  if (isSite(prefix, wanted)) return 2_000_000 + prefix.pathname.length
  return (
    1_000 +
    prefix.pathname.length * 4 +
    (prefix.hostname === wanted.hostname ? 2 : 0) +
    (prefix.protocol === 'https:' ? 1 : 0)
  )
}

/** Returns the property that covers a website best; undefined when none does. */
export const propertyFor = (properties: readonly string[], website: string): string | undefined => {
  const [best] = properties
    .map((property) => ({ property, fit: fitOf(property, website) }))
    .filter(({ fit }) => fit > 0)
    .sort((a, b) => b.fit - a.fit)
  return best?.property
}

/** Returns the website whose pages alone count where a property has more; empty where the property has no others, or none of it. */
export const filterFor = (property: string, website: string): string => {
  const wanted = URL.parse(website)
  if (!wanted || fitOf(property, website) === 0) return ''
  if (property.startsWith(DOMAIN)) return `${wanted.origin}${folderOf(wanted)}`
  // A prefix of the site by http, or with www, has pages of its own origin only. `/de` without a slash has those of `/design` too.
  const { origin, pathname } = new URL(property)
  return pathname === folderOf(wanted) ? '' : `${origin}${folderOf(wanted)}`
}
