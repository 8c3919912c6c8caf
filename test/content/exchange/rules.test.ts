import { describe, expect, it } from 'vitest'
import {
  CAPPED_PLANS,
  firstLookAt,
  LINK_BACK_DAYS,
  nextLookAt,
  PARTNERS_PER_ARTICLE,
  SAME_PARTNER_DAYS,
} from '../../../src/content/exchange/rules.ts'

const NOW = new Date('2027-03-14T15:09:26.535Z')

/** Returns the time after NOW, ms. */
const msAfter = (at: Date | null): number | null => at && at.getTime() - NOW.getTime()

describe('the rules of the exchange', () => {
  it('are those of the contract', () => {
    expect([SAME_PARTNER_DAYS, LINK_BACK_DAYS, PARTNERS_PER_ARTICLE]).toEqual([90, 180, 2])
    expect(CAPPED_PLANS).toEqual([['agentic_free', 1]])
  })
})

describe('looks at the live page', () => {
  it('come 5 s after publication, then after a minute, an hour and a day, and no more', () => {
    expect(msAfter(firstLookAt(NOW))).toBe(5_000)
    expect([0, 1, 2, 3, 4].map((look) => msAfter(nextLookAt(look, NOW, 1)))).toEqual([
      60_000,
      3_600_000,
      86_400_000,
      null,
      null,
    ])
  })

  it('come sooner by the scale of time', () => {
    expect([0, 1, 2].map((look) => msAfter(nextLookAt(look, NOW, 10)))).toEqual([6_000, 360_000, 8_640_000])
  })
})
