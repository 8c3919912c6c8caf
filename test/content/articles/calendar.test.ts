import { describe, expect, it } from 'vitest'
import { placeOf, planDates } from '../../../src/content/articles/rules.ts'
import { wallTime } from '../../../src/platform/lib/time.ts'

const FROM = new Date('2026-11-21T08:00:00Z')
const plan = (given: Partial<Parameters<typeof planDates>[0]> = {}) =>
  planDates({ from: FROM, count: 8, articlesPerMonth: 8, publishTime: '09:00', timezone: 'UTC', taken: [], ...given })
const iso = (dates: Date[]) => dates.map((date) => date.toISOString().slice(0, 16))

describe('the dates of a month', () => {
  it('eight articles go out every 3.75 days from the day after, at the publish time', () => {
    expect(iso(plan())).toEqual([
      '2026-11-22T09:00',
      '2026-11-25T09:00',
      '2026-11-29T09:00',
      '2026-12-03T09:00',
      '2026-12-07T09:00',
      '2026-12-10T09:00',
      '2026-12-14T09:00',
      '2026-12-18T09:00',
    ])
  })

  it.each([
    [5, 5],
    [8, 8],
    [30, 30],
    [60, 60],
    [90, 90],
  ])('%i a month: as many, increasing, all within 30 days', (articlesPerMonth, count) => {
    const dates = plan({ articlesPerMonth, count })
    expect(new Set(dates.map(Number)).size).toBe(count)
    expect(dates).toEqual([...dates].sort((a, b) => a.getTime() - b.getTime()))
    const days = (Number(dates.at(-1)) - Number(FROM)) / 86_400_000
    expect(days).toBeGreaterThan(23)
    expect(days).toBeLessThan(31)
  })

  it('sixty articles are two a day, six hours apart; ninety are three a day', () => {
    expect(iso(plan({ articlesPerMonth: 60, count: 4 }))).toEqual([
      '2026-11-22T09:00',
      '2026-11-22T15:00',
      '2026-11-23T09:00',
      '2026-11-23T15:00',
    ])
    expect(iso(plan({ articlesPerMonth: 90, count: 4, publishTime: '20:30' }))).toEqual([
      '2026-11-22T20:30',
      '2026-11-23T02:30',
      '2026-11-23T08:30',
      '2026-11-23T20:30',
    ])
  })

  it('the day after is counted in the zone of the project', () => {
    const late = new Date('2026-11-21T23:30:00Z')
    const first = (timezone: string) => plan({ from: late, count: 1, timezone })[0]?.toISOString()
    expect(first('Asia/Tokyo')).toBe('2026-11-23T00:00:00.000Z')
    expect(first('America/Los_Angeles')).toBe('2026-11-22T17:00:00.000Z')
  })

  it('never returns a used instant, and still returns enough', () => {
    const taken = [new Date('2026-11-23T09:00:00Z'), new Date('2026-11-25T09:00:00Z'), new Date('2026-11-24T10:00:00Z')]
    const dates = plan({ articlesPerMonth: 30, count: 30, taken })
    expect(dates).toHaveLength(30)
    expect(iso(dates).slice(0, 3)).toEqual(['2026-11-22T09:00', '2026-11-24T09:00', '2026-11-26T09:00'])
    expect(dates.filter((date) => taken.some((other) => Number(other) === Number(date)))).toEqual([])
  })

  it('is empty for none', () => expect(plan({ count: 0 })).toEqual([]))
})

describe('daylight saving', () => {
  it('keeps the wall time over the change', () => {
    const dates = plan({
      from: new Date('2027-03-26T12:00:00Z'),
      articlesPerMonth: 30,
      count: 3,
      timezone: 'Europe/Amsterdam',
    })
    expect(iso(dates)).toEqual(['2027-03-27T08:00', '2027-03-28T07:00', '2027-03-29T07:00'])
  })

  it('a time in the gap moves forward', () => {
    const [date] = plan({
      from: new Date('2027-03-27T12:00:00Z'),
      count: 1,
      publishTime: '02:30',
      timezone: 'Europe/Amsterdam',
    })
    expect(date?.toISOString()).toBe('2027-03-28T01:30:00.000Z')
    expect(wallTime(date as Date, 'Europe/Amsterdam')).toBe('2027-03-28T03:30:00')
  })

  it('a time shown twice is the first of the two', () => {
    const [date] = plan({
      from: new Date('2027-10-30T12:00:00Z'),
      count: 1,
      publishTime: '02:30',
      timezone: 'Europe/Amsterdam',
    })
    expect(date?.toISOString()).toBe('2027-10-31T00:30:00.000Z')
  })

  it('several a day stay apart and in order through gap and overlap in every zone of a sample', () => {
    for (const timezone of ['Europe/London', 'America/New_York', 'Australia/Lord_Howe', 'America/Santiago'])
      for (const from of ['2027-03-01T00:00:00Z', '2027-09-20T00:00:00Z', '2027-10-20T00:00:00Z'])
        for (const publishTime of ['00:00', '01:30', '02:00', '23:59']) {
          const dates = plan({ from: new Date(from), articlesPerMonth: 90, count: 90, timezone, publishTime })
          expect(dates.every((date, n) => n === 0 || date > (dates[n - 1] as Date))).toBe(true)
        }
  })
})

it.each([
  ['2027-03-01T08:00:00Z', 'Europe/Berlin', '09:00', '2027-03-01', 0],
  ['2027-03-01T14:00:00Z', 'Europe/Berlin', '09:00', '2027-03-01', 360],
  // A plan of several articles a day continues past midnight.
  ['2027-03-02T02:00:00Z', 'UTC', '20:00', '2027-03-01', 360],
  // The clock skips 02:30, so that it reads 03:30.
  ['2027-03-28T01:30:00Z', 'Europe/Berlin', '02:30', '2027-03-28', 0],
])(
  'a planned date %s in %s at %s is of %s, %i minutes behind',
  (at, timezone, publishTime, scheduledDay, scheduledStep) =>
    expect(placeOf(new Date(at), { timezone, publishTime })).toEqual({ scheduledDay, scheduledStep }),
)
