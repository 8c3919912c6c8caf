import { describe, expect, it } from 'vitest'
import { cutToFit, rowsWithout, textFrom } from '../../src/mcp/long-results.ts'

const LIMIT = 40_000
const sized = (value: unknown) => JSON.stringify(value).length
const of = (names: string[], offset = 0) => ({ tool: 'list_things', taken: new Set(names), offset })

describe('rows', () => {
  const things = Array.from({ length: 200 }, (_, n) => ({ ID: n, Title: 'x'.repeat(400) }))

  it('that fit are left alone', () => {
    const body = { things: things.slice(0, 50), count: 50 }
    expect(cutToFit(body, of(['limit', 'offset']))).toBe(body)
  })

  it('that do not are cut at a row, with how many there were and where to go on', () => {
    const cut = cutToFit({ things, count: 200, next_offset: 300 }, of(['limit', 'offset'], 100))
    const kept = cut.things as typeof things
    expect(kept).toEqual(things.slice(0, kept.length))
    expect(kept.length).toBeGreaterThan(80)
    expect(cut).toMatchObject({ total: 200, returned: kept.length, truncated: true })
    expect(cut.rest).toBe(`things: Call list_things with offset ${100 + kept.length}.`)
    expect(sized(cut)).toBeLessThanOrEqual(LIMIT)
  })

  it('that cannot be gone on from say to ask for less', () => {
    expect(cutToFit({ things }, of(['limit'])).rest).toBe(
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
      expect(sized(part)).toBeLessThanOrEqual(LIMIT + 300)
      whole += part.Content as string
      expect(part).toMatchObject({ total: Content.length, returned: (part.Content as string).length })
      if (part.truncated === false) break
      expect(part.rest).toBe(`Content goes on: call get_article with content_offset ${whole.length}.`)
    }
    expect(whole).toBe(Content)
  })

  it('that fits is left alone', () => {
    const body = { ID: 7, Content: 'short' }
    expect(textFrom(body, 'Content', 0, 'get_article')).toBe(body)
  })

  it('within other things is cut too', () => {
    const cut = cutToFit({ id: 7, diff: { before: { content: Content }, after: { content: Content } } }, of([]))
    expect(sized(cut)).toBeLessThanOrEqual(LIMIT)
    expect(cut).toMatchObject({ id: 7, truncated: true })
  })
})
