import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { pageOf, pagingOf, pagingParams } from '../../../src/platform/db/paging.ts'
import { createLocalWindow } from '../../../src/platform/http/windows.ts'

describe('a sliding window', () => {
  it('admits the limit, says when the oldest leaves, and counts each key separately', () => {
    const window = createLocalWindow(2, 60_000)
    expect(window.take('a', 0)).toEqual({ allowed: true, remaining: 1, resetS: 60 })
    expect(window.take('a', 10_000)).toEqual({ allowed: true, remaining: 0, resetS: 50 })
    expect(window.take('a', 20_500)).toEqual({ allowed: false, remaining: 0, resetS: 40 })
    expect(window.take('b', 20_500).allowed).toBe(true)
    expect(window.take('a', 59_999).allowed).toBe(false)
    expect(window.take('a', 60_000)).toEqual({ allowed: true, remaining: 0, resetS: 10 })
  })

  it('never admits more than the limit in any period of its length', () => {
    const waits = fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 200 })
    fc.assert(
      fc.property(waits, fc.integer({ min: 1, max: 6 }), (gaps, limit) => {
        const window = createLocalWindow(limit, 1_000)
        const passed: number[] = []
        let now = 0
        for (const gap of gaps) {
          now += gap
          if (window.take('k', now).allowed) passed.push(now)
        }
        for (const at of passed)
          expect(passed.filter((t) => t >= at && t < at + 1_000).length).toBeLessThanOrEqual(limit)
      }),
    )
  })

  it('keeps at most 10,000 keys, and forgets the longest unused ones', () => {
    const window = createLocalWindow(1, 60_000)
    window.take('first', 0)
    window.take('kept', 0)
    for (let i = 0; i < 9_999; i += 1) window.take(`k${i}`, 1)
    window.take('kept', 2)
    window.take('one more', 3)
    expect(window.take('kept', 4).allowed).toBe(false)
    expect(window.take('first', 4).allowed).toBe(true)
  })
})

describe('paging', () => {
  const schema = z.object(pagingParams())
  const bounds = { default: 50, max: 200 }

  it.each([
    [{}, { limit: 50, offset: 0, beforeId: undefined }],
    [
      { limit: '7', offset: '3' },
      { limit: 7, offset: 3, beforeId: undefined },
    ],
    [
      { limit: '7', before_id: '9' },
      { limit: 7, offset: 0, beforeId: 9 },
    ],
    [{ limit: '1000000000' }, { limit: 200, offset: 0, beforeId: undefined }],
    [{ limit: '99999999999999999999' }, { limit: 200, offset: 0, beforeId: undefined }],
  ])('%j is %j', (query, paging) => expect(pagingOf(schema.parse(query), bounds)).toEqual(paging))

  it.each([
    { limit: '0' },
    { limit: '-1' },
    { limit: '1e3' },
    { limit: ['1', '2'] },
    { offset: '-1' },
    { offset: '2147483648' },
    { before_id: '0' },
  ])('%j is refused', (query) => expect(schema.safeParse(query).success).toBe(false))

  const rows = (count: number) => Array.from({ length: count }, (_, n) => ({ id: 100 - n }))

  it('says where the next page starts, and null at the end', () => {
    const paging = { limit: 3, offset: 6, beforeId: undefined }
    expect(pageOf(rows(4), paging)).toEqual({
      rows: rows(3),
      page: { count: 3, limit: 3, offset: 6, next_offset: 9, before_id: 98 },
    })
    expect(pageOf(rows(3), paging).page).toEqual({ count: 3, limit: 3, offset: 6, next_offset: null, before_id: null })
    expect(pageOf(rows(0), paging).page).toMatchObject({ count: 0, next_offset: null, before_id: null })
  })
})
