import { DAY_MS, wallTime } from '../../platform/lib/time.ts'
import type { Days } from './port.ts'

/** Time zone of the days in Search Console. */
export const ZONE = 'America/Los_Angeles'

/** Days of history that Search Console has: sixteen months. */
export const MAX_HISTORY_DAYS = 488

/** Days until Google's numbers are final. */
const FINAL_AFTER_DAYS = 3
/** Returns a day (`YYYY-MM-DD`) moved by a number of days. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

/** Returns the number of days from one to the other, both included. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS) + 1

/** Returns the last day whose numbers are final, if Google is not late. */
export const lastFinalDay = (now: Date): string => addDays(wallTime(now, ZONE).slice(0, 10), -FINAL_AFTER_DAYS)

/**
 * Returns the last final day of an answer by days, at most `last`.
 *
 * It is the day before the first day that Google has not finished. If Google does not report that day, it is the newest day
 * with a row; undefined without rows.
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

/** Returns the `days` days that end with `end`. */
export const rangeOf = (end: string, days: number): Range => ({
  start_date: addDays(end, 1 - days),
  end_date: end,
  days,
})

/** Returns the range of the same length before a range. */
export const rangeBefore = ({ start_date: start, days }: Range): Range => ({
  start_date: addDays(start, -days),
  end_date: addDays(start, -1),
  days,
})

/** Length in days of the periods that are compared page by page. */
export const WINDOW_DAYS = 28

/** True if a day is a Thursday, as 1970-01-01 was. */
const isThursday = (day: string): boolean => (Date.parse(`${day}T00:00:00Z`) / DAY_MS) % 7 === 0

/**
 * Returns the last Thursday up to the last final day.
 *
 * The suggestion runs of Monday morning (UTC) use the weeks up to it.
 */
export const lastWindowEnd = (final: string): string => {
  let day = final
  while (!isThursday(day)) day = addDays(day, -1)
  return day
}

/** True if a page has enough impressions and is near enough to the top that a better page would be clicked. */
export const isStrikingDistance = (row: { impressions: number; position: number }): boolean =>
  row.impressions >= 10 && row.position >= 4 && row.position <= 20

const hostOf = (url: string): string | undefined => URL.parse(url)?.hostname.replace(/^www\./, '')

const DOMAIN = 'sc-domain:'

const folderOf = ({ pathname }: URL): string => (pathname.endsWith('/') ? pathname : `${pathname}/`)

/** True if a prefix property is the website: the same protocol, host and path. */
const isSite = (prefix: URL, website: URL): boolean =>
  prefix.origin === website.origin && folderOf(prefix) === folderOf(website)

/**
 * Returns a rank for a property that covers a website; 0 if it does not cover it.
 *
 * The prefix that is the website ranks first, then domains, then other prefixes. Among equals, the narrowest ranks first.
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

/** Returns the properties that cover a website, the one that fits best first. */
export const propertiesFor = (properties: readonly string[], website: string): string[] =>
  properties
    .map((property) => ({ property, fit: fitOf(property, website) }))
    .filter(({ fit }) => fit > 0)
    .sort((a, b) => b.fit - a.fit)
    .map(({ property }) => property)

/** True if an address is under a property, so that Google answers about it. */
const isUnder = (property: string, { hostname, href }: URL): boolean => {
  if (!property.startsWith(DOMAIN)) return href.startsWith(property)
  const domain = property.slice(DOMAIN.length)
  return hostname === domain || hostname.endsWith(`.${domain}`)
}

/** Returns the property to ask about an address: the one in use, else a whole domain, else any; undefined if none has it. */
export const propertyOver = (address: string, used: string, properties: readonly string[]): string | undefined => {
  const url = URL.parse(address)
  if (!url) return undefined
  const domains = properties.filter((property) => property.startsWith(DOMAIN))
  return [used, ...domains, ...properties].find((property) => isUnder(property, url))
}

/**
 * Returns the part of a property that a project reads: that of its website. If the property does not cover the website, because the site
 * moved, the part that is stored.
 */
export const partOf = (row: { property: string; website_url: string; filtered_to: string | null }): string =>
  fitOf(row.property, row.website_url) === 0 ? (row.filtered_to ?? '') : filterFor(row.property, row.website_url)

/** Returns the website to filter a property by. Empty if the property has no other pages, or does not cover the website. */
export const filterFor = (property: string, website: string): string => {
  const wanted = URL.parse(website)
  if (!wanted || fitOf(property, website) === 0) return ''
  if (property.startsWith(DOMAIN)) return `${wanted.origin}${folderOf(wanted)}`
  // A prefix property with http or www only has pages of its own origin, so the filter uses that origin. A prefix `/de`
  // without a slash also covers `/design`.
  const { origin, pathname } = new URL(property)
  return pathname === folderOf(wanted) ? '' : `${origin}${folderOf(wanted)}`
}
