import { describe, expect, it } from 'vitest'
import { isAllowed, NO_ROBOTS, parseRobots } from '../../../src/content/site/robots.ts'
import { cpuMs } from '../../support/cpu-time.ts'

const at = (path: string) => new URL(path, 'https://www.site.example')
const allows = (text: string, path: string, product = 'GalleyBot') =>
  isAllowed(parseRobots(text, product).rules, at(path))

/** The simple example of RFC 9309, section 5.1. */
const SIMPLE = `User-Agent: *
Disallow: *.gif$
Disallow: /example/
Allow: /publications/

User-Agent: foobot
Disallow:/
Allow:/example/page.html
Allow:/example/allowed.gif

User-Agent: barbot
User-Agent: bazbot
Disallow: /example/page.html

User-Agent: quxbot
`

describe('the examples of RFC 9309', () => {
  it.each([
    ['GalleyBot', '/publications/a', true],
    ['GalleyBot', '/example/a', false],
    ['GalleyBot', '/pictures/a.gif', false],
    ['GalleyBot', '/pictures/a.gif?size=2', true],
    ['foobot', '/', false],
    ['foobot', '/example/page.html', true],
    ['foobot', '/example/allowed.gif', true],
    ['foobot', '/example/', false],
    ['barbot', '/example/page.html', false],
    ['BazBot', '/example/page.html', false],
    ['bazbot', '/example/other.html', true],
    ['quxbot', '/example/', true],
  ])('%s and %s: %s', (product, path, allowed) => expect(allows(SIMPLE, path, product)).toBe(allowed))

  it('the longest match decides (section 5.2)', () => {
    const text = 'User-Agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n'
    expect(allows(text, '/example/page/disallowed.gif', 'foobot')).toBe(false)
    expect(allows(text, '/example/page/allowed.gif', 'foobot')).toBe(true)
  })

  it('groups of one crawler are one group (section 2.2.1)', () => {
    const text = 'user-agent: ExampleBot\ndisallow: /foo\ndisallow: /bar\n\nuser-agent: ExampleBot\ndisallow: /baz\n'
    for (const path of ['/foo', '/bar', '/baz']) expect(allows(text, path, 'examplebot')).toBe(false)
    expect(allows(text, '/', 'examplebot')).toBe(true)
  })

  it.each([
    ['/path/file-with-a-%2A.html', '/path/file-with-a-*.html', '/path/file-with-a-%2A.html'],
    ['/foo/bar?baz=http://foo.bar', '/foo/bar?baz=http://foo.bar', '/foo/bar?baz=http://foo.bar'],
    ['/foo/bar/\u30C4', '/foo/bar/%E3%83%84', '/foo/bar/%E3%83%84'],
    ['/foo/bar/%62%61%7A', '/foo/bar/baz', '/foo/bar/baz'],
    ['/foo/%e3%83%84', '/foo/\u30C4', '/foo/%E3%83%84'],
  ])('characters are compared as section 2.2.2 says: %s', (rule, _, path) =>
    expect(allows(`User-agent: *\nDisallow: ${rule}`, path)).toBe(false),
  )

  it.each([
    ['/this/*/exactly', '/this/a/b/exactly', false],
    ['/this/*/exactly', '/this/exactly', true],
    ['/fish*', '/fishheads/yummy.html', false],
    ['/*.php$', '/folder/index.php', false],
    ['/*.php$', '/index.php?x=1', true],
    ['/*.php$', '/index.php/', true],
    ['/fish*.php', '/fishheads/catfish.php?x=1', false],
    ['/a$', '/ab', true],
    ['/$', '/', false],
    ['/$', '/x', true],
    ['*', '/anything', false],
    ['/***a***$', '/xxa', false],
  ])('Disallow: %s and %s: %s', (rule, path, allowed) =>
    expect(allows(`User-agent: *\nDisallow: ${rule}`, path)).toBe(allowed),
  )
})

describe('robots.txt as found', () => {
  it('a tie is for Allow; an empty Disallow forbids nothing', () => {
    expect(allows('User-agent: *\nDisallow: /page\nAllow: /page', '/page')).toBe(true)
    expect(allows('User-agent: *\nDisallow:', '/')).toBe(true)
  })

  it.each([
    [['Disallow: /a/b', 'Allow: /a'], '/a/b', false],
    [['Allow: /a/b', 'Disallow: /a'], '/a/b', true],
    [['Disallow: /page', 'Allow: /page'], '/page', true],
    [['Disallow: /*b', 'Allow: /a'], '/ab', false],
  ])('of %j the longest decides for %s, in any order', (rules, path, allowed) => {
    for (const order of [rules, rules.toReversed()])
      expect(allows(['User-agent: *', ...order].join('\n'), path), order.join()).toBe(allowed)
  })

  it.each([
    ['/ab*b$', '/ab', true],
    ['/ab*b$', '/abb', false],
    ['/*aa*aa', '/aaa', true],
    ['/*aa*aa', '/aaaa', false],
  ])('parts of a pattern do not share characters: Disallow: %s and %s: %s', (rule, path, allowed) =>
    expect(allows(`User-agent: *\nDisallow: ${rule}`, path)).toBe(allowed),
  )

  it.each([
    ['0', 0],
    ['2.5', 2.5],
    ['', null],
    ['-1', null],
    ['Infinity', null],
    ['soon', null],
  ])('a delay of %j is %j', (value, delay) =>
    expect(parseRobots(`User-agent: *\nCrawl-delay: ${value}`, 'GalleyBot').crawlDelayS).toBe(delay),
  )

  it('a delay is that of the first group which has one, and no other line is one', () => {
    const groups = 'User-agent: galleybot\nHost: 3\n\nDisallow: /a\nUser-agent: galleybot\nCrawl-delay: 4'
    expect(parseRobots(groups, 'GalleyBot').crawlDelayS).toBe(4)
    expect(parseRobots('User-agent: *\nHost: 3', 'GalleyBot').crawlDelayS).toBeNull()
  })

  it('a crawler after a delay starts a new group; a part of another name does not match', () => {
    const text = 'User-agent: other\nCrawl-delay: 9\nUser-agent: *\nDisallow: /x'
    expect(parseRobots(text, 'GalleyBot')).toMatchObject({ rules: [{ path: '/x' }], crawlDelayS: null })
    expect(allows('User-agent: (galleybot)\nDisallow: /', '/')).toBe(true)
    expect(allows('User-agent: \nDisallow: /', '/')).toBe(true)
  })

  it('a sitemap without an address is none, and nothing is known of a site without the file', () => {
    expect(parseRobots('Sitemap:\nSitemap: /1.xml', 'GalleyBot').sitemaps).toEqual(['/1.xml'])
    expect(NO_ROBOTS).toEqual({ rules: [], sitemaps: [], crawlDelayS: null })
  })

  it('a group that names the crawler replaces the one for all', () => {
    const text = 'User-agent: *\nDisallow: /\n\nUser-agent: galleybot/2.0\nDisallow: /cart'
    expect(allows(text, '/')).toBe(true)
    expect(allows(text, '/cart')).toBe(false)
    expect(allows(text, '/', 'OtherBot')).toBe(false)
  })

  it('robots.txt itself may always be read', () =>
    expect(allows('User-agent: *\nDisallow: /', '/robots.txt')).toBe(true))

  it('byte order mark, comments, old line ends, blanks and unknown lines do not matter', () => {
    const text = '\uFEFFUser-agent : * # all\r# nothing\rHost: x\r\nDisallow :  /a  # why\rnonsense\n'
    expect(allows(text, '/a')).toBe(false)
    expect(allows(text, '/b')).toBe(true)
  })

  it('sitemaps count wherever they stand; the delay is the group’s own', () => {
    const text =
      'Sitemap: https://s.example/1.xml\nUser-agent: *\nCrawl-delay: 2.5\nSitemap: /2.xml\nDisallow: /x\nUser-agent: other\nCrawl-delay: 9'
    expect(parseRobots(text, 'GalleyBot')).toEqual({
      rules: [{ allow: false, path: '/x' }],
      sitemaps: ['https://s.example/1.xml', '/2.xml'],
      crawlDelayS: 2.5,
    })
    expect(parseRobots('User-agent: *\nCrawl-delay: soon', 'GalleyBot').crawlDelayS).toBeNull()
  })

  it('is no robots.txt: everything is allowed', () => {
    for (const text of ['', '<html><body>Disallow: /</body></html>', 'Disallow: /', '\u0000\uD800'])
      expect(allows(text, '/')).toBe(true)
  })

  it('a hostile pattern takes no time', () => {
    const text = `User-agent: *\n${`Disallow: /${'*a'.repeat(900)}b$\n`.repeat(200)}`
    const started = cpuMs()
    expect(allows(text, `/${'a'.repeat(2_000)}`)).toBe(true)
    expect(cpuMs() - started).toBeLessThan(5_000)
  })
})
