import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { ROOT } from '../../local/root.ts'
import { createLibrary, type Section } from '../../src/pages/docs/library.ts'
import { searchSections } from '../../src/pages/docs/search.ts'
import { stemOf, synonymsOf } from '../../src/pages/docs/synonyms.ts'
import { parseLegal } from '../../src/platform/runtime/legal.ts'

let sections: Section[] = []
beforeAll(async () => {
  const documents = {
    fetch: async (url: string) => new Response(readFileSync(join(ROOT, 'docs', new URL(url).pathname), 'utf8')),
  }
  sections = await createLibrary(documents, 'https://api.example.com', parseLegal({})).sections()
})

/** Returns the pages of the results, without their parts. */
const pagesFor = (query: string): string[] =>
  searchSections(sections, query).map(({ path }) => path.replace(/^\/docs\//, '').replace(/#.*/, ''))

/** What readers type, and the page that answers it. Written before the ranking. */
const QUERIES: readonly (readonly [query: string, page: string])[] = [
  ['pricing', 'help/prices'],
  ['how much does it cost', 'help/prices'],
  ['delete account', 'help/questions'],
  ['cancel subscription', 'help/prices'],
  ['wordpress', 'guides/wordpress'],
  ['connect ghost', 'guides/ghost'],
  ['shopify blog', 'guides/shopify'],
  ['install webflow', 'guides/webflow'],
  ['wix api key', 'guides/wix'],
  ['notion database', 'guides/notion'],
  ['framer collection', 'guides/framer'],
  ['ghl', 'guides/gohighlevel'],
  ['build a webhook', 'guides/receiver'],
  ['verify webhook signature', 'reference/webhooks'],
  ['schedule articles', 'guides/plan-a-month'],
  ['content calendar', 'guides/plan-a-month'],
  ['approve before publishing', 'owners/approvals'],
  ['undo', 'guides/take-back'],
  ['unpublish a post', 'guides/take-back'],
  ['refresh old content', 'guides/old-posts'],
  ['migrate from another tool', 'guides/move-here'],
  ['claude', 'clients'],
  ['cursor mcp', 'clients'],
  ['oauth', 'http/authentication'],
  ['api key', 'owners/access'],
  ['rate limit', 'http/limits'],
  ['429', 'http/limits'],
  ['pagination', 'http/lists'],
  ['idempotency key', 'http/retries'],
  ['timezone', 'http/dates'],
  ['no_cms_integration', 'reference/errors'],
  ['roles and permissions', 'how/accounts'],
  ['article credits', 'how/accounts'],
  ['invite team member', 'owners/people'],
  ['dry run', 'how/control'],
  ['keyword difficulty', 'how/search'],
  ['chatgpt visibility', 'owners/visibility'],
  ['screenshot', 'how/media'],
  ['instagram', 'how/social'],
  ['post not showing on site', 'help/troubleshooting'],
  ['is it down', 'help/status'],
  ['what does delivery mean', 'owners/deliveries'],
  ['release notes', 'help/changelog'],
  ['cli', 'command-line'],
  ['first article', 'first-article'],
]

it.each(QUERIES)('“%s” finds %s first', (query, page) => {
  expect(pagesFor(query).slice(0, 1)).toEqual([page])
})

it('words match, not parts of words', () => {
  expect(pagesFor('tar')).toEqual([])
  expect(pagesFor('publishings')[0]).toBe(pagesFor('publishing')[0])
})

it('the forms of a word have one stem, and synonyms are found from each of them', () => {
  expect(['publish', 'publishes', 'published', 'publishing'].map(stemOf)).toEqual(Array(4).fill('publish'))
  expect(synonymsOf(stemOf('pricing'))).toContain(stemOf('billing'))
  expect(synonymsOf(stemOf('billing'))).toContain(stemOf('pricing'))
})

it('a query without a word of the documents finds nothing', () => {
  expect(pagesFor('zzzz qqqq')).toEqual([])
  expect(pagesFor('')).toEqual([])
})
