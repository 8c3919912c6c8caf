import { expect, it } from 'vitest'
import { checkAnswer } from '../../support/answers.ts'

const answer = { article_id: 7, deleted: true, message: 'Article deleted.' }
const check = (body: object, path = '/articles/7', status = 200, headers: Record<string, string> = {}) =>
  checkAnswer('DELETE', path, status, JSON.stringify(body), new Headers(headers))

it('the tests’ client takes an answer as its operation declares it, and refuses any other', () => {
  check(answer)
  check({ ...answer, ignored: ['x'], notes: { x: 'Left out.' } })
  expect(() => check({ ...answer, article_id: '7' })).toThrow(/article_id/)
  expect(() => check({ article_id: 7, deleted: true })).toThrow(/message/)
  expect(() => check({ ...answer, undocumented: 1 })).toThrow(/undocumented/)
  expect(() => check(answer, '/articles/7', 201)).toThrow(/declares no answer 201/)
})

it('and a refusal and headers as the description has them', () => {
  const refusal = { error: 'Not here.', code: 'not_found', retryable: false, request_id: 'a1b2c3d4' }
  const refuse = (body: object, headers: Record<string, string> = {}) => check(body, '/articles/7', 404, headers)
  refuse({ ...refusal, retry_after: 7 }, { 'Retry-After': '7', RateLimit: '"articles.delete";r=9;t=60' })
  expect(() => refuse({ ...refusal, code: 'gone' })).toThrow(/code/)
  expect(() => refuse({ ...refusal, retryable: 'no' })).toThrow(/retryable/)
  expect(() => refuse({ ...refusal, next_calls: [{ method: 'GET', path: 'articles' }] })).toThrow(/next_calls/)
  expect(() => refuse(refusal, { 'Retry-After': 'soon' })).toThrow(/Retry-After is soon/)
  expect(() => refuse(refusal, { RateLimit: 'nine' })).toThrow(/RateLimit is nine/)
})
