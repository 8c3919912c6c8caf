import { describe, expect, it } from 'vitest'
import {
  countedLinks,
  type KnownSite,
  linkedKeys,
  siteLinks,
  uncountedLinks,
} from '../../../src/content/exchange/links.ts'
import { categoryOf } from '../../../src/content/exchange/read.ts'
import { nextLookAt } from '../../../src/content/exchange/rules.ts'
import { otherNumber, searchWords } from '../../../src/platform/lib/fold.ts'
import { siteKeys } from '../../../src/platform/lib/urls.ts'

const link = (href: string, rel: string[] = [], text = 'words') => ({ href, rel, text })
const site = (site_key: string, project_id: number, kind: KnownSite['kind'] = 'partner'): KnownSite => ({
  site_key,
  project_id,
  kind,
})
const counted = (hrefs: string[], sites: KnownSite[]) =>
  countedLinks(siteLinks(hrefs.map((href) => link(href))), sites).map(({ toProjectId, url }) => [toProjectId, url])

describe('sites an address may belong to', () => {
  it.each([
    ['https://www.A.example/b/c/?q#f', ['a.example/b/c', 'a.example/b', 'a.example']],
    ['http://a.example:8080/', ['a.example:8080']],
    [`https://a.example/${'x/'.repeat(500)}`, expect.objectContaining({ length: 9 })],
  ])('%s', (url, keys) => expect(siteKeys(new URL(url))).toEqual(keys))
})

describe('links that count', () => {
  it('are the first to each partner, at the narrowest site known', () => {
    const sites = [site('a.example', 1), site('a.example/blog', 2), site('b.example', 3)]
    expect(
      counted(['https://a.example/blog/x', 'https://a.example/y', 'https://a.example/z', 'https://b.example'], sites),
    ).toEqual([
      [2, 'https://a.example/blog/x'],
      [1, 'https://a.example/y'],
      [3, 'https://b.example/'],
    ])
  })

  it.each(['own', 'competitor', 'full', 'no_credits'] as const)(
    'do not count to a site that is %s, or a path below it',
    (kind) => {
      expect(counted(['https://a.example/blog'], [site('a.example/blog', 2, kind), site('a.example', 1)])).toEqual([])
    },
  )

  it('stay counted, unless the site now belongs to the account', () => {
    const both = (kind: KnownSite['kind']) =>
      counted(['https://a.example'], [site('a.example', 1, kind), site('a.example', 7, 'kept')])
    for (const kind of ['partner', 'returning', 'competitor', 'full', 'no_credits'] as const)
      expect(both(kind)).toEqual([[7, 'https://a.example/']])
    expect(both('own')).toEqual([])
  })

  it('are stored with what a database takes', () => {
    const [first] = siteLinks([link('https://a.example', [], `a\u0000b${'x'.repeat(600)}`)])
    expect(first?.anchor).toHaveLength(500)
    expect(first?.anchor.startsWith('a\uFFFDb')).toBe(true)
    expect(
      linkedKeys(siteLinks([link(`https://a.example/${'x'.repeat(2_000)}`), link('https://b.example', ['ugc'])])),
    ).toEqual([])
  })
})

describe('what can count', () => {
  const kept = (href: string, rel: string[] = []) => siteLinks([link(href, rel)]).map(({ url }) => url)

  it.each([
    'http://a.example/',
    'https://a.example/x?y=1#z',
    `https://a.example/${'x'.repeat(2_000 - 'https://a.example/'.length)}`,
  ])('%s', (href) => expect(kept(href)).toEqual([href]))

  it.each([
    'mailto:a@a.example',
    'ftp://a.example/',
    'javascript:alert(1)',
    'git+https://a.example/',
    'httpsx://a.example/',
    'https://',
    '/relative',
    '#top',
    '',
    `https://a.example/${'x'.repeat(2_001 - 'https://a.example/'.length)}`,
  ])('not %s', (href) => expect(kept(href)).toEqual([]))

  it.each(['nofollow', 'sponsored', 'ugc'])('not one its author does not vouch for: %s', (word) => {
    expect(kept('https://a.example/', ['noopener', word])).toEqual([])
    expect(kept('https://a.example/', ['noopener'])).toEqual(['https://a.example/'])
  })

  it('looks each site up once, however many links it has', () => {
    expect(
      linkedKeys(
        siteLinks(['https://a.example/b', 'https://a.example', 'http://www.a.example'].map((href) => link(href))),
      ),
    ).toEqual(['a.example/b', 'a.example'])
  })
})

describe('a link to a partner', () => {
  it.each([
    ['partner', true],
    ['returning', true],
    ['kept', false],
  ] as const)('that is %s is paid for: %s', (kind, charged) => {
    const links = siteLinks([link('https://a.example', [], 'their words')])
    expect(countedLinks(links, [site('a.example', 3, kind)])).toEqual([
      { toProjectId: 3, url: 'https://a.example/', anchor: 'their words', charged },
    ])
    expect(uncountedLinks(links, [site('a.example', 3, kind)])).toEqual([])
  })

  it.each([
    ['no_credits', 'no_credits'],
    ['full', 'monthly_limit'],
    ['competitor', 'competitor'],
  ] as const)('that is %s does not count, with the reason: %s', (kind, reason) => {
    const links = siteLinks([link('https://a.example/x'), link('https://a.example/y'), link('https://b.example')])
    expect(uncountedLinks(links, [site('a.example', 3, kind)])).toEqual([{ url: 'https://a.example/x', reason }])
  })

  it('to one’s own site does not count and is not mentioned', () => {
    expect(uncountedLinks(siteLinks([link('https://a.example')]), [site('a.example', 3, 'own')])).toEqual([])
  })

  it('belongs to the project it helps most, if two share the site', () => {
    const order = ['full', 'no_credits', 'competitor', 'partner', 'returning', 'kept', 'own'] as const
    const links = siteLinks([link('https://a.example')])
    for (const [at, better] of order.entries())
      for (const worse of order.slice(0, at))
        for (const sites of [
          [site('a.example', 1, worse), site('a.example', 2, better)],
          [site('a.example', 2, better), site('a.example', 1, worse)],
        ]) {
          const to = countedLinks(links, sites).map(({ toProjectId }) => toProjectId)
          expect(to).toEqual(['partner', 'returning', 'kept'].includes(better) ? [2] : [])
          const why = uncountedLinks(links, sites).map(({ reason }) => reason)
          expect(why).toEqual({ no_credits: ['no_credits'], competitor: ['competitor'] }[better as string] ?? [])
        }
  })

  it('belongs to the first of two equal projects that share the site', () => {
    expect(counted(['https://a.example'], [site('a.example', 1), site('a.example', 2)])).toEqual([
      [1, 'https://a.example/'],
    ])
  })
})

it('a category is the topic that shares most words with the keyword, else the keyword', () => {
  expect(categoryOf('bread\nsheds and gardens\n garden sheds \n', 'Garden sheds')).toBe('garden sheds')
  expect(categoryOf('bread', 'garden')).toBe('garden')
  expect(categoryOf('', 'garden')).toBe('garden')
})

it('words of a search are lower-case, once each, without joints, at most eight, in one number or the other', () => {
  expect(searchWords("The café's BIKES, bikes & 2 e-bikes!")).toEqual(['café', 's', 'bikes', '2', 'e'])
  expect(searchWords('a b c d e f g h i j')).toHaveLength(8)
  expect(['bikes', 'bike', 'glass', 'is', 'räder'].map(otherNumber)).toEqual(['bike', 'bikes', 'glass', 'is', 'räder'])
})

it('a live page is checked again after a minute, an hour and a day, then never', () => {
  const now = new Date('2026-01-01T00:00:00Z')
  const waits = [0, 1, 2, 3].map((look) => nextLookAt(look, now, 1))
  expect(waits.map((at) => at && (at.getTime() - now.getTime()) / 1000)).toEqual([60, 3_600, 86_400, null])
  expect(nextLookAt(0, now, 10)?.getTime()).toBe(now.getTime() + 6_000)
})
