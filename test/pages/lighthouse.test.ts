import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Gallery, openGallery, PAGES } from './gallery.ts'
import { CATEGORIES, scoresOf } from './lighthouse.ts'

/** One page of each template. ALL_PAGES=1 asks for every page. */
const TEMPLATES = [
  ...['signIn', 'sites', 'keys', 'billing', 'people', 'audit', 'sites-calendar'],
  ...['start', 'docs', 'docs-concept', 'docs-operation', 'docs-search'],
  ...[
    'site-overview',
    'site-calendar',
    'site-plan',
    'site-articles',
    'site-suggestions',
    'site-search',
    'site-visibility',
  ],
  ...['site-social', 'site-policy', 'site-settings', 'site-approvals', 'site-deliveries'],
  ...['article-text', 'article-check', 'article-versions', 'article-edit', 'delivery', 'post'],
]
const shown = PAGES.filter(([name]) => process.env.ALL_PAGES === '1' || TEMPLATES.includes(name))

let gallery: Gallery

beforeAll(async () => {
  gallery = await openGallery()
})

afterAll(() => gallery?.close())

it('has a page of each template', () => {
  expect(shown.map(([name]) => name)).toEqual(expect.arrayContaining(TEMPLATES))
})

it.each(shown.filter(([, { status }]) => status === undefined))(
  '%s: Lighthouse gives 95 or more for speed, practices and search engines',
  async (_, { path, signedIn }) => {
    const { stack, chromium, cookies } = gallery
    const cookie = signedIn ? cookies.map(({ name, value }) => `${name}=${value}`).join('; ') : ''
    const scores = await scoresOf(stack.url + path(gallery), chromium.port, cookie)
    const low = Object.entries(scores).filter(([, { score }]) => score !== null && score < 95)
    expect(low, JSON.stringify(low, null, 1)).toEqual([])
    expect(Object.keys(scores)).toEqual(CATEGORIES)
  },
)
