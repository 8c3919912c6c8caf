import { describe, expect, it } from 'vitest'
import type { IndexFacts, IndexState } from '../../../schema/values/indexing.ts'
import { stateOf, statesAfter } from '../../../src/insights/search/indexing/rules.ts'
import { propertyOver } from '../../../src/insights/search/rules.ts'

const URL_OF = 'https://www.acme.example/blog/shed'
const NOTHING: IndexFacts = {
  coverage: null,
  verdict: 'NEUTRAL',
  robots: 'ALLOWED',
  indexing: 'INDEXING_ALLOWED',
  fetch: 'SUCCESSFUL',
  crawled_at: null,
  google_canonical: null,
  user_canonical: null,
  link: null,
  referring: 0,
}
const READ = { crawled_at: '2026-03-02T10:00:00.000Z' }

const CASES: [string, Partial<IndexFacts>, IndexState][] = [
  ['robots.txt wins over all', { robots: 'DISALLOWED', verdict: 'PASS' }, 'blocked'],
  ['a meta tag', { indexing: 'BLOCKED_BY_META_TAG', ...READ }, 'blocked'],
  ['a header', { indexing: 'BLOCKED_BY_HTTP_HEADER', ...READ }, 'blocked'],
  ['a pass, whatever the words are', { verdict: 'PASS', coverage: 'Gesendet und indexiert', ...READ }, 'indexed'],
  ['another canonical address', { google_canonical: 'https://www.acme.example/other', ...READ }, 'canonical_elsewhere'],
  ['the same address written otherwise', { google_canonical: 'http://acme.example/blog/shed/', ...READ }, 'crawled'],
  ['a page that is not there', { verdict: 'FAIL', fetch: 'NOT_FOUND', ...READ }, 'unreachable'],
  ['a value of a later release of Google’s', { verdict: 'FAIL', fetch: 'SOMETHING_NEW' }, 'unreachable'],
  ['read, with a hyphen', { coverage: 'Crawled - currently not indexed', ...READ }, 'crawled'],
  ['read, with a dash', { coverage: 'Crawled – currently not indexed', ...READ }, 'crawled'],
  ['never read, but known', { coverage: 'Discovered – currently not indexed', fetch: null }, 'discovered'],
  ['not known', { coverage: 'URL is unknown to Google', fetch: null, robots: null, indexing: null }, 'unknown'],
  ['words that nobody knows', { coverage: 'Something else', fetch: 'PAGE_FETCH_STATE_UNSPECIFIED' }, 'other'],
  ['nothing at all', { verdict: null, robots: null, indexing: null, fetch: null }, 'other'],
]

describe('state of a page in Google’s index', () => {
  it.each(CASES)('%s', (_, facts, state) => {
    expect(stateOf({ ...NOTHING, ...facts }, URL_OF)).toBe(state)
  })
})

it('a look counts for the share of its days only', () => {
  const base = new Date('2026-01-01T00:00:00Z')
  const on = (days: number) => statesAfter('indexed', base, new Date(base.getTime() + days * 86_400_000))
  expect(on(6.9)).toEqual({ after7: null, after28: null })
  expect(on(7)).toEqual({ after7: 'indexed', after28: null })
  expect(on(14)).toEqual({ after7: null, after28: null })
  expect(on(28)).toEqual({ after7: null, after28: 'indexed' })
  expect(on(35)).toEqual({ after7: null, after28: null })
})

it('asks by the property in use, else by a whole domain, else by any that covers the address', () => {
  const prefix = 'https://www.acme.example/'
  expect(propertyOver(URL_OF, prefix, [prefix, 'sc-domain:acme.example'])).toBe(prefix)
  expect(propertyOver('https://blog.acme.example/x', prefix, [prefix, 'sc-domain:acme.example'])).toBe(
    'sc-domain:acme.example',
  )
  expect(propertyOver('https://notacme.example/x', prefix, ['sc-domain:acme.example'])).toBeUndefined()
  expect(propertyOver('http://www.acme.example/x', prefix, [prefix, 'http://www.acme.example/'])).toBe(
    'http://www.acme.example/',
  )
})
