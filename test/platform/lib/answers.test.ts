import { expect, it } from 'vitest'
import { checkAnswer } from '../../support/answers.ts'

const answer = { article_id: 7, deleted: true, message: 'Article deleted.' }
const check = (body: object, path = '/articles/7', status = 200) =>
  checkAnswer('DELETE', path, status, JSON.stringify(body))

it('the tests’ client takes an answer as its operation declares it, and refuses any other', () => {
  check(answer)
  check({ ...answer, ignored: ['x'], notes: { x: 'Left out.' } })
  expect(() => check({ ...answer, article_id: '7' })).toThrow(/article_id/)
  expect(() => check({ article_id: 7, deleted: true })).toThrow(/message/)
  expect(() => check({ ...answer, undocumented: 1 })).toThrow(/undocumented/)
  expect(() => check(answer, '/articles/7', 201)).toThrow(/declares no answer 201/)
  check({ anything: 1 }, '/articles/7', 404)
})
