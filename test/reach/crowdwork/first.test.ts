import { expect, it } from 'vitest'
import { checkFirst } from '../../../src/reach/crowdwork/rules.ts'

it.each([[undefined], [2], [1_000]])('a first campaign of %s positions is refused by the field', (positions) => {
  const wrong = {
    code: 'invalid_input',
    message: expect.stringContaining('must be 1 for the first campaign'),
  }
  expect(() => checkFirst('Microworkers', positions)).toThrow(expect.objectContaining(wrong))
})

it('a first campaign of one position is allowed', () => {
  expect(() => checkFirst('Microworkers', 1)).not.toThrow()
})
