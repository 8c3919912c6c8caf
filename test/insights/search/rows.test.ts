import { describe, expect, it } from 'vitest'
import { type Chosen, chosenIn, csvOf, rowsFor } from '../../../src/pages/site/search/rows.ts'
import { csvLine } from '../../../src/platform/lib/csv.ts'

const row = (name: string, clicks: number, delta: number, impressions: number, position: number) => ({
  name,
  clicks,
  delta_clicks: delta,
  impressions,
  position,
  striking_distance: position >= 4,
  is_new: name === 'new one',
})
const ROWS = [row('Best shed', 9, -2, 50, 2), row('new one', 5, 5, 90, 8.26), row('garden SHED', 1, 1, 10, 4)]
const names = (chosen: Chosen) => rowsFor(ROWS, chosen, ({ name }) => name).map(({ name }) => name)

describe('rows of the search page', () => {
  it.each([
    [
      ['clicks', '', ''],
      ['Best shed', 'new one', 'garden SHED'],
    ],
    [
      ['change', '', ''],
      ['new one', 'garden SHED', 'Best shed'],
    ],
    [
      ['impressions', '', ''],
      ['new one', 'Best shed', 'garden SHED'],
    ],
    [
      ['position', '', ''],
      ['Best shed', 'garden SHED', 'new one'],
    ],
    [
      ['clicks', 'reach', ''],
      ['new one', 'garden SHED'],
    ],
    [['clicks', 'new', ''], ['new one']],
    [
      ['position', '', 'Shed'],
      ['Best shed', 'garden SHED'],
    ],
    [
      ['constructor', 'toString', ''],
      ['Best shed', 'new one', 'garden SHED'],
    ],
    [[undefined, undefined, 'nothing'], []],
  ] as const)('of %j are %j', ([sort, only, q], expected) => expect(names(chosenIn(sort, only, q))).toEqual(expected))

  it('become a table that no spreadsheet runs', () => {
    expect(csvOf('query', [row('=1+1', 2, -3, 4, 5.04), row('a, "b"', 0, 0, 0, 1)], ({ name }) => name)).toBe(
      'query,clicks,change,impressions,position\r\n\'=1+1,2,-3,4,5\r\n"a, ""b""",0,0,0,1\r\n',
    )
  })

  it.each(['=a', '+a', '-a', '@a', '\ta', '\ra'])('begin with an apostrophe if they are %j', (text) =>
    expect(csvLine([text]).replace(/^"/, '').startsWith("'")).toBe(true),
  )
})
