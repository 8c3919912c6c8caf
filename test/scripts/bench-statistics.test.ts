import { expect, it } from 'vitest'
import { growthAt } from '../bench/statistics.ts'

it('growth is that of most blocks, so outliers do not matter', () => {
  const before = Array.from({ length: 100 }, (_, n) => 3 + (n % 7) / 10)
  const after = before.map((ms, n) => (n < 20 ? ms * 9 : ms * 1.1))
  expect(growthAt(0.95, before, after, 20)).toBeCloseTo(1.1)
  expect(growthAt(0.95, before, [...after, 900], 20)).toBeCloseTo(1.1)
  expect(
    growthAt(
      0.95,
      before,
      before.map((ms) => ms * 1.5),
      20,
    ),
  ).toBeCloseTo(1.5)
})
