/** More than there are zones: the same zone can be written in upper and lower case. */
const MAX_FORMATS = 1_000
const formats = new Map<string, Intl.DateTimeFormat>()

const formatOf = (zone: string): Intl.DateTimeFormat => {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    if (formats.size >= MAX_FORMATS) formats.clear()
    formats.set(zone, format)
  }
  return format
}

/** True if the runtime knows the time zone. */
export const isTimeZone = (zone: string): boolean => {
  if (!/^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/.test(zone)) return false
  try {
    formatOf(zone)
    return true
  } catch {
    return false
  }
}

/** Returns a zone's local time at an instant, from Intl, as ms as if it were UTC. */
const readWallMs = (instantMs: number, zone: string): number => {
  const part: Record<string, number> = {}
  for (const { type, value } of formatOf(zone).formatToParts(instantMs)) part[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

/** Since 1973, clocks in every zone change only at full quarters of an hour (UTC), so an offset is valid for one quarter. */
const QUARTER_MS = 900_000
const MAX_OFFSETS = 20_000
/** Offsets by zone and quarter, because Intl takes some 10 µs for each. */
const offsets = new Map<string, number>()

const offsetMs = (instantMs: number, zone: string): number => {
  const start = Math.floor(instantMs / QUARTER_MS) * QUARTER_MS
  const key = `${zone} ${start}`
  const known = offsets.get(key)
  if (known !== undefined) return known
  if (offsets.size >= MAX_OFFSETS) offsets.clear()
  const offset = readWallMs(start, zone) - start
  offsets.set(key, offset)
  return offset
}

const wallMs = (instantMs: number, zone: string): number => instantMs + offsetMs(instantMs, zone)

/** A day of 24 hours, ms. */
export const DAY_MS = 86_400_000

/** Returns the first instant of a calendar month (UTC): the month of `now`, or `later` months after it. */
export const monthStart = (now: Date, later = 0): Date =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + later, 1))

/**
 * Returns the instant (ms) of a local time (ms, as if UTC) in a zone.
 *
 * A time that the clock skips moves forward by the gap. Of a time that it shows twice, the first is returned.
 */
export const instantOfWall = (wall: number, zone: string): number => {
  const before = offsetMs(wall - DAY_MS, zone)
  const after = offsetMs(wall + DAY_MS, zone)
  const candidates = [wall - before, wall - after].filter((t) => wallMs(t, zone) === wall)
  return candidates.length > 0 ? Math.min(...candidates) : wall - before
}

/** Returns the local time of an instant in a zone: `YYYY-MM-DDTHH:MM:SS` without a suffix. */
export const wallTime = (instant: Date, zone: string): string =>
  new Date(wallMs(instant.getTime(), zone)).toISOString().slice(0, -'.000Z'.length)

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(Z|z|[+-]\d{2}(?::?\d{2})?)?$/

/** `Z` or an offset below 16 hours, the most that PostgreSQL accepts. */
const OFFSET = /^(Z|z|[+-](0\d|1[0-5])(:?[0-5]\d)?)$/

const offsetOf = (suffix: string): number => {
  if (suffix === 'Z' || suffix === 'z') return 0
  const digits = suffix.slice(1).replace(':', '')
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2) || 0)
  return (suffix.startsWith('-') ? -minutes : minutes) * 60_000
}

/** ISO 8601's basic format: dates and times without hyphens and colons. */
const BASIC = /^\d{4}(\d{4}|-?\d{2}-?\d{2})([T ]\d{2}:?(\d{2}:?){0,2}([.,]\d+)?)?\s*(Z|z|[+-]\d{2}:?(\d{2})?)?$/

/** An offset with a blank instead of its sign: in a query, `+` means a blank. */
const SIGNLESS = /\d[T ]\d{2}:\d{2}[\d:.,]* \d{2}:?\d{2}$/

/** A parsed ISO 8601 date-time: its local time, and its offset if it has one. */
type IsoTime = { wall: number; offset: { ms: number; isUtc: boolean } | undefined; dateOnly: boolean }

const EXAMPLE = 'must be an ISO 8601 date-time, for example 2027-03-01T09:00:00Z'

/** Returns what is wrong with the numbers of a text in the form of a date-time. */
const faultOfNumbers = ([year, hour, minute, second]: [number, number, number, number], isDay: boolean): string => {
  if (year < 1970 || year > 9998) return `must have a year from 1970 to 9998, not ${year}`
  if (!isDay) return 'must be a day of the calendar: that month has no such day'
  if (hour === 24) return 'must have an hour from 00 to 23: midnight is 00:00 of the next day'
  if (hour > 23 || minute > 59 || second > 59) return 'must have an hour from 00 to 23, minutes and seconds to 59'
  return 'must end in Z or an offset from -15:59 to +15:59'
}

type Parsed = { time: IsoTime } | { fault: string }

const parseInstant = (text: string): Parsed => {
  const match = ISO.exec(text.trim())
  if (!match) {
    if (SIGNLESS.test(text))
      return {
        fault: 'must have + or - before its offset; in a query write + as %2B, for example 2027-03-01T09:00:00%2B01:00',
      }
    const basic = BASIC.test(text.trim())
    return { fault: basic ? 'must be in the extended format, with hyphens and colons: 2027-03-01T09:00:00Z' : EXAMPLE }
  }
  const [, y, mo, d, h = '0', mi = '0', s = '0', fraction = '', suffix] = match
  const numbers = [y, mo, d, h, mi, s].map(Number) as [number, number, number, number, number, number]
  const [year, month, day, hour, minute, second] = numbers
  const ms = Number(fraction.slice(0, 3).padEnd(3, '0'))
  const wall = Date.UTC(year, month - 1, day, hour, minute, second, ms)
  const back = new Date(wall)
  const isDay = new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day && month >= 1 && month <= 12
  const real = back.getUTCMonth() === month - 1 && back.getUTCDate() === day && hour < 24 && minute < 60 && second < 60
  if (!real || year < 1970 || year > 9998 || (suffix && !OFFSET.test(suffix)))
    return { fault: faultOfNumbers([year, hour, minute, second], isDay) }
  return {
    time: {
      wall,
      offset: suffix ? { ms: offsetOf(suffix), isUtc: /z/i.test(suffix) } : undefined,
      dateOnly: match[4] === undefined,
    },
  }
}

/** Suffixes of RFC 9557, such as `[Europe/Berlin][u-ca=gregory]`. */
const SUFFIXES = /^(?:\[!?[^[\]]{1,70}\])+$/

/** Returns what is wrong with the suffixes of a time; undefined if they agree with it. Other suffixes than a zone change nothing. */
const faultOfSuffixes = (suffixes: string, { wall, offset }: IsoTime): string | undefined => {
  if (!SUFFIXES.test(suffixes)) return EXAMPLE
  const [first = '', ...others] = suffixes.slice(1, -1).split('][')
  const [zone, tags] = first.includes('=') ? [undefined, [first, ...others]] : [first.replace(/^!/, ''), others]
  if (tags.some((tag) => !tag.includes('='))) return 'must name one time zone in brackets'
  const required = tags.find((tag) => tag.startsWith('!') && !/^!u-ca=(gregory|iso8601)$/.test(tag))
  if (required !== undefined) return `must not have the suffix [${required}]`
  if (zone === undefined) return undefined
  if (offset === undefined)
    return 'must have Z or an offset before its time zone, as in 2027-03-01T09:00:00+01:00[Europe/Berlin]'
  const instant = wall - offset.ms
  const there = OFFSET.test(zone) ? offsetOf(zone) : isTimeZone(zone) ? offsetMs(instant, zone) : undefined
  if (there === undefined) return `must have a time zone of the IANA in brackets, not ${zone}`
  return offset.isUtc || there === offset.ms ? undefined : `must have the offset that ${zone} has at that time`
}

const parse = (given: string): Parsed => {
  const text = given.trim()
  const end = text.indexOf('[')
  if (end < 0) return parseInstant(text)
  const parsed = parseInstant(text.slice(0, end))
  const fault = 'time' in parsed ? faultOfSuffixes(text.slice(end), parsed.time) : undefined
  return fault === undefined ? parsed : { fault }
}

const parseIso = (text: string): IsoTime | undefined => {
  const parsed = parse(text)
  return 'time' in parsed ? parsed.time : undefined
}

/** Returns why a text is not an accepted ISO 8601 date or date-time; undefined if it is one. */
export const isoFault = (text: string): string | undefined => {
  const parsed = parse(text)
  return 'fault' in parsed ? parsed.fault : undefined
}

/** True if the text is an accepted ISO 8601 date or date-time (years 1970 to 9998). */
export const isIsoTime = (text: string): boolean => parseIso(text) !== undefined

const msOf = (clock: string): number => {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return (hours * 60 + minutes) * 60_000
}

/**
 * Returns the instant of an ISO 8601 text; without an offset or `Z` it is a local time in `zone`.
 *
 * A date without a time means `clock` (`HH:MM`) on that day. Throws RangeError if `isIsoTime` is false.
 */
export const instantOf = (text: string, zone: string, clock = '00:00'): Date => {
  const iso = parseIso(text)
  if (!iso) throw new RangeError('not an ISO 8601 time')
  const wall = iso.wall + (iso.dateOnly ? msOf(clock) : 0)
  return new Date(iso.offset === undefined ? instantOfWall(wall, zone) : wall - iso.offset.ms)
}

/** Reads an ISO 8601 text. Returns its local time (`YYYY-MM-DDTHH:MM:SS.mmm`), and its instant if it has an offset. */
export const readTime = (text: string): { instant?: Date; wall: string; dateOnly: boolean } => {
  const iso = parseIso(text)
  if (!iso) throw new RangeError('not an ISO 8601 time')
  const wall = new Date(iso.wall).toISOString().slice(0, 23)
  if (iso.offset === undefined) return { wall, dateOnly: iso.dateOnly }
  return { instant: new Date(iso.wall - iso.offset.ms), wall, dateOnly: iso.dateOnly }
}

/** Returns the day (`YYYY-MM-DD`) of a text without a time and an offset; null for any other text. */
export const dayIn = (text: string): string | null => {
  const { instant, wall, dateOnly } = readTime(text)
  return dateOnly && !instant ? wall.slice(0, 'YYYY-MM-DD'.length) : null
}

/** Returns the last instant that a text means: for a date without a time, the end of that day in `zone`. */
export const lastInstantOf = (text: string, zone: string): Date => {
  const iso = parseIso(text)
  if (!iso) throw new RangeError('not an ISO 8601 time')
  if (!iso.dateOnly || iso.offset !== undefined) return instantOf(text, zone)
  return new Date(instantOfWall(iso.wall + DAY_MS, zone) - 1)
}

const LOWER = new Set(['of', 'es', 'au'])
const UPPER =
  /^(gmt([+-]?\d+)?|utc|uct|[ech]et|met|wet|[ehm]st|[ecmp]st\d[ecmp]dt|prc|ro[ck]|gb|nz|us|act|lhi|nsw|w|su|in|chat)$/
const MIXED = ['McMurdo', 'DumontDUrville', 'BajaNorte', 'BajaSur', 'EasterIsland', 'DeNoronha']

const spelled = (word: string): string => {
  const low = word.toLowerCase()
  if (LOWER.has(low)) return low
  if (UPPER.test(low)) return low.toUpperCase()
  return MIXED.find((name) => name.toLowerCase() === low) ?? low.charAt(0).toUpperCase() + low.slice(1)
}

/**
 * Returns the name of a time zone in IANA's spelling, from any spelling: `europe/BERLIN` is `Europe/Berlin`.
 *
 * The runtime's own name cannot be used: it turns names into older ones (`Asia/Kolkata` into `Asia/Calcutta`).
 */
export const zoneName = (given: string): string =>
  given
    .split('/')
    .map((part) =>
      part
        .split(/([_-])/)
        .map(spelled)
        .join(''),
    )
    .join('/')
