import { describe, expect, it } from 'vitest'
import { refused } from '../../../../src/providers/cms/http.ts'
import {
  isApplicationPassword,
  isPluginKey,
  siteUrl,
  wordpressConnection,
} from '../../../../src/providers/cms/wordpress/connect.ts'
import { failureOf } from '../../../../src/providers/cms/wordpress/site.ts'
import {
  choosePost,
  dateGmt,
  isNumbered,
  isSameName,
  movedBase,
  slugsToLookAt,
  toPost,
  withoutLoneLineEnds,
} from '../../../../src/providers/cms/wordpress/transform.ts'

const KEY = 'wpk_000102030405060708090a0b0c0d0e0f1011121386b2cc3c'

describe('connecting', () => {
  it('knows an application password and a plugin key by their form', () => {
    expect(isApplicationPassword('abcd EFGH 1234 ijkl MNOP 5678')).toBe(true)
    expect(isApplicationPassword('abcd EFGH 1234 ijkl MNOP 567')).toBe(false)
    expect(isApplicationPassword('my real password 1234 !!')).toBe(false)
    expect(isPluginKey(KEY)).toBe(true)
    expect(isPluginKey(KEY.replace('wpk_0', 'wpk_1'))).toBe(false)
    expect(isPluginKey(KEY.slice(0, -1))).toBe(false)
  })

  it.each([
    ['https://Example.com/', 'https://example.com'],
    ['https://example.com/blog/wp-json/wp/v2/', 'https://example.com/blog'],
    ['https://example.com/wp-admin/index.php', 'https://example.com'],
    ['https://example.com/blog/index.php', 'https://example.com/blog'],
  ])('reduces %s to the site’s address', (given, site) => {
    expect(siteUrl(given)).toBe(site)
  })

  it('requires the right secret, by field', () => {
    const problems = (given: object) => {
      const parsed = wordpressConnection.fields.safeParse({ cms_url: 'https://example.com', ...given })
      return parsed.success ? [] : parsed.error.issues.map((issue) => [issue.path.join('.'), issue.message])
    }
    expect(problems({ integration_key: KEY })).toEqual([])
    expect(problems({ integration_key: 'abcd EFGH 1234 ijkl MNOP 5678', cms_username: 'ann' })).toEqual([])
    expect(problems({ integration_key: 'abcd EFGH 1234 ijkl MNOP 5678' })).toEqual([
      ['integration_key', expect.stringContaining('cms_username')],
    ])
    expect(problems({ integration_key: KEY, cms_username: 'ann' })).toEqual([])
    expect(problems({ integration_key: `${KEY.slice(0, -1)}x`, cms_username: 'ann' })).toEqual([
      ['integration_key', expect.stringContaining('application password')],
    ])
    expect(problems({ integration_key: KEY, cms_url: 'ftp://example.com' })).toEqual([['cms_url', expect.any(String)]])
    // A plugin's key is one whatever user is sent with it.
    for (const user of [{}, { cms_username: '' }, { cms_username: 'ann' }])
      expect(
        wordpressConnection.connection({ cms_url: 'https://example.com', integration_key: KEY, ...user }).secrets,
      ).toEqual({ integration_key: KEY })
    expect(wordpressConnection.connection({ cms_url: 'https://example.com/wp-admin', integration_key: KEY })).toEqual({
      url: 'https://example.com',
      urlField: 'cms_url',
      name: 'example.com',
      secrets: { integration_key: KEY },
    })
  })
})

it.each([
  ['http://example.com', 'https://example.com/wp-json/x', 'https://example.com'],
  ['https://example.com/blog', 'https://www.example.com/blog/wp-json/x/', 'https://www.example.com/blog'],
  ['https://example.com', 'http://example.com/wp-json/x', undefined],
  ['https://example.com', 'https://evil.example/wp-json/x', undefined],
  ['https://example.com', 'https://example.com:8443/wp-json/x', undefined],
  ['https://example.com', 'https://www.example.com/login', undefined],
  ['https://example.com', '/wp-json/x/', undefined],
])('a site at %s that redirects to %s', (base, location, moved) => {
  expect(movedBase(base, `${base}/wp-json/x`, location)).toBe(moved)
})

describe('texts', () => {
  it.each([
    ['<p>one\ntwo</p>\n<p>three</p>', '<p>one two</p>\n<p>three</p>'],
    ['<p>a <strong>b</strong>\n<em>c</em></p>', '<p>a <strong>b</strong> <em>c</em></p>'],
    ['<pre>x\n  y</pre>\n\n<ul>\n  <li>a</li>\r\n</ul>', '<pre>x\n  y</pre>\n<ul>\n<li>a</li>\n</ul>'],
    ['<p>\n  text\n</p>', '<p>\ntext\n</p>'],
  ])('%j has no line end within text', (given, wanted) => {
    expect(withoutLoneLineEnds(given)).toBe(wanted)
  })

  it('writes times and names as WordPress does', () => {
    expect(dateGmt('2024-03-05T07:07:08.900+01:00')).toBe('2024-03-05T06:07:08')
    expect(isSameName('Guides &amp; Tips', 'guides & tips')).toBe(true)
    expect(isSameName('C', 'C++')).toBe(false)
    expect(isSameName('Café', 'cafe\u0301')).toBe(true)
  })
})

const post = (more: object = {}) => ({
  id: 7,
  slug: 'tea',
  status: 'publish',
  link: 'https://example.com/tea/',
  date_gmt: '2024-03-05T06:07:08',
  title: { raw: 'Tea' },
  content: { raw: '<p>x</p><!-- galley-test-7 -->' },
  featured_media: 0,
  password: '',
  ...more,
})

describe('which post is the article', () => {
  const query = { marker: 'galley-test-7', slug: 'tea', title: 'Tea' }
  const at = (more: object) => toPost(post(more), 'Galley', query.marker)
  const foreign = { id: 1, content: { raw: 'mine' } }

  it('reads the mark, also where WordPress made one hyphen of two', () => {
    expect(toPost(post(), 'Galley', query.marker)).toMatchObject({
      marker: query.marker,
      url: 'https://example.com/tea/',
    })
    const doubled = toPost(post({ content: { raw: '<!-- galley-a-7 -->' } }), 'Galley', 'galley--a-7')
    expect(doubled.marker).toBe('galley--a-7')
    expect(toPost(post({ content: { raw: '<!-- wp:paragraph -->' } }), 'Galley', query.marker).marker).toBeNull()
    expect(toPost(post({ status: 'draft' }), 'Galley', query.marker)).toMatchObject({ status: 'draft', url: null })
  })

  it('is ours under the slug, then a live one under a number; a leftover never hides someone else’s post', () => {
    expect(slugsToLookAt('tea').slice(0, 3)).toEqual(['tea', 'tea-2', 'tea-3'])
    expect(choosePost([at({ id: 2, slug: 'tea-2' }), at({ id: 3 })], query)).toMatchObject({
      remoteId: '3',
      matchedBy: 'marker',
    })
    expect(choosePost([at(foreign), at({ id: 2, slug: 'tea-2' })], query)).toMatchObject({ remoteId: '2' })
    const leftover = at({ id: 2, slug: 'tea-2', status: 'draft' })
    expect(choosePost([at(foreign), leftover], query)).toMatchObject({ remoteId: '1', matchedBy: 'slug' })
    expect(choosePost([leftover], query)).toMatchObject({ remoteId: '2', matchedBy: 'marker' })
    expect(choosePost([at({ ...foreign, slug: 'tea-2' })], query)).toBeNull()
  })

  it('recognizes the numbers that WordPress adds to a taken slug', () => {
    expect([isNumbered('tea-2', 'tea'), isNumbered('tea-time', 'tea'), isNumbered('', 'tea')]).toEqual([
      true,
      false,
      true,
    ])
  })
})

describe('refusals', () => {
  const answer = (status: number, json: unknown) =>
    failureOf({ kind: 'answered', status, headers: new Headers(), json })

  it('names both causes of a 401, also of one hidden in a 400', () => {
    const hidden = {
      code: 'rest_invalid_param',
      message: 'Invalid parameter(s): status',
      data: { status: 400, details: { status: { code: 'rest_forbidden_status', data: { status: 401 } } } },
    }
    for (const failure of [
      answer(401, { code: 'rest_not_logged_in', message: 'You are not logged in.' }),
      answer(400, hidden),
    ])
      expect(failure).toMatchObject({
        code: 'auth_invalid',
        reason: expect.stringMatching(/password is wrong.*Authorization header/),
      })
  })

  it('passes the reason on, cleaned', () => {
    expect(answer(403, { code: 'rest_cannot_publish', message: '<b>Sorry</b>, no.' })).toEqual(
      refused(
        'auth_forbidden',
        'WordPress says: Sorry , no. (rest_cannot_publish). Give the connected user the role of an editor, or connect another user.',
        403,
      ),
    )
    expect(answer(409, { code: 'galley_busy', message: 'x' })).toMatchObject({ code: 'conflict', retryable: true })
    expect(answer(404, { code: 'rest_no_route', message: 'No route' })).toMatchObject({ code: 'site_not_found' })
    expect(answer(400, null)).toMatchObject({ code: 'validation', reason: 'WordPress answered HTTP 400.' })
  })
})
