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

it('and a refusal as its operation declares it, with its headers', () => {
  const refusal = { error: 'Not here.', code: 'not_found', retryable: false, request_id: 'a1b2c3d4' }
  const refuse = (body: object, status = 404, headers: Record<string, string> = {}) =>
    check(body, '/articles/7', status, headers)
  const later = { ...refusal, code: 'publish_in_progress', retry_after: 7 }
  refuse(refusal, 404, { RateLimit: '"articles.delete";r=9;t=60' })
  refuse(later, 409, { 'Retry-After': '7' })
  expect(() => refuse({ ...refusal, code: 'gone' })).toThrow(/code/)
  expect(() => refuse({ ...refusal, retryable: 'no' })).toThrow(/retryable/)
  expect(() => refuse({ ...refusal, next_calls: [{ method: 'GET', path: 'articles' }] })).toThrow(/next_calls/)
  expect(() => refuse({ ...refusal, code: 'sync_failed' })).toThrow(/404: articles.delete declares no sync_failed/)
  expect(() => refuse(refusal, 409)).toThrow(/409: articles.delete declares no not_found/)
  expect(() => refuse(refusal, 418)).toThrow(/418: articles.delete declares no not_found, only nothing/)
  expect(() => refuse(later, 409)).toThrow(/retry_after is 7, and Retry-After null/)
  expect(() => refuse(refusal, 404, { 'Retry-After': '7' })).toThrow(/articles.delete declares no header Retry-After/)
  expect(() => refuse(later, 409, { 'Retry-After': 'soon' })).toThrow(/Retry-After is soon/)
  expect(() => refuse(refusal, 404, { RateLimit: 'nine' })).toThrow(/RateLimit is nine/)
})

it('and leaves a fixed path to itself, whatever its methods are', () => {
  const refusal = { error: 'Not so.', code: 'method_not_allowed', retryable: false, request_id: 'a1b2c3d4' }
  check(refusal, '/articles/generate', 405)
  expect(() => check(refusal, '/articles/7', 405)).toThrow(/articles.delete declares no method_not_allowed/)
})
