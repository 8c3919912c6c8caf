import { expect, it } from 'vitest'
import { microworkers } from '../../../src/providers/microworkers/index.ts'
import { checkFirst } from '../../../src/reach/crowdwork/rules.ts'

const deps = {
  outbound: async () => ({ kind: 'no_answer' as const, reason: 'timeout' as const }),
  now: () => new Date(),
}

it.each([
  ['https://ttv.microworkers.com/api/v2', true],
  ['http://127.0.0.1:8080/api/v2', false],
  ['https://ttv.microworkers.com.evil.example/api/v2', false],
])('the first campaign at %s is a trial: %s', (baseUrl, isTrial) => {
  expect(microworkers(deps, { baseUrl, key: 'k' }).triesFirst).toBe(isTrial)
})

it.each([[undefined], [2], [1_000]])('a first campaign of %s positions is refused by the field', (positions) => {
  const wrong = {
    code: 'invalid_input',
    message: expect.stringContaining('must be 1 for the first campaign'),
  }
  expect(() => checkFirst('Microworkers', positions)).toThrow(expect.objectContaining(wrong))
})

it('a first campaign of one position is none', () => {
  expect(() => checkFirst('Microworkers', 1)).not.toThrow()
})
