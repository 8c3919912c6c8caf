import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvLine, csvRows as rowsOf } from '../../../src/platform/lib/csv.ts'

const csvRows = (text: string) => rowsOf(text, { rows: 10, cells: 10 })

describe('CSV', () => {
  it('is read as it was written, whatever the texts are', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('=1+1', '@x', '-2', "'=x", 'a;b', '"', '\r\n'))
    // One apostrophe in front of a formula cannot be told from that of the writer.
    const own = text.filter((one) => !/^'[=+\-@\t\r]/.test(one) && !one.startsWith('\uFEFF'))
    const rows = fc.array(fc.array(own, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(rows, (given) => {
        const head = ['keyword', 'title']
        const written = [head, ...given].map(csvLine).join('')
        const filled = given.filter((cells) => cells.some((one) => one.trim() !== ''))
        expect(csvRows(written)).toEqual([head, ...filled])
      }),
    )
  })

  it.each([
    [
      'semicolons',
      'keyword;title\nbike;"A; b"\n',
      [
        ['keyword', 'title'],
        ['bike', 'A; b'],
      ],
    ],
    [
      'tabs',
      'keyword\ttitle\r\nbike\tA\r\n',
      [
        ['keyword', 'title'],
        ['bike', 'A'],
      ],
    ],
    [
      'no line break at the end',
      'keyword,title\nbike,',
      [
        ['keyword', 'title'],
        ['bike', ''],
      ],
    ],
    ['a quote that is never closed', 'keyword\n"bike', [['keyword'], ['"bike']]],
  ])('has %s', (_, text, rows) => expect(csvRows(text)).toEqual(rows))

  it('is read as far as asked, so that separators alone take no memory', () => {
    const rows = rowsOf(`a,b\n${','.repeat(100_000)}x\n${'y\n'.repeat(100_000)}`, { rows: 3, cells: 4 })
    expect(rows).toEqual([['a', 'b'], ['y'], ['y']])
  })

  it('has no text that a spreadsheet runs', () => {
    for (const text of ['=HYPERLINK("x")', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])
      expect(csvLine([text]).replace(/^"/, '')).toMatch(/^'/)
  })
})
