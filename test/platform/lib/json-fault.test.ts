import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonFaultAt } from '../../../src/platform/http/body.ts'

describe('where a text stops being JSON', () => {
  it.each([
    ['{"a": 1,\n "b": }', 15],
    ['nonsense', 0],
    ['  nonsense', 2],
    ['[1,]', 3],
    ['[1 2]', 3],
    ['{"a" 1}', 5],
    ['{,}', 1],
    ['{a: 1}', 1],
    ['{"a": 01}', 6],
    ['{"a": "\u0001"}', 6],
    ['{"a": "\\x"}', 6],
    ['[}', 1],
    ['{]', 1],
    ['{} {}', 3],
    ['1,2', 1],
    ['{"a": tru}', 6],
    ['[1.]', 1],
    ['{"a":', 5],
    ['', 0],
  ])('%j: %i', (text, at) => {
    expect(() => JSON.parse(text)).toThrow()
    expect(jsonFaultAt(text)).toBe(at)
  })

  it('finds no fault in JSON, whatever its spacing', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), fc.constantFrom(undefined, 1, '\t'), (json, space) => {
        const text = JSON.stringify(JSON.parse(json), null, space)
        return jsonFaultAt(text) === text.length
      }),
    )
  })

  it('lies at or before the place where cut JSON was damaged', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), fc.nat(), (json, at) => {
        const cut = at % json.length
        const text = `${json.slice(0, cut)}\u0000${json.slice(cut)}`
        return jsonFaultAt(text) <= cut
      }),
    )
  })

  it('takes a body of a megabyte', () => {
    const long = `{"a": "${'y\\n'.repeat(330_000)}", }`
    expect(jsonFaultAt(long)).toBe(long.length - 1)
  })
})
