import { describe, expect, it } from 'vitest'
import { isUlid, ulid } from '../../../src/platform/lib/bytes.ts'

const bytes = (value: number) => new Uint8Array(10).fill(value)

describe('a ULID', () => {
  it('is time and randomness as the specification spells them', () => {
    // The time of the specification's own example, 01ARYZ6S41….
    expect(ulid(new Date(1_469_918_176_385), bytes(0))).toBe('01ARYZ6S410000000000000000')
    expect(ulid(new Date(1_469_918_176_385), bytes(255))).toBe('01ARYZ6S41ZZZZZZZZZZZZZZZZ')
    expect(ulid(new Date(0), new Uint8Array([0, 0, 0, 0, 0, 0, 0, 0, 0, 33]))).toBe('00000000000000000000000011')
  })

  it('sorts by time', () => {
    expect(ulid(new Date(1_000), bytes(255)) < ulid(new Date(1_001), bytes(0))).toBe(true)
  })

  it('is distinguished from other texts', () => {
    expect(isUlid('01ARYZ6S41TSV4RRFFQ69G5FAV')).toBe(true)
    for (const none of [
      '',
      '1',
      '81ARYZ6S41TSV4RRFFQ69G5FAV',
      '01ARYZ6S41TSV4RRFFQ69G5FA',
      '01ARYZ6S41TSV4RRFFQ69G5FAI',
    ])
      expect(isUlid(none), none).toBe(false)
  })
})
