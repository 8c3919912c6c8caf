import { describe, expect, it } from 'vitest'
import { rowsWithout, textFrom, truncateToFit } from '../../src/mcp/long-results.ts'

const LIMIT = 40_000
const sized = (value: unknown) => JSON.stringify(value).length
const of = (names: string[], args = {}) => ({ tool: 'list_things', taken: new Set(names), args })

describe('rows', () => {
  const things = Array.from({ length: 200 }, (_, n) => ({ ID: n, Title: 'x'.repeat(400) }))

  it('are unchanged if they fit', () => {
    const body = { things: things.slice(0, 50), count: 50 }
    expect(truncateToFit(body, of(['limit', 'offset']))).toBe(body)
  })

  it('are cut between rows if they do not fit, with their number and the next page', () => {
    const cut = truncateToFit({ things, count: 200, offset: 100, next_offset: 300 }, of(['limit', 'offset']))
    const kept = cut.things as typeof things
    expect(kept).toEqual(things.slice(0, kept.length))
    expect(kept.length).toBeGreaterThan(80)
    expect(cut).toMatchObject({ total: 200, returned: kept.length, truncated: true })
    expect(cut.rest).toBe(`things: Call list_things with offset ${100 + kept.length}.`)
    expect(cut).toMatchObject({ count: kept.length, next_offset: 100 + kept.length })
    expect(sized(cut)).toBeLessThanOrEqual(LIMIT)
  })

  it('below a row continue below the last returned row, with the call’s argument', () => {
    const rows = things.map(({ ID, Title }) => ({ ID: 1_000 - ID, Title }))
    const body = { things: rows, count: 200, limit: 200, offset: 0, next_offset: null }
    for (const before_id of [801, null]) {
      const cut = truncateToFit({ ...body, before_id }, of(['limit', 'offset', 'before_id'], { before_id: 1_001 }))
      const last = (cut.things as typeof rows).at(-1)?.ID
      expect(cut).toMatchObject({
        before_id: last,
        next_offset: null,
        rest: `things: Call list_things with before_id ${last}.`,
      })
    }
  })

  it('of several lists share the space, and continue where the first was cut', () => {
    const queries = things.slice(0, 180)
    const pages = things.slice(0, 180).map((row) => ({ ...row, more: 'x'.repeat(400) }))
    const pagination = { limit: 180, start_row: 20, next_start_row: 200 }
    const cut = truncateToFit(
      { connected: true, totals: { clicks: 7 }, queries, pages, few: [1, 2], pagination },
      of(['limit', 'start_row']),
    )
    const [kept, fewer] = [cut.queries as unknown[], cut.pages as unknown[]]
    expect(kept.length).toBeGreaterThan(fewer.length)
    expect(fewer.length).toBeGreaterThan(15)
    expect(sized(kept) / sized(fewer)).toBeCloseTo(1, 0)
    const next = 20 + fewer.length
    expect(cut).toMatchObject({
      connected: true,
      totals: { clicks: 7 },
      few: [1, 2],
      total: 360,
      returned: kept.length + fewer.length,
      truncated: true,
      rest: `queries, pages: Call list_things with start_row ${next}.`,
      pagination: { limit: 180, start_row: 20, next_start_row: next },
    })
    expect(sized(cut)).toBeLessThanOrEqual(LIMIT)
  })

  it('of lists with their own cursors continue with these', () => {
    const body = {
      earned: things,
      earned_count: 200,
      earned_before_id: 199,
      late: [],
      late_count: 0,
      late_before_id: null,
    }
    const cut = truncateToFit(body, of(['earned_limit', 'earned_before_id', 'late_before_id']))
    const last = (cut.earned as typeof things).length - 1
    expect(cut).toMatchObject({ earned_count: last + 1, earned_before_id: last, late_count: 0, late_before_id: null })
    expect(cut.rest).toBe(`earned: Call list_things with earned_before_id ${last}.`)
  })

  it('that only the endpoint can continue have no cursor, and name the limit to use', () => {
    const cut = truncateToFit({ things, count: 200, next_cursor: 'abc' }, of(['limit', 'cursor'], { cursor: 'xyz' }))
    const kept = (cut.things as typeof things).length
    expect(cut.next_cursor).toBeUndefined()
    expect(cut.rest).toBe(
      `things: Call list_things with limit ${kept} and the same cursor; its next_cursor continues from there.`,
    )
  })

  it('with long fields are shortened, and other values are kept', () => {
    const wide = [1, 2].map((ID) => ({ ID, parts: Array.from({ length: 5_000 }, (_, n) => ({ n })), word: 'short' }))
    const cut = truncateToFit(
      { project_id: 7, has_data: true, wide, next_offset: null, count: 2, offset: 0 },
      of(['offset']),
    )
    expect(sized(cut)).toBeLessThanOrEqual(LIMIT)
    expect(cut).toMatchObject({ project_id: 7, has_data: true, truncated: true, count: 1, next_offset: 1 })
    expect(cut.wide).toMatchObject([{ ID: 1, word: 'short' }])
    expect(cut.rest).toMatch(/^wide: Call list_things with offset 1\. .* lists have at most \d+ items\.$/)
  })

  it('that cannot be continued ask for less', () => {
    expect(truncateToFit({ things }, of(['limit'])).rest).toBe(
      'things: Call list_things with narrower arguments or a smaller limit.',
    )
  })
})

it('rows are without the field that another tool reads', () => {
  const body = {
    suggestions: [{ id: 1, proposed_diff: { after: 'x' } }, { id: 2 }],
    counts: { ready: 1 },
    notes: ['one'],
  }
  expect(rowsWithout(body, 'proposed_diff')).toEqual({ ...body, suggestions: [{ id: 1 }, { id: 2 }] })
})

describe('a long text', () => {
  const Content = Array.from({ length: 30_000 }, (_, n) => `"${n}" 😀\n`).join('')

  it('is read to its end in pieces, none lost and no character halved', () => {
    let whole = ''
    for (let calls = 0; ; calls += 1) {
      expect(calls).toBeLessThan(30)
      const part = textFrom({ ID: 7, Content }, 'Content', whole.length, 'get_article')
      expect(sized(part)).toBeLessThanOrEqual(LIMIT)
      whole += part.Content as string
      expect(part).toMatchObject({ total: Content.length, returned: (part.Content as string).length })
      if (part.truncated === false) break
      expect(part.rest).toBe(`Content goes on: call get_article with content_offset ${whole.length}.`)
    }
    expect(whole).toBe(Content)
  })

  it('is unchanged if it fits', () => {
    const body = { ID: 7, Content: 'short' }
    expect(textFrom(body, 'Content', 0, 'get_article')).toBe(body)
  })

  it('within other things is cut too', () => {
    const cut = truncateToFit({ id: 7, diff: { before: { content: Content }, after: { content: Content } } }, of([]))
    expect(sized(cut)).toBeLessThanOrEqual(LIMIT)
    expect(cut).toMatchObject({ id: 7, truncated: true })
  })
})
