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
    formats.set(zone, format)
  }
  return format
}

/** Whether the runtime's IANA data knows the zone. */
export const isTimeZone = (zone: string): boolean => {
  if (!/^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/.test(zone)) return false
  try {
    formatOf(zone)
    return true
  } catch {
    return false
  }
}

/** The zone's wall clock at an instant as Intl reads it, as if it were UTC, in ms. Some 10 µs a call. */
const readWallMs = (instantMs: number, zone: string): number => {
  const part: Record<string, number> = {}
  for (const { type, value } of formatOf(zone).formatToParts(instantMs)) part[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

/** Clocks have been changed at full quarters of an hour (UTC) in every zone since 1973, so an offset holds for that long. */
const QUARTER_MS = 900_000
const MAX_OFFSETS = 20_000
const offsetsOf = new Map<string, Map<number, number>>()

const offsetMs = (instantMs: number, zone: string): number => {
  const quarter = Math.floor(instantMs / QUARTER_MS)
  let offsets = offsetsOf.get(zone)
  if (!offsets || offsets.size >= MAX_OFFSETS) {
    offsets = new Map()
    offsetsOf.set(zone, offsets)
  }
  let offset = offsets.get(quarter)
  if (offset === undefined) {
    offset = readWallMs(quarter * QUARTER_MS, zone) - quarter * QUARTER_MS
    offsets.set(quarter, offset)
  }
  return offset
}

const wallMs = (instantMs: number, zone: string): number => instantMs + offsetMs(instantMs, zone)

const DAY_MS = 86_400_000

/**
 * The instant (ms) of a wall time (ms, read as if UTC) in a zone. A time the clock skips moves forward by the gap;
 * a time it shows twice is the first of the two.
 */
export const instantOfWall = (wall: number, zone: string): number => {
  const before = offsetMs(wall - DAY_MS, zone)
  const after = offsetMs(wall + DAY_MS, zone)
  const candidates = [wall - before, wall - after].filter((t) => wallMs(t, zone) === wall)
  return candidates.length > 0 ? Math.min(...candidates) : wall - before
}

const MAX_DAYS = 10_000
const dates = new Map<number, string>()

/** `YYYY-MM-DDT` of a day since 1970. Throws when there is no such day. */
const dateOfDay = (day: number): string => {
  const known = dates.get(day)
  if (known !== undefined) return known
  const made = new Date(day * DAY_MS).toISOString().slice(0, -'00:00:00.000Z'.length)
  if (dates.size >= MAX_DAYS) dates.clear()
  dates.set(day, made)
  return made
}

const TWO_DIGITS = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'))
let fractions: readonly string[] | undefined

/** `YYYY-MM-DDTHH:MM:SS` of an instant (ms) in UTC. */
const secondsText = (ms: number): string => {
  const day = Math.floor(ms / DAY_MS)
  const second = Math.floor((ms - day * DAY_MS) / 1000)
  const minute = Math.floor(second / 60)
  const hour = Math.floor(minute / 60)
  return `${dateOfDay(day)}${TWO_DIGITS[hour]}:${TWO_DIGITS[minute - hour * 60]}:${TWO_DIGITS[second - minute * 60]}`
}

/** An instant as `toISOString` writes it, at a third of the cost where a page of rows is written; null stays null. */
export const isoText = <Instant extends Date | null>(
  instant: Instant,
): Instant extends Date ? string : string | null => {
  const written = instant === null ? null : isoOfMs(instant.getTime())
  return written as Instant extends Date ? string : string | null
}

const isoOfMs = (ms: number): string => {
  fractions ??= Array.from({ length: 1000 }, (_, n) => `.${String(n).padStart(3, '0')}Z`)
  return `${secondsText(ms)}${fractions[ms - Math.floor(ms / 1000) * 1000]}`
}

/** Wall time of an instant in a zone, `YYYY-MM-DDTHH:MM:SS` with no suffix. */
export const wallTime = (instant: Date, zone: string): string => secondsText(wallMs(instant.getTime(), zone))

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(Z|z|[+-]\d{2}(?::?\d{2})?)?$/

/** `Z` or an offset below 16 hours: more than any clock is off, and the most PostgreSQL takes. */
const OFFSET = /^(Z|z|[+-](0\d|1[0-5])(:?[0-5]\d)?)$/

const offsetOf = (suffix: string): number => {
  if (suffix === 'Z' || suffix === 'z') return 0
  const digits = suffix.slice(1).replace(':', '')
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2) || 0)
  return (suffix.startsWith('-') ? -minutes : minutes) * 60_000
}

/** ISO 8601's basic format: the same without hyphens and colons. */
const BASIC = /^\d{4}(\d{4}|-?\d{2}-?\d{2})([T ]\d{2}:?(\d{2}:?){0,2}([.,]\d+)?)?\s*(Z|z|[+-]\d{2}:?(\d{2})?)?$/

/** A parsed ISO 8601 date-time: its wall reading, and its offset where one was written. */
type IsoTime = { wall: number; offset: number | undefined; dateOnly: boolean }

const EXAMPLE = 'must be an ISO 8601 date-time, for example 2027-03-01T09:00:00Z'

/** Why the numbers of a text that has the form of a date-time are none. */
const faultOfNumbers = ([year, hour, minute, second]: [number, number, number, number], isDay: boolean): string => {
  if (year < 1970 || year > 9998) return `must have a year from 1970 to 9998, not ${year}`
  if (!isDay) return 'must be a day of the calendar: that month has no such day'
  if (hour === 24) return 'must have an hour from 00 to 23: midnight is 00:00 of the next day'
  if (hour > 23 || minute > 59 || second > 59) return 'must have an hour from 00 to 23, minutes and seconds to 59'
  return 'must end in Z or an offset from -15:59 to +15:59'
}

type Parsed = { time: IsoTime } | { fault: string }

const parse = (text: string): Parsed => {
  const match = ISO.exec(text.trim())
  if (!match) {
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
  return { time: { wall, offset: suffix ? offsetOf(suffix) : undefined, dateOnly: match[4] === undefined } }
}

const parseIso = (text: string): IsoTime | undefined => {
  const parsed = parse(text)
  return 'time' in parsed ? parsed.time : undefined
}

/** Why the text is no ISO 8601 date or date-time this service understands; undefined when it is one. */
export const isoFault = (text: string): string | undefined => {
  const parsed = parse(text)
  return 'fault' in parsed ? parsed.fault : undefined
}

/** Whether the text is an ISO 8601 date or date-time this service understands (years 1970 to 9998). */
export const isIsoTime = (text: string): boolean => parseIso(text) !== undefined

const msOf = (clock: string): number => {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return (hours * 60 + minutes) * 60_000
}

/**
 * The instant an ISO 8601 text means: with an offset or `Z` that instant, without one a wall time in `zone`. A date without
 * a time is at `clock` (`HH:MM`) of that day. Throws RangeError for what `isIsoTime` refuses.
 */
export const instantOf = (text: string, zone: string, clock = '00:00'): Date => {
  const iso = parseIso(text)
  if (!iso) throw new RangeError('not an ISO 8601 time')
  const wall = iso.wall + (iso.dateOnly ? msOf(clock) : 0)
  return new Date(iso.offset === undefined ? instantOfWall(wall, zone) : wall - iso.offset)
}

/** What an ISO 8601 text says: an instant where it has an offset, else a wall reading (`YYYY-MM-DDTHH:MM:SS.mmm`). */
export const readTime = (text: string): { instant?: Date; wall: string; dateOnly: boolean } => {
  const iso = parseIso(text)
  if (!iso) throw new RangeError('not an ISO 8601 time')
  const wall = new Date(iso.wall).toISOString().slice(0, 23)
  if (iso.offset === undefined) return { wall, dateOnly: iso.dateOnly }
  return { instant: new Date(iso.wall - iso.offset), wall, dateOnly: iso.dateOnly }
}

/** The last instant of what the text names: a bare date means the end of that day in `zone`. */
export const lastInstantOf = (text: string, zone: string): Date => {
  const iso = parseIso(text)
  if (!iso) throw new RangeError('not an ISO 8601 time')
  if (!iso.dateOnly || iso.offset !== undefined) return instantOf(text, zone)
  return new Date(instantOfWall(iso.wall + DAY_MS, zone) - 1)
}
