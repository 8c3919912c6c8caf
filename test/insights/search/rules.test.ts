import { describe, expect, it } from 'vitest'
import { propertyWithData } from '../../../src/insights/search/fetch.ts'
import { brandMatcher } from '../../../src/insights/search/performance.ts'
import type { SearchConsole } from '../../../src/insights/search/port.ts'
import {
  filterFor,
  finalDayIn,
  lastFinalDay,
  lastWindowEnd,
  propertiesFor,
  rangeBefore,
  rangeOf,
} from '../../../src/insights/search/rules.ts'
import { withoutLegalForm } from '../../../src/platform/lib/names/endings.ts'

describe('days', () => {
  it.each([
    // Pacific midnight is 08:00 UTC in winter, 07:00 in summer.
    ['2026-11-22T07:59:00Z', '2026-11-18'],
    ['2026-11-22T08:00:00Z', '2026-11-19'],
    ['2026-07-22T07:00:00Z', '2026-07-19'],
    ['2026-03-02T12:00:00Z', '2026-02-27'],
  ])('at %s the last final day is %s', (now, day) => expect(lastFinalDay(new Date(now))).toBe(day))

  it('of a range and of the range before it touch and do not overlap', () => {
    const range = rangeOf('2026-11-19', 28)
    expect(range).toEqual({ start_date: '2026-10-23', end_date: '2026-11-19', days: 28 })
    expect(rangeBefore(range)).toEqual({ start_date: '2026-09-25', end_date: '2026-10-22', days: 28 })
  })

  it.each([
    ['2026-11-22T12:00:00Z', '2026-11-19'],
    ['2026-11-21T12:00:00Z', '2026-11-12'],
    // When suggestions run: Monday 06:00 UTC.
    ['2026-11-23T06:00:00Z', '2026-11-19'],
  ])('at %s the last period ends on Thursday %s', (now, day) =>
    expect(lastWindowEnd(lastFinalDay(new Date(now)))).toBe(day),
  )

  it.each([
    ['Google works on the next', '2026-11-19', ['2026-11-18'], '2026-11-18'],
    ['Google is ahead', '2026-11-22', ['2026-11-18', '2026-11-21'], '2026-11-19'],
    ['only the last final one is shown', undefined, ['2026-11-17', '2026-11-18', '2026-11-21'], '2026-11-18'],
    ['nothing was shown up to the last', undefined, ['2026-11-21'], undefined],
  ])('%s', (_, firstOpenDay, days, final) => {
    const rows = days.map((day) => ({ keys: [day], clicks: 1, impressions: 1, ctr: 1, position: 1 }))
    expect(finalDayIn({ rows, firstOpenDay }, '2026-11-19')).toBe(final)
  })
})

describe('the property of a website', () => {
  it.each([
    ['https://www.shop.example', ['sc-domain:shop.example', 'https://www.shop.example/'], 'https://www.shop.example/'],
    ['https://shop.example', ['http://shop.example/', 'sc-domain:shop.example'], 'sc-domain:shop.example'],
    ['https://shop.example/blog', ['https://shop.example/', 'sc-domain:shop.example'], 'sc-domain:shop.example'],
    [
      'https://blog.shop.example',
      ['sc-domain:shop.example', 'sc-domain:blog.shop.example'],
      'sc-domain:blog.shop.example',
    ],
    ['https://www.shop.example', ['http://shop.example/', 'https://www.shop.example/'], 'https://www.shop.example/'],
    [
      'https://shop.example/blog',
      ['https://shop.example/', 'https://shop.example/blog/', 'https://shop.example/other/'],
      'https://shop.example/blog/',
    ],
    [
      'https://shop.example',
      ['https://shop.example/blog/', 'sc-domain:myshop.example', 'sc-domain:example'],
      'sc-domain:example',
    ],
    [
      'https://shop.example',
      ['sc-domain:myshop.example', 'https://shop.example.com/', 'sc-domain:blog.shop.example'],
      undefined,
    ],
    ['https://shop.example/de', ['https://shop.example/de', 'https://shop.example/de/'], 'https://shop.example/de/'],
    ['https://shop.example', ['https://shop.example:8443/'], undefined],
    ['https://shop.example', [], undefined],
  ])('%s of %j is %s', (website, properties, best) => expect(propertiesFor(properties, website)[0]).toBe(best))
})

describe('the property that is read, of several that cover the website', () => {
  const [EXACT, HTTP, WWW, DOMAIN] = [
    'https://x.example/',
    'http://x.example/',
    'https://www.x.example/',
    'sc-domain:x.example',
  ]

  it.each<[string, Record<string, number | 'refused'>, string | undefined]>([
    ['is the one with data', { [HTTP]: 0, [WWW]: 900 }, WWW],
    ['is not one with a rest of old data', { [HTTP]: 40, [WWW]: 900 }, WWW],
    ['is not one that Google refuses', { [EXACT]: 'refused', [WWW]: 900 }, WWW],
    ['is the domain before a prefix that is not the website', { [HTTP]: 900, [DOMAIN]: 900 }, DOMAIN],
    ['is the website itself if it has about as much as the domain', { [DOMAIN]: 1_000, [EXACT]: 900 }, EXACT],
    ['is the domain if the website itself has hardly any', { [DOMAIN]: 1_000, [EXACT]: 9 }, DOMAIN],
    ['is the best fit if none has data', { [HTTP]: 0, [WWW]: 0, [EXACT]: 0 }, EXACT],
    ['is the only one, unasked', { [HTTP]: 0 }, HTTP],
    ['is none if none covers the website', { 'https://y.example/': 900 }, undefined],
  ])('%s', async (_, shown, chosen) => {
    const asked: unknown[] = []
    const days: SearchConsole['days'] = async (_token, query) => {
      asked.push(query)
      const impressions = shown[query.property] ?? 0
      if (impressions === 'refused') return { failure: { kind: 'forbidden', message: 'No.' } }
      const rows = [1, 2].map((n) => ({
        keys: [`2026-11-0${n}`],
        clicks: 0,
        impressions: impressions / 2,
        ctr: 0,
        position: 1,
      }))
      return { ok: { rows, firstOpenDay: undefined } }
    }
    const given = {
      properties: Object.keys(shown),
      website: 'https://x.example',
      now: new Date('2026-11-22T12:00:00Z'),
    }
    expect(await propertyWithData({ days }, 'token', given)).toBe(chosen)
    for (const query of asked) expect(query).toMatchObject({ startDate: '2026-10-23', endDate: '2026-11-19' })
  })
})

// google/site-kit-wp#1917, mozilla/bedrock#16166
describe('the part of a property that is the website', () => {
  it.each([
    ['https://blog.x.example', 'sc-domain:x.example', 'https://blog.x.example/'],
    ['https://www.x.example', 'sc-domain:x.example', 'https://www.x.example/'],
    ['https://x.example/blog', 'https://x.example/', 'https://x.example/blog/'],
    ['https://x.example/blog', 'https://x.example/blog/', ''],
    ['https://www.x.example', 'https://x.example/', ''],
    ['https://x.example/de', 'https://x.example/de', 'https://x.example/de/'],
    ['https://x.example', 'sc-domain:other.example', ''],
    ['https://x.example/blog', 'http://www.x.example/', 'http://www.x.example/blog/'],
    ['https://xn--bcher-kva.example', 'sc-domain:bücher.example', 'https://xn--bcher-kva.example/'],
  ])('%s in %s is %j', (website, property, part) => expect(filterFor(property, website)).toBe(part))
})

describe('brand queries', () => {
  const isBrand = brandMatcher('Café Böhm & Co.', 'boehm-shop.co.uk/blog')
  it.each([
    ['cafe bohm & co opening hours', true],
    ['CAFÉ-BÖHM CO', true],
    ['boehm shop', true],
    ['boehmshop reviews', true],
    ['best cafe', false],
    ['shop', false],
  ])('%s: %s', (query, brand) => expect(isBrand(query)).toBe(brand))

  it('by another name that the owner added', () => {
    const byAlias = brandMatcher('Café Böhm & Co.', 'boehm-shop.co.uk', ['Böhmchen', 'CB Rösterei'])
    for (const query of ['böhmchen kaffee', 'boehmchen', 'cb roesterei']) expect(byAlias(query), query).toBe(true)
    for (const query of ['rösterei', 'kaffee']) expect(byAlias(query), query).toBe(false)
  })

  it.each([
    ['blog.ibm.com', 'ibm cloud', 'blog ideas'],
    ['blog.ibm.de', 'IBM-Cloud', 'ribmont'],
    ['shop.hp.com', 'hp printer', 'shop hours'],
    ['shop.acme.com.au', 'acme shop', 'acmeshop'],
    ['acme.github.io', 'acme docs', 'github actions'],
    ['acme.wordpress.com', 'acme', 'wordpress themes'],
    ['acme.co.uk/blog', 'acme', 'co uk'],
    ['acme.uk.com', 'acme', 'uk visa'],
    ['abc.net.au', 'abc news', 'net worth'],
    ['203.0.113.7:8080', '', '203 113'],
  ])('the site’s name in %s is in %j and not in %j', (key, brand, other) => {
    const isOfSite = brandMatcher('', key)
    expect([isOfSite(brand), isOfSite(other)]).toEqual([brand !== '', false])
  })

  it.each([
    ['小米', '小米手机', '大米'],
    ['楽天', '楽天カード', '楽器'],
    ['3M', '3m tape', '13 mm'],
    ['HP', 'h.p. ink', 'shp files'],
    ['H&M', 'h & m jeans', 'rhythm'],
    ['Ro', 'ro reviews', 'garden room'],
    ['Ox', 'the ox', 'box'],
    ['Ring', 'ring doorbell', 'wedding rings'],
    ['Apple', 'apple store', 'pineapple cake recipe'],
    ['Nordlicht Fahrräder GmbH', 'nordlicht fahrräder', 'fahrräder'],
    ['The Garden Depot', 'garden depot hours', 'garden depots'],
    ['Johnson and Miller', 'johnson & miller', 'johnson smith'],
    ['Müller', 'mueller milch', 'mull'],
    ['1&1', '1 und 1', 'und 1'],
    ['שטראוס', 'מתכון לשטראוס', 'נשטראוס'],
  ])('%s is in %j and not in %j', (name, brand, other) => {
    const isOfBusiness = brandMatcher(name, 'site.example')
    expect([isOfBusiness(brand), isOfBusiness(other)]).toEqual([true, false])
  })

  it.each(
    [
      'Acme, Inc.|Acme L.L.C.|Acme Co., Ltd.|Acme (Pty) Ltd|Acme Proprietary Limited|Acme FZ-LLC|Acme W.L.L.|Acme Inc.®',
      'Acme Ges.m.b.H.|Acme e.U.|Acme PartG mbB|Acme KG a.A.|Acme (GmbH)|Acme SE & Co. KG|Acme S.à r.l.|Acme SELARL',
      'Acme S.A.B. de C.V.|Acme S.A.C.|Acme Limitada|Acme Unipessoal Lda|Acme S.r.l.s.|Acme C.V.|Acme VZW|Acme AB (publ)',
      'Acme Sp. z o.o. Sp. k.|Acme, s. r. o.|Acme v.o.s.|Acme j.d.o.o.|Acme k.s.|Acme Kkt.|Acme San. ve Tic. A.Ş.',
      'ТОО Acme|ТзОВ «Acme»|ПрАТ Acme|Acme ЕАД|Acme Μονοπρόσωπη Ι.Κ.Ε.|Acme Ε.Ε.|Acme प्रा. लि.|PT Acme (Persero) Tbk',
      "Acme בע''מ|חברת Acme בע״מ|شركة Acme المحدودة|شرکت Acme (سهامی خاص)|บริษัท Acme จำกัด (มหาชน)|บริษัทAcmeจำกัด",
      'SC Acme SRL|S.C. Acme S.A.|Acme S.n.c. di Rossi & C.|Acme S.p.A.|Acme Società per Azioni|Acme N.V./S.A.|Acme Abp',
      'Acme Aktiengesellschaft|Acme (P) Ltd|Acme Public Limited Company|Acme DAC|Acme Anonim Şirketi|บมจ.Acme|Acme ש.ח.',
      'Acme S.Coop.|Acme GesbR|Acme Spółka z o.o.|Acme Sociedad Limitada|Acme Korlátolt Felelősségű Társaság|شركة Acme ش.ذ.م.م',
      'Công ty TNHH MTV Acme|Công ty Cổ phần Acme|㈲Acme|Acme㈱|(有)Acme|Acme 유한책임회사|Acme有限責任公司',
    ]
      .join('|')
      .split('|'),
  )('%s is Acme', (name) => expect(withoutLegalForm(name)).toBe('Acme'))

  it.each([
    'The Company',
    'SC Freiburg',
    'AB InBev',
    'Team BT Sport',
    'About ME',
    'What It Is',
    'SE Ranking',
    'Co-op',
    'GmbH',
  ])('%s has no legal form', (name) => expect(withoutLegalForm(name)).toBe(name))

  it.each([
    ['Polish', 'Żabka', 'żabki godziny otwarcia', 'żabkowanie'],
    ['Polish', 'Lidl', 'w lidlu', 'lidlomix'],
    ['Polish', 'Biedronka', 'biedronki gazetka', 'biedronkowo'],
    ['Czech', 'Škoda', 'škody ojeté', 'škodovka'],
    ['German', 'Ring', 'ring klingel', 'ringe und rings'],
    ['Hungarian', 'OTP Bank', 'otp bankban', 'bankban'],
    ['Finnish', 'Prisma', 'prismassa', 'prismatori'],
    ['Polish', 'Allegro', 'allegra promocje', 'allegorie'],
    ['Lithuanian', 'Maxima', 'maximoje', 'maximalus'],
    ['Turkish', 'Trendyol', 'trendyolda indirim', 'trend'],
    ['English', 'Ring', 'ring doorbell', 'rings'],
    ['Polish', 'Ace', 'ace odplamiacz', 'acem'],
  ])('on a %s site %s is in %j and not in %j', (language, name, brand, other) => {
    const isOfBusiness = brandMatcher(name, 'site.example', [], language)
    expect([isOfBusiness(brand), isOfBusiness(other)]).toEqual([true, false])
  })

  it('a name of one letter is no brand', () => {
    expect(brandMatcher('X', 'x.com')('x ray')).toBe(false)
  })
})
