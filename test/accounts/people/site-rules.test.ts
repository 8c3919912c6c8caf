import { describe, expect, it } from 'vitest'
import { type PlanConditions, type PlannedArticle, plannedKind } from '../../../src/content/articles/rules.ts'
import { placesOf } from '../../../src/pages/site/article/tabs.tsx'
import { feedOf, monthOf } from '../../../src/pages/site/calendar/rules.ts'
import { momentText } from '../../../src/pages/zone.ts'

describe('what becomes of a planned article', () => {
  const EMPTY: PlannedArticle = { claimed: false, hasContent: false, characters: 0, written: false, unfit: false }
  const SHORT = { ...EMPTY, hasContent: true, characters: 300 }
  const MEANS: PlanConditions = { hasWriter: true, credit: 'left', hasTarget: true, publishes: true }
  it.each<[string, PlannedArticle, Partial<PlanConditions>, object]>([
    ['claimed', { ...SHORT, claimed: true, characters: 2_500 }, {}, { kind: 'yours' }],
    ['long, not claimed', { ...SHORT, characters: 2_000 }, {}, { kind: 'yours' }],
    ['short, with a writer', SHORT, {}, { kind: 'service', isWritten: false }],
    ['short, without a writer', SHORT, { hasWriter: false }, { kind: 'yours' }],
    ['short, without credits', SHORT, { credit: 'none_left' }, { kind: 'yours' }],
    ['empty, with a writer', EMPTY, {}, { kind: 'service', isWritten: false }],
    ['empty, without a writer', EMPTY, { hasWriter: false }, { kind: 'stays', why: 'no_text' }],
    ['empty, without credits', EMPTY, { credit: 'none_left' }, { kind: 'stays', why: 'none_left' }],
    [
      'written by the service',
      { ...SHORT, written: true },
      { credit: 'none_left' },
      { kind: 'service', isWritten: true },
    ],
    ['written, falls short', { ...SHORT, written: true, unfit: true }, {}, { kind: 'stays', why: 'falls_short' }],
    ['claimed, no site', { ...SHORT, claimed: true }, { hasTarget: false }, { kind: 'stays', why: 'no_site' }],
    [
      'no site, becomes a draft here',
      SHORT,
      { hasTarget: false, publishes: false, hasWriter: false },
      { kind: 'yours' },
    ],
  ])('%s', (_, article, access, kind) => expect(plannedKind(article, { ...MEANS, ...access })).toEqual(kind))
})

describe('a month', () => {
  it('has whole weeks from Monday, from midnight to midnight of its zone, even if clocks change', () => {
    const now = new Date('2027-01-15T12:00:00Z')
    const sydney = monthOf('2027-10', now, 'Australia/Sydney')
    expect([sydney.days[0], sydney.days.at(-1), sydney.days.length]).toEqual(['2027-09-27', '2027-10-31', 35])
    // Sydney is 10 hours ahead in September and 11 at the end of October.
    expect([sydney.from.toISOString(), sydney.until.toISOString()]).toEqual([
      '2027-09-26T14:00:00.000Z',
      '2027-10-31T13:00:00.000Z',
    ])
    const newYork = monthOf('2027-03', now, 'America/New_York')
    expect([newYork.from.toISOString(), newYork.until.toISOString()]).toEqual([
      '2027-03-01T05:00:00.000Z',
      '2027-04-05T04:00:00.000Z',
    ])
    expect([newYork.before, newYork.after]).toEqual(['2027-02', '2027-04'])
  })

  it.each(['', '2027-13', '0000-01', '../x', undefined])('is the present one for %s', (asked) =>
    expect(monthOf(asked, new Date('2026-12-31T23:30:00Z'), 'Europe/Paris').name).toBe('2027-01'),
  )
})

it('a time is written as people say it', () => {
  const clock = { zone: 'Europe/Paris', now: new Date('2026-11-25T16:00:00Z') }
  const told = (at: string) => momentText(new Date(at), clock)
  expect(['2026-11-25T08:00:00Z', '2026-11-25T23:30:00Z', '2026-11-24T08:00:00Z'].map(told)).toEqual([
    'today 09:00',
    'tomorrow 00:30',
    'yesterday 09:00',
  ])
  expect(['2026-12-10T08:00:00Z', '2027-06-10T07:00:00Z'].map(told)).toEqual([
    'Thu 10 Dec, 09:00',
    'Thu 10 Jun 2027, 09:00',
  ])
})

it('a feed has lines of at most 75 bytes, and its texts cannot break a line', () => {
  const title = 'كيف تختار دراجة\r\nATTACH:x; '.repeat(10)
  const at = new Date('2026-11-25T16:00:00Z')
  const text = feedOf('A, b', 'here.example', [
    { id: 5, title, at, url: 'https://here.example/p/1', note: 'Planned', changed: at },
  ])
  for (const line of text.split('\r\n')) expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75)
  const unfolded = text.replaceAll('\r\n ', '')
  expect(unfolded.split('\r\n').filter((line) => line.startsWith('ATTACH'))).toEqual([])
  expect(unfolded).toContain('DTSTART:20261125T160000Z')
})

it('a finding names its places in the text, and no others', () => {
  const html = '<p>Our sheds are the cheapest of all.</p><p>See <a href="https://rival.example/x">this</a>.</p>'
  expect(placesOf(html, { message: 'Phrases that are not wanted: "the cheapest", "best ever".' })).toMatchObject([
    { found: 'the cheapest', after: expect.stringMatching(/^ of all\. /) },
  ])
  expect(placesOf(html, { message: 'Links to "rival.example" are not wanted.' })).toHaveLength(1)
  expect(placesOf('<'.repeat(200_000), { message: 'No "word".' })).toEqual([])
})
