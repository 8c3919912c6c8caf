import { describe, expect, it } from 'vitest'
import type { KeywordInput } from '../../../src/insights/onboarding/discover.ts'
import { freeSlugs, styleOf, titleOf, withoutWritten } from '../../../src/insights/onboarding/plan.ts'
import { phraseKey, phrasesIn } from '../../../src/platform/lib/phrases.ts'
import { siteWords } from '../../../src/providers/data/site-keywords/index.ts'
import { cpuMs } from '../../support/cpu-time.ts'

const BLANK: KeywordInput = {
  tag: 'en',
  language: 'English (US)',
  region: 'Worldwide',
  businessName: '',
  description: '',
  audience: [],
  topics: [],
  pillars: [],
  pages: [],
  competitors: [],
  limit: 200,
}
const WORKSHOP = {
  businessName: 'Spaak & Fietsen',
  description:
    'Bicycle workshop: chain wear, yearly service and second-hand city bikes. We repair commuter bikes and electric bikes.',
}
const wordsFor = (input: Partial<KeywordInput>) => siteWords.keywords({ ...BLANK, ...input })
const found = (keywords: string[]) =>
  keywords.map((keyword) => ({ keyword, searchVolume: null, difficulty: null, source: 'site' }))

describe('phrases of a text', () => {
  it('are the runs of words between stop words and punctuation, without the deed', () => {
    const phrases = phrasesIn([{ text: WORKSHOP.description, weight: 1 }], 'en').map(({ phrase }) => phrase)
    expect(phrases).toEqual(
      expect.arrayContaining([
        'bicycle workshop',
        'chain wear',
        'yearly service',
        'second-hand city bikes',
        'commuter bikes',
      ]),
    )
    for (const none of ['repair commuter bikes', 'and', 'we']) expect(phrases).not.toContain(none)
  })

  it('keep names as they are written, and German nouns', () => {
    const of = (text: string, tag: string) => phrasesIn([{ text, weight: 1 }], tag).map(({ phrase }) => phrase)
    expect(of('Plugins for WordPress SEO audits', 'en')).toContain('WordPress SEO audits')
    expect(of('OUR CITY BIKES', 'en')).toContain('city bikes')
    expect(of('Wir liefern Lastenräder und wechseln die Kette', 'de')).toContain('Lastenräder')
  })

  it('are the same without joints, order and plural', () => {
    expect(phraseKey('The wear of Chains')).toBe(phraseKey('chain wear'))
    expect(phraseKey('how to choose city bikes')).not.toBe(phraseKey('best city bikes'))
    expect(phraseKey('the')).not.toBe('')
  })
})

describe('keywords from the site itself', () => {
  it('come once each', () => {
    const keywords = wordsFor({ ...WORKSHOP, competitors: ['quick-bike.example'] })
    expect(keywords.length).toBeGreaterThan(40)
    expect(new Set(keywords.map(phraseKey)).size).toBe(keywords.length)
  })

  it('ask and compare around real phrases', () => {
    const keywords = wordsFor({ ...WORKSHOP, competitors: ['quick-bike.example'] })
    expect(keywords).toEqual(
      expect.arrayContaining([
        'second-hand city bikes',
        'how to choose commuter bikes',
        'best electric bikes',
        'chain wear explained',
        'commuter bikes vs electric bikes',
        'quick bike alternatives',
        'Spaak & Fietsen vs quick bike',
      ]),
    )
    expect(keywords.filter((keyword) => /\b(we|and repair)\b/.test(keyword))).toEqual([])
  })

  it.each([
    ['de', 'Werkstatt: Bremsen einstellen und Kette wechseln.', ['Bremsen einstellen', 'Tipps zu Kette wechseln']],
    [
      'fr',
      'Atelier vélo : réparation de freins hydrauliques.',
      ['freins hydrauliques', 'comment choisir freins hydrauliques'],
    ],
    ['es', 'Taller: reparación de frenos hidráulicos.', ['frenos hidráulicos', 'cómo elegir frenos hidráulicos']],
    ['nl', 'Werkplaats voor elektrische stadsfietsen.', ['elektrische stadsfietsen', 'beste elektrische stadsfietsen']],
  ])('in %s', async (tag, description, wanted) =>
    expect(wordsFor({ tag, description })).toEqual(expect.arrayContaining(wanted)),
  )

  it('in a language without templates are the phrases found', async () =>
    expect(wordsFor({ tag: 'pl', description: 'Serwis rowerowy: wymiana łańcucha.' }).sort()).toEqual([
      'serwis rowerowy',
      'wymiana łańcucha',
    ]))

  it('are none for a site without text, and never more than requested', async () => {
    expect(wordsFor({})).toEqual([])
    expect(wordsFor({ description: 'and the of 2024' })).toEqual([])
    expect(wordsFor({ ...WORKSHOP, limit: 7 })).toHaveLength(7)
  })

  it('are fast for a large site', async () => {
    const pages = Array.from({ length: 2_000 }, (_, n) => ({
      title: `Guide ${n}: chain wear of city bikes number ${n % 50}`,
      keyword: '',
      description: 'What a worn chain costs and when a cassette has to go. '.repeat(10),
    }))
    const started = cpuMs()
    expect(wordsFor({ pages }).length).toBeGreaterThan(10)
    expect(cpuMs() - started).toBeLessThan(10_000)
  })
})

describe('keywords of English sentences', () => {
  const SITES: [string, string, string[], string[]][] = [
    [
      'Cakes & Co',
      'Our bakery teaches baking classes for beginners and sells sourdough bread, birthday cakes and gluten-free pastries in Austin.',
      ['baking classes', 'how to choose birthday cakes', 'birthday cake tips', 'sourdough bread cost'],
      ['teaches', 'sells', 'bakery'],
    ],
    [
      'Ledgerly',
      'Ledgerly helps freelancers track expenses, send invoices and file quarterly taxes. It connects to your bank and categorizes transactions automatically.',
      ['how to track expenses', 'how to send invoices', 'how to file quarterly taxes', 'quarterly taxes explained'],
      ['freelancers', 'helps', 'connects', 'categorizes', 'automatically', 'best quarterly taxes'],
    ],
    [
      'Green Garden',
      'We design and build gardens that look after themselves: native plants, drip irrigation, and low-maintenance lawns for busy homeowners.',
      ['drip irrigation', 'best native plants', 'low-maintenance lawn tips', 'how to build gardens'],
      ['homeowners', 'design and', 'themselves'],
    ],
    [
      'Fix IT',
      'Fast and reliable computer repair. Same-day laptop screen replacement, data recovery from damaged drives, and virus removal at fair prices.',
      ['computer repair', 'data recovery explained', 'virus removal benefits'],
      ['reliable', 'fair', 'prices', 'best damaged', 'how to choose damaged'],
    ],
  ]

  it.each(SITES)('%s: things and deeds, never half a sentence', (businessName, description, wanted, never) => {
    const keywords = wordsFor({ businessName, description })
    expect(keywords).toEqual(expect.arrayContaining(wanted))
    for (const words of never)
      expect(
        keywords.filter((keyword) => keyword.includes(words)),
        words,
      ).toEqual([])
  })

  it('name competitors only in comparisons', () => {
    const keywords = wordsFor({ ...WORKSHOP, competitors: ['quick-bike.example'] })
    for (const keyword of keywords.filter((text) => text.includes('quick bike')))
      expect(keyword).toMatch(/ vs quick bike$|^quick bike alternatives$/)
  })

  it('fit their pattern: plural to choose from, singular before another noun', () => {
    const keywords = wordsFor({ description: 'Chain wear, city bikes, and glass vases.' })
    expect(keywords).toEqual(expect.arrayContaining(['best city bikes', 'city bike tips', 'glass vase tips']))
    expect(keywords).toContain('chain wear tips')
    expect(
      keywords.filter((keyword) => /(best|how to choose|types of) chain wear|city bikes tips/.test(keyword)),
    ).toEqual([])
  })

  it('are the seeds a service is asked about, without the forms', () =>
    expect(siteWords.seeds({ ...BLANK, ...WORKSHOP })).toEqual(
      expect.arrayContaining(['chain wear', 'second-hand city bikes', 'commuter bikes', 'electric bikes']),
    ))
})

describe('a description of single words', () => {
  const seedsOf = (description: string) => siteWords.seeds({ ...BLANK, description })

  it.each([
    ['We sell bread and cakes in Paris', ['bread', 'cakes']],
    ['Coffee', ['coffee']],
    ['We sell shoes for men and women in New York, Boston and Salem', ['shoes']],
  ])('%s: is about the things it names, not the places', (description, seeds) =>
    expect(seedsOf(description)).toEqual(seeds),
  )

  it('gives way to keywords of several words', () =>
    expect(seedsOf('We sell bread and handmade wooden toys')).toEqual(['handmade wooden toys']))
})

describe('a month’s articles', () => {
  const known = { pages: [], articles: [], ranked: new Set<string>(), banned: [] }
  const left = (keywords: string[], more: Partial<Parameters<typeof withoutWritten>[1]>) =>
    withoutWritten(found(keywords), { ...known, ...more }).map(({ keyword }) => keyword)

  it('leave out existing topics, banned words and repetitions', () => {
    const keywords = [
      'chain wear',
      'wear of chains',
      'city bikes',
      'cheap bikes',
      'brake pads',
      'old lamps',
      'bell sounds',
    ]
    expect(
      left(keywords, {
        pages: [
          { title: 'City Bike', keyword: '' },
          { title: 'x', keyword: 'brake pads' },
        ],
        articles: ['Old lamp'],
        ranked: new Set(['bell sounds']),
        banned: ['CHEAP'],
      }),
    ).toEqual(['chain wear'])
  })

  it.each([
    ['how to choose bikes', 'en', 'How-To', 'How to Choose Bikes'],
    ['best bikes', 'en', 'Listicle', 'Best Bikes'],
    ['city bikes vs road bikes', 'en', 'Comparison', 'City Bikes vs Road Bikes'],
    ['chain checklist', 'en', 'Resources', 'Chain Checklist'],
    ['chain wear explained', 'en', 'Explainer', 'Chain Wear Explained'],
    ['chain wear', 'en', 'Informative', 'Chain Wear: A Practical Guide'],
    ['Kette oder Riemen', 'de', 'Comparison', 'Kette oder Riemen'],
    ['veelgemaakte fouten bij remmen', 'nl', 'Listicle', 'Veelgemaakte fouten bij remmen'],
    ['comment choisir un vélo', 'fr', 'How-To', 'Comment choisir un vélo'],
    ['benefits of chains', 'en', 'Listicle', 'Benefits of Chains'],
  ])('%s (%s) is a %s called %s', (keyword, tag, style, title) => {
    expect(styleOf(keyword, tag)).toBe(style)
    expect(titleOf(keyword, tag)).toBe(title)
  })

  it('have slugs of their own', () =>
    expect(freeSlugs(['a-b', 'a-b', '', 'a-b'], ['a-b'])).toEqual(['a-b-2', 'a-b-3', 'article', 'a-b-4']))
})
