import { describe, expect, it } from 'vitest'
import { HOSTILE } from './hostile.ts'
import { READERS } from './readers.ts'
import { workOf } from './work.ts'

const SMALL = 400
/** Twice the source may cost twice the work. The rest is the fixed cost of a reading. */
const MAX_RATIO = 2.3

describe.each(Object.entries(READERS))('%s', (_, read) => {
  it.each(Object.entries(HOSTILE))('does twice the work for twice the source: %s', (_name, build) => {
    const source = build(SMALL)
    const twice = build(2 * SMALL)
    // The first reading builds tables that are not part of the measurement.
    read(source)
    expect(workOf(() => read(twice)) / workOf(() => read(source))).toBeLessThan(MAX_RATIO)
  })
})
