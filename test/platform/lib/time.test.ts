import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  instantOf,
  instantOfWall,
  isIsoTime,
  isTimeZone,
  lastInstantOf,
  monthStart,
  readTime,
  wallTime,
  zoneName,
} from '../../../src/platform/lib/time.ts'

const AMSTERDAM = 'Europe/Amsterdam'
const ZONES = [
  AMSTERDAM,
  'UTC',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'America/St_Johns',
]

describe('ISO 8601 texts', () => {
  it.each([
    '2027-03-01',
    '2027-03-01T09:00',
    '2027-03-01 09:00',
    '2027-03-01T09:00:30',
    '2027-03-01T09:00:30.123456789',
    '2027-03-01T09:00Z',
    '2027-03-01T09:00:00z',
    '2027-03-01T09:00:00+01:00',
    '2027-03-01T09:00:00-0330',
    '2027-03-01T09:00:00+05',
    '2027-03-01T09:00:00+01:00[Europe/Berlin]',
    '2027-07-01T09:00:00+02:00[Europe/Berlin]',
    '2027-03-01T09:00:00Z[Europe/Berlin]',
    '2027-03-01T09:00:00Z[UTC]',
    '2027-03-01T09:00:00+01:00[!Europe/Berlin][u-ca=gregory]',
    '2027-03-01T09:00:00+01:00[+01:00]',
    '2027-03-01T09:00:00+01:00[u-ca=hebrew]',
    '2028-02-29',
    '1970-01-01',
    '9998-12-31T23:59:59Z',
  ])('%s is one', (text) => expect(isIsoTime(text)).toBe(true))

  it.each([
    '',
    'tomorrow',
    '2027-3-1',
    '2027-02-29',
    '2027-13-01',
    '2027-00-10',
    '2027-01-00',
    '2027-01-01T24:00',
    '2027-01-01T10:60',
    '2027-01-01T10:00:60',
    '2027-01-01T10',
    '1969-12-31',
    '9999-01-01',
    '02027-01-01',
    '2027-01-01T10:00:00+16:00',
    '2027-01-01T10:00:00+01:60',
    '2027-01-01T10:00:00 Europe/Amsterdam',
    '2027-03-01T09:00:00+02:00[Europe/Berlin]',
    '2027-03-01T09:00:00-01:00[Europe/Berlin]',
    '2027-07-01T09:00:00+01:00[Europe/Berlin]',
    '2027-03-01T09:00:00[Europe/Berlin]',
    '2027-03-01[Europe/Berlin]',
    '2027-03-01T09:00:00+01:00[Nowhere/Land]',
    '2027-03-01T09:00:00+01:00[Europe/Berlin][Europe/Paris]',
    '2027-03-01T09:00:00+01:00[Europe/Berlin][!u-ca=hebrew]',
    '2027-03-01T09:00:00+01:00[]',
    '2027-03-01T09:00:00+01:00[Europe/Berlin',
    '[Europe/Berlin]',
    'Mon, 01 Mar 2027 09:00:00 GMT',
  ])('%j is none', (text) => {
    expect(isIsoTime(text)).toBe(false)
    for (const read of [() => instantOf(text, 'UTC'), () => readTime(text), () => lastInstantOf(text, 'UTC')])
      expect(read).toThrow(RangeError)
  })
})

describe('the instant of a text', () => {
  it.each([
    ['2027-03-01T09:00:00Z', AMSTERDAM, '2027-03-01T09:00:00.000Z'],
    ['2027-03-01T09:00:00+05:30', AMSTERDAM, '2027-03-01T03:30:00.000Z'],
    ['2027-03-01T09:00:00-0330', 'UTC', '2027-03-01T12:30:00.000Z'],
    ['2027-03-01T09:00', AMSTERDAM, '2027-03-01T08:00:00.000Z'],
    ['2027-07-01T09:00:00.5', AMSTERDAM, '2027-07-01T07:00:00.500Z'],
    ['2027-07-01', 'America/New_York', '2027-07-01T04:00:00.000Z'],
  ])('%s in %s is %s', (text, zone, instant) => expect(instantOf(text, zone).toISOString()).toBe(instant))

  it('moves forward where the clock skips, and is the first where it shows a time twice', () => {
    expect(instantOf('2027-03-28T02:30', AMSTERDAM).toISOString()).toBe('2027-03-28T01:30:00.000Z')
    expect(wallTime(instantOf('2027-03-28T02:30', AMSTERDAM), AMSTERDAM)).toBe('2027-03-28T03:30:00')
    expect(instantOf('2027-10-31T02:30', AMSTERDAM).toISOString()).toBe('2027-10-31T00:30:00.000Z')
    expect(instantOf('2027-03-14T02:00', 'America/New_York').toISOString()).toBe('2027-03-14T07:00:00.000Z')
    expect(wallTime(instantOf('2027-10-03T02:10', 'Australia/Lord_Howe'), 'Australia/Lord_Howe')).toBe(
      '2027-10-03T02:40:00',
    )
    expect(wallTime(instantOf('2011-12-30T10:00', 'Pacific/Apia'), 'Pacific/Apia')).toBe('2011-12-31T10:00:00')
  })

  it('read as wall time and sent back is the same instant, but for the second showing of an hour', () => {
    const instants = fc.integer({ min: Date.UTC(1980, 0), max: Date.UTC(2090, 0) }).map((ms) => ms - (ms % 1_000))
    fc.assert(
      fc.property(instants, fc.constantFrom(...ZONES), (ms, zone) => {
        const back = instantOf(wallTime(new Date(ms), zone), zone)
        expect(wallTime(back, zone)).toBe(wallTime(new Date(ms), zone))
        expect(back.getTime()).toBeLessThanOrEqual(ms)
        // St. John's once put its clock back by two hours, all others by one at most.
        expect(ms - back.getTime()).toBeLessThanOrEqual(zone === 'America/St_Johns' ? 7_200_000 : 3_600_000)
      }),
      { examples: [[Date.parse('1988-10-30T02:00:00Z'), 'America/St_Johns']] },
    )
  })

  it('never goes backwards while the wall clock advances', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 * 366 * 96 }), fc.constantFrom(...ZONES), (quarters, zone) => {
        const wall = Date.UTC(2026, 0) + quarters * 900_000
        const step = instantOfWall(wall + 900_000, zone) - instantOfWall(wall, zone)
        expect(step === 900_000 || Math.abs(step) % 900_000 === 0).toBe(true)
        expect(instantOfWall(wall, zone)).toBeGreaterThan(wall - 16 * 3_600_000)
      }),
    )
  })
})

describe('bounds', () => {
  it('of a date end with its day, also on days of 23 and 25 hours', () => {
    expect(lastInstantOf('2027-03-01', AMSTERDAM).toISOString()).toBe('2027-03-01T22:59:59.999Z')
    expect(lastInstantOf('2027-03-28', AMSTERDAM).toISOString()).toBe('2027-03-28T21:59:59.999Z')
    expect(lastInstantOf('2027-10-31', AMSTERDAM).toISOString()).toBe('2027-10-31T22:59:59.999Z')
    expect(lastInstantOf('2027-03-01T10:00', AMSTERDAM).toISOString()).toBe('2027-03-01T09:00:00.000Z')
  })

  it('say what they are', () => {
    expect(readTime('2027-03-01')).toEqual({ wall: '2027-03-01T00:00:00.000', dateOnly: true })
    expect(readTime('2027-03-01T09:00+01:00')).toEqual({
      instant: new Date('2027-03-01T08:00:00Z'),
      wall: '2027-03-01T09:00:00.000',
      dateOnly: false,
    })
  })
})

describe('time zones', () => {
  it.each(['Europe/Amsterdam', 'UTC', 'Etc/GMT+5', 'America/Argentina/Buenos_Aires', 'europe/amsterdam'])(
    '%s is known',
    (zone) => expect(isTimeZone(zone)).toBe(true),
  )
  it.each(['', 'Nowhere/Land', '+01:00', 'CET;', 'Europe/Amsterdam ', '../etc/passwd', 'x'.repeat(65)])(
    '%j is not',
    (zone) => expect(isTimeZone(zone)).toBe(false),
  )
})

describe('the spelling of a zone', () => {
  it.each(Intl.supportedValuesOf('timeZone'))('%s is found again from capitals and from small letters', (zone) => {
    expect([zoneName(zone.toLowerCase()), zoneName(zone.toUpperCase())]).toEqual([zone, zone])
  })

  it.each([
    'Asia/Kolkata',
    'US/Eastern',
    'Etc/GMT+5',
    'UTC',
    'GMT',
    'EST5EDT',
    'America/Argentina/Buenos_Aires',
    'GB-Eire',
  ])('keeps %s, which the runtime would call otherwise', (zone) => expect(zoneName(zone.toLowerCase())).toBe(zone))
})

it.each([
  ['2027-03-14T15:09:26.535Z', '2027-03-01T00:00:00.000Z'],
  ['2027-03-01T00:00:00.000Z', '2027-03-01T00:00:00.000Z'],
  ['2027-02-28T23:59:59.999Z', '2027-02-01T00:00:00.000Z'],
  ['2027-01-01T00:30:00+01:00', '2026-12-01T00:00:00.000Z'],
])('the month of %s began at %s', (at, start) => {
  expect(monthStart(new Date(at)).toISOString()).toBe(start)
})
