import { describe, expect, it } from 'vitest'
import { phraseKey, phrasesIn } from '../../src/lib/phrases.ts'
import { slugsFor, styleOf, titleOf, unwritten } from '../../src/onboarding/plan.ts'
import type { KeywordInput } from '../../src/onboarding/port.ts'
import { siteKeywords } from '../../src/providers/site-keywords/index.ts'

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
const discover = (input: Partial<KeywordInput>) => siteKeywords().discover({ ...BLANK, ...input })
const wordsFor = async (input: Partial<KeywordInput>) => (await discover(input)).map(({ keyword }) => keyword)
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
  it('measure nothing, say where they come from, and come once each', async () => {
    const keywords = await discover({ ...WORKSHOP, competitors: ['quick-bike.example'] })
    expect(keywords.length).toBeGreaterThan(40)
    for (const row of keywords) expect(row).toMatchObject({ searchVolume: null, difficulty: null, source: 'site' })
    expect(new Set(keywords.map(({ keyword }) => phraseKey(keyword))).size).toBe(keywords.length)
  })

  it('ask and compare around real phrases', async () => {
    const keywords = await wordsFor({ ...WORKSHOP, competitors: ['quick-bike.example'] })
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
    expect(await wordsFor({ tag, description })).toEqual(expect.arrayContaining(wanted)),
  )

  it('in a language without templates are the phrases found', async () =>
    expect((await wordsFor({ tag: 'pl', description: 'Serwis rowerowy: wymiana łańcucha.' })).sort()).toEqual([
      'serwis rowerowy',
      'wymiana łańcucha',
    ]))

  it('are none where nothing is said, and never more than asked for', async () => {
    expect(await wordsFor({})).toEqual([])
    expect(await wordsFor({ description: 'and the of 2024' })).toEqual([])
    expect(await wordsFor({ ...WORKSHOP, limit: 7 })).toHaveLength(7)
  })

  it('take a large site in good time', async () => {
    const pages = Array.from({ length: 2_000 }, (_, n) => ({
      title: `Guide ${n}: chain wear of city bikes number ${n % 50}`,
      keyword: '',
      description: 'What a worn chain costs and when a cassette has to go. '.repeat(10),
    }))
    const started = performance.now()
    expect((await wordsFor({ pages })).length).toBeGreaterThan(10)
    expect(performance.now() - started).toBeLessThan(10_000)
  })
})

describe('a month’s articles', () => {
  const known = { pages: [], articles: [], ranked: new Set<string>(), banned: [] }
  const left = (keywords: string[], more: Partial<Parameters<typeof unwritten>[1]>) =>
    unwritten(found(keywords), { ...known, ...more }).map(({ keyword }) => keyword)

  it('leave out what the site has a page or an article for, what is banned, and repetitions', () => {
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
    expect(slugsFor(['A b', 'a B!', '日本語の自転車', 'a-b'], ['a-b'])).toEqual([
      'a-b-2',
      'a-b-3',
      expect.stringMatching(/^[a-z0-9-]+$/),
      'a-b-4',
    ]))
})
