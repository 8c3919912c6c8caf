import { describe, expect, it } from 'vitest'
import { brandOf, judge, judgeSaid } from '../../../src/insights/visibility/judge.ts'
import { cpuMs } from '../../support/cpu-time.ts'
import { NAME_PAIRS } from './name-pairs.ts'

type Given = { name?: string; aliases?: string[]; site?: string; competitors?: string[]; language?: string }

const brand = ({ name = 'Acme', aliases = [], site = 'acme.com', competitors = [], language = '' }: Given = {}) =>
  brandOf({ name, aliases, siteKey: site, competitors, language })

const isMentioned = (text: string, given?: Given): boolean =>
  judge({ text, citations: [] }, brand(given)).verdict === 'mentioned'

const siteOf = (url: string, given?: Given) =>
  judge({ text: '', citations: [{ url, title: '' }] }, brand(given)).citations[0]

it('a name in the thoughts of a model is no mention', () => {
  const of = { name: 'Acme', siteKey: 'acme.com', competitors: [] }
  const verdict = (text: string) => judgeSaid({ said: { text, citations: [] }, of, prompt: '' }).verdict
  expect(verdict('<think>Acme is one.</think>Choose Oak & Co.')).toBe('not_cited')
  expect(verdict('Is it Acme?</think>Choose Oak & Co.')).toBe('not_cited')
  expect(verdict('<think>Which one?</think>Choose Acme.')).toBe('mentioned')
})

describe('a page belongs to', () => {
  it.each([
    ['https://acme.com/', {}],
    ['https://www.acme.com/sheds?utm_source=openai', {}],
    ['http://blog.acme.com/a', {}],
    ['https://acme.com/a', { site: 'blog.acme.com' }],
    ['https://shop.acme.co.uk/a', { site: 'acme.co.uk' }],
    ['https://acme.github.io/x', { site: 'acme.github.io' }],
    ['https://medium.com/@acme/story', { site: 'medium.com/@acme' }],
    ['https://xn--mller-kva.de/a', { site: 'xn--mller-kva.de' }],
  ])('the business: %s', (url, given) => {
    expect(siteOf(url, given)?.site).toBe('own')
  })

  it.each([
    ['https://notacme.com/', {}],
    ['https://acme.com.evil.example/', {}],
    ['https://acme.co/', {}],
    ['https://other.co.uk/', { site: 'acme.co.uk' }],
    ['https://other.github.io/x', { site: 'acme.github.io' }],
    ['https://medium.com/@acmeother', { site: 'medium.com/@acme' }],
    ['https://review.example/acme.com', {}],
  ])('somebody else: %s', (url, given) => {
    expect(siteOf(url, given)?.site).toBe('other')
  })

  it('a competitor, by domain; the nearer of two on one domain', () => {
    const given = { competitors: ['sheds.co.uk', 'shop.acme.com'] }
    expect(siteOf('https://www.sheds.co.uk/a', given)).toMatchObject({ site: 'competitor', domain: 'sheds.co.uk' })
    expect(siteOf('https://shop.acme.com/a', given)).toMatchObject({ site: 'competitor', domain: 'shop.acme.com' })
    expect(siteOf('https://www.acme.com/a', given)).toMatchObject({ site: 'own', domain: 'acme.com' })
    expect(siteOf('https://a.b.forum.co.uk/x', given)).toMatchObject({ site: 'other', domain: 'forum.co.uk' })
  })
})

it('a page is one citation, however often and with whatever tracking parameters; other URLs are none', () => {
  const urls = [
    'https://acme.com/a?utm_source=x',
    'https://acme.com/a#b',
    'https://acme.com/a?p=1',
    'ftp://a.b/c',
    'no',
  ]
  const { citations, verdict } = judge({ text: '', citations: urls.map((url) => ({ url, title: ' T ' })) }, brand())
  expect(citations.map(({ url, title }) => [url, title])).toEqual([
    ['https://acme.com/a', 'T'],
    ['https://acme.com/a?p=1', 'T'],
  ])
  expect(verdict).toBe('cited')
})

describe('the business is mentioned', () => {
  it.each<[string, Given]>([
    ['I would go with Acme.', {}],
    ['ACME is solid; so is acme-online.', {}],
    ['I couldn’t find any hidden fees at Acme.', {}],
    ['Sources say Acme does not include delivery.', {}],
    ['Have you tried Acme? It is great.', {}],
    ['Ich habe nichts Besseres gefunden als Acme.', { language: 'de' }],
    ['I would go with Acme Sheds.', { name: 'Acme Sheds Corp. (USA)' }],
    ['I would go with Foo Barns.', { name: 'Acme Sheds LLC dba Foo Barns' }],
    ['Chez Dupont, tout va bien.', { name: 'SARL Dupont' }],
    ['The OReilly books are good.', { name: 'O’Reilly' }],
    ['J. Crew has shirts.', { name: 'J.Crew' }],
    ['Διαβάζω στην Καθημερινή.', { name: 'Η Καθημερινή', language: 'el' }],
    ['از دیجی کالا خریدم', { name: 'دیجی\u200cکالا', language: 'fa' }],
    ['Try Booking.com for hotels.', { name: 'Booking.com', site: 'b.example' }],
    ['Acme’s sheds last', {}],
    ['“Acme”, they say', {}],
    ['Try AcmeWidgets', { name: 'Acme Widgets Inc.' }],
    ['Try acme-widgets', { name: 'Acme Widgets, LLC' }],
    ['Try Acme Widgets Ltd.', { name: 'Acme Widgets GmbH & Co. KG' }],
    ['Smith and Sons build them', { name: 'Smith & Sons' }],
    ['Smith & Sons build them', { name: 'Smith & Sons' }],
    ['Wer Mueller & Soehne kennt', { name: 'Müller & Söhne' }],
    ['Mueller builds', { name: 'Müller' }],
    ['Muller builds', { name: 'Müller' }],
    ['Café Zoë is lovely', { name: 'Cafe Zoe' }],
    ['Cafe Zoe is lovely', { name: 'Café Zoë' }],
    ['Look at acme.com for sheds', { name: '' }],
    ['Book it on Booking.com today', { name: 'Booking.com', site: 'booking.com' }],
    ['Write it in Node.js', { name: 'Node.js', site: 'nodejs.org' }],
    ['Acme Sheds is fine', { name: '', site: 'acme-sheds.com' }],
    ['AcmeSheds is fine', { name: 'Acme', site: 'acme-sheds.com' }],
    ['Лучший выбор: Яндекс.', { name: 'Яндекс', site: 'yandex.ru' }],
    ['我喜欢小米手机', { name: '小米', site: 'mi.com' }],
    ['ソニーのテレビ', { name: 'ソニー', site: 'sony.jp' }],
    ['삼성전자는 크다', { name: '삼성전자', site: 'samsung.com' }],
    ['أفضل شركة هي نون', { name: 'نون', site: 'noon.com' }],
    ['टाटा मोटर्स अच्छी है', { name: 'टाटा मोटर्स', site: 'tata.in' }],
    ['I use an HP printer', { name: 'HP', site: 'hp.com' }],
    ['Ask the Widgeteers', { name: 'Acme Widgets', aliases: ['The Widgeteers'] }],
    ['Acme Widgets leads', { name: 'Acme Widgets', competitors: ['acme.io'] }],
    ['Acme, unlike Acme Tools, ships', { competitors: ['acme-tools.com'] }],
    ['Acme™ is a good choice.', {}],
    ['Dr Martens boots last', { name: 'Dr. Martens' }],
    ['I know no better shop than Acme.', {}],
    ['No conozco nada mejor que Acme.', { language: 'es' }],
    ['Non conosco nulla di meglio di Acme.', { language: 'it' }],
    ['Não conheço nada melhor que a Acme.', { language: 'pt' }],
    ['Je ne connais pas de meilleure marque qu’Acme.', { language: 'fr' }],
    ['Acme has no known issues.', {}],
    ['ACME® sheds last.', {}],
    ['קניתי בשטראוס.', { name: 'שטראוס', language: 'he' }],
  ])('%s', (text, given) => {
    expect(isMentioned(text, given)).toBe(true)
  })

  it.each<[string, Given]>([
    ['The acmeist poets', {}],
    ['Macmeth', {}],
    ['Pacme and Acme2', {}],
    ['Start with art', { name: 'Tar', site: 'tar.com' }],
    ['Acme. Widgets are cheap', { name: 'Acme Widgets' }],
    ['Acme\n\nWidgets', { name: 'Acme Widgets' }],
    ['not ion but anion', { name: 'Notion', site: 'notion.so' }],
    ['See https://reddit.com/r/acme for more', {}],
    ['See acme-reviews.com and info@acme.example', {}],
    ['Acme Tools is the best', { competitors: ['acme-tools.com'] }],
    ['AcmeTools and acme-tools', { competitors: ['acmetools.com', 'acme-tools.com'] }],
    ['ソニックのゲーム', { name: 'ソニ', site: 'soni.jp' }],
    ['삼성전자레인지', { name: '삼성전자', site: 'samsung.com' }],
    ['The ship sank, hp sauce', { name: 'HP', site: 'hp.com' }],
    ['the art of sheds', { name: '', site: 'theart.com' }],
    ['galleys are ships', { name: 'Galley', site: 'galley.com' }],
    ['I don’t have specific information on Acme, but sheds last.', {}],
    ['There is limited information about Acme.', {}],
    ['Acme is unknown to me.', {}],
    ['My search results don’t mention Acme.', {}],
    ['None of the sources cover Acme.', {}],
    ['Acme does not appear in any of the sources I reviewed.', {}],
    ['My knowledge of Acme is limited.', {}],
    ['I have never come across Acme.', {}],
    ['Acme is not a brand I know.', {}],
    ['Nothing came up for Acme.', {}],
    ['“Acme” returned no results.', {}],
    ['Acme? I have no data on that company.', {}],
    ['Über Acme ist mir nichts bekannt.', { language: 'de' }],
    ['In den Quellen wird Acme nicht erwähnt.', { language: 'de' }],
    ['Acme ne figure pas dans les résultats.', { language: 'fr' }],
    ['Acme no aparece en los resultados.', { language: 'es' }],
    ['Non so nulla di Acme.', { language: 'it' }],
    ['A Acme não aparece nos resultados.', { language: 'pt' }],
    ['Ik heb niets over Acme gevonden.', { language: 'nl' }],
    ['See notbooking.com.', { name: 'Booking.com', site: 'b.example' }],
    ['Mir ist kein Unternehmen namens Acme bekannt.', { language: 'de' }],
    ['Je ne connais pas Acme.', { language: 'fr' }],
    ['No conozco la empresa Acme.', { language: 'es' }],
    ['Non conosco Acme.', { language: 'it' }],
    ['Desconheço a empresa Acme.', { language: 'pt' }],
    // Forms with other letters inside a name are not recognized.
    ['Мы отдыхали в Красной Поляне.', { name: 'Красная Поляна', language: 'ru' }],
    ['Usługi Poczty Polskiej są drogie.', { name: 'Poczta Polska', language: 'pl' }],
    ['Kunden der Deutschen Bank', { name: 'Deutsche Bank', language: 'de' }],
    ['на красной поляне росли цветы', { name: 'Красная Поляна', language: 'ru' }],
    ['В Красной книге, Поляна', { name: 'Красная Поляна', language: 'ru' }],
    ['Kunden deutscher Banken', { name: 'Deutsche Bank', language: 'de' }],
    ['the Red Barns of Vermont', { name: 'Red Barn', language: 'en' }],
    ['זה מבזק חדשות', { name: 'בזק', language: 'he' }],
    ['القانون جيد', { name: 'نون', language: 'ar' }],
    ['', {}],
  ])('not: %s', (text, given) => {
    expect(isMentioned(text, given)).toBe(false)
  })
})

describe('an answer to a question that names the business', () => {
  const verdictOf = (text: string, prompt: string, language: string) =>
    judge({ text, citations: [] }, brand({ language }), prompt).verdict

  it.each([
    ['Nic nie wiem o Acme.', 'Co wiesz o Acme?', 'pl', 'unclear'],
    ['Acme buduje altany.', 'Co wiesz o acme.com?', 'pl', 'unclear'],
    ['Acmeについては存じ上げません。', 'Acmeについて教えて', 'ja', 'unclear'],
    ['Jag känner inte Acme.', 'Vad är Acme?', 'sv', 'unclear'],
    ['Nic o tej firmie nie wiem.', 'Co wiesz o Acme?', 'pl', 'not_cited'],
    ['Najlepsze altany buduje Acme.', 'Kto buduje altany?', 'pl', 'mentioned'],
    ['I don’t know Acme.', 'What is Acme?', 'en', 'not_cited'],
    ['Acme builds sheds.', 'What is Acme?', 'en', 'mentioned'],
    ['Acme kenne ich leider nicht.', 'Wer ist Acme?', 'de', 'not_cited'],
    ['Acme baut Schuppen.', 'Wer ist Acme?', 'de', 'mentioned'],
    ['Acme bouwt schuren.', 'Wie is Acme?', 'nl', 'mentioned'],
  ])('%s (%s, %s) is %s', (text, prompt, language, verdict) => expect(verdictOf(text, prompt, language)).toBe(verdict))

  it('is cited in every language if it cites a page of the business', () => {
    const citations = [{ url: 'https://acme.com/', title: '' }]
    expect(judge({ text: 'Acme.', citations }, brand({ language: 'pl' }), 'Acme?').verdict).toBe('cited')
  })
})

it('names are found in the labelled set of 300 pairs, at least 97 % of them right', () => {
  const judged = NAME_PAIRS.map(([name, text, isNamed, language = '']) => {
    const of = brandOf({ name, siteKey: 'site.example', competitors: [], language })
    return { name, text, isRight: (judge({ text, citations: [] }, of).verdict === 'mentioned') === isNamed }
  })
  const wrong = judged.filter(({ isRight }) => !isRight).map(({ name, text }) => `${name}: ${text}`)
  const score = 1 - wrong.length / judged.length
  console.info(`names: ${judged.length} pairs, ${(score * 100).toFixed(1)} % right`, wrong)
  expect(judged.length).toBeGreaterThanOrEqual(300)
  expect(score).toBeGreaterThanOrEqual(0.97)
})

it('a long text is read in time proportional to its length', () => {
  const text = `${'Rival-1 '.repeat(10_000)}${'Acme-'.repeat(20_000)} ${'a.'.repeat(20_000)} ${'é'.repeat(20_000)}`
  const started = cpuMs()
  judge({ text, citations: [] }, brand({ competitors: Array.from({ length: 50 }, (_, n) => `rival-${n}.com`) }))
  expect(cpuMs() - started).toBeLessThan(2_000)
})

it('a page is one citation, in whatever way the text writes its address', () => {
  const text = [
    'See [a](https://acme.com/a), http://acme.com/a. And **https://www.acme.com/a/**',
    '(https://acme.com/a) [https://acme.com/a] <https://acme.com/a> “https://acme.com/a” `https://acme.com/a`',
    'https://acme.com/a?utm_source=openai&gclid=1 https://acme.com/a#part https://acme.com/a?',
    '见https://acme.com/a。また（https://acme.com/a）、【https://acme.com/a】',
  ].join('\n')
  const of = { name: 'Acme', siteKey: 'acme.com', competitors: [] }
  const { citations } = judgeSaid({
    said: { text, citations: [{ url: 'https://acme.com/a/', title: 'A' }] },
    of,
    prompt: '',
  })
  expect(citations.map(({ url, title }) => [url, title])).toEqual([['https://acme.com/a/', 'A']])
})

it('pages whose identity is in the query are different citations', () => {
  const text = 'https://acme.com/?p=59 https://acme.com/?p=60 https://acme.com/index.php?id=7'
  const { citations } = judgeSaid({
    said: { text, citations: [] },
    of: { name: 'Acme', siteKey: 'acme.com', competitors: [] },
    prompt: '',
  })
  expect(citations.map(({ url, site }) => [url, site])).toEqual([
    ['https://acme.com/?p=59', 'own'],
    ['https://acme.com/?p=60', 'own'],
    ['https://acme.com/index.php?id=7', 'own'],
  ])
})
