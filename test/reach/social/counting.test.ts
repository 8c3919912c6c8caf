import { expect, it } from 'vitest'
import { linksIn } from '../../../src/platform/lib/links.ts'
import { graphemesOf } from '../../../src/platform/lib/text.ts'
import { facetsOf } from '../../../src/providers/social/bluesky/index.ts'
import { textAbout } from '../../../src/reach/social/draft.ts'
import { fittingText, misfit, outgoingText, weightedLength } from '../../../src/reach/social/rules.ts'
import { cpuMs } from '../../support/cpu-time.ts'

const link = 'https://sheds.example/a/very/long/path/that/counts/as/any/other'

// Values of twitter-text's own conformance suite (validate.yml, configuration v3) where they are named so.
it.each([
  ['plain letters', 'a'.repeat(280), 280],
  ['accented letters', 'é'.repeat(140), 140],
  ['Chinese, Japanese and Korean letters count two', '이뱀파'.repeat(10), 60],
  ['an emoji counts two', '🙂', 2],
  ['a family of seven code points counts two', '👨‍👩‍👧‍👦', 2],
  ['a flag counts two', '🇳🇱', 2],
  ['a skin tone counts with its hand', '👍🏽', 2],
  ['a link counts 23 whatever its length', link, 23],
  ['a short link counts 23 too', 'http://a.co', 23],
  ['text around a link', `See ${link}.`, 28],
  ['two links', `${link} ${link}`, 47],
  ['a bare name of a common ending', 'example.com', 23],
  ['a bare name with a path', 'example.nl/sheds', 23],
  ['no link: a country’s ending without a path', 'e.g. this', 9],
  ['no link: an address of mail', 'a@example.com', 13],
  ['quotation marks count one', '“quoted”', 8],
])('%s', (_, text, length) => {
  expect(weightedLength(text)).toBe(length)
})

it('counts what readers take for one character', () => {
  expect(graphemesOf('👨‍👩‍👧‍👦e\u0301🇳🇱')).toHaveLength(3)
})

const post = (content: string, url: string | null = null) => ({ content, link: url, media: [] })

it('Bluesky takes 300 characters as readers count, and 3,000 bytes', () => {
  expect(misfit('bluesky', post('👨‍👩‍👧‍👦'.repeat(100)))).toBeUndefined()
  expect(misfit('bluesky', post('e'.repeat(301)))).toMatch(/301 of 300/)
  expect(misfit('bluesky', post('👨‍👩‍👧‍👦'.repeat(290)))).toMatch(/bytes/)
})

it('Telegram allows less text with a picture', () => {
  const media = [{ type: 'image' as const, url: 'https://images.example/a.png' }]
  expect(misfit('telegram', post('a'.repeat(1_025)))).toBeUndefined()
  expect(misfit('telegram', { ...post('a'.repeat(1_025)), media })).toMatch(/1025 of 1024/)
})

it('a text is cut at a word so that it fits with its link', () => {
  const text = fittingText('x', 'level ground '.repeat(60), link)
  expect(text).toMatch(/(level|ground)…$/)
  expect(misfit('x', post(text, link))).toBeUndefined()
  expect(text.length).toBeGreaterThan(230)
})

it('a text about an article keeps the hashtags before the description', () => {
  const told = {
    title: 'Level ground',
    description: 'word '.repeat(100),
    url: link,
    instructions: 'Use #sheds, not a#b or &#39;',
  }
  expect(textAbout('x', told)).toBe('Level ground\n\n#sheds')
  expect(textAbout('linkedin', { ...told, description: 'Short.' })).toBe('Level ground\n\nShort.\n\n#sheds')
})

it('texts of one character repeated are counted in a moment', () => {
  const start = cpuMs()
  for (const one of ['.', 'a', '-', 'a.', 'a-', 'http://', '🙂', '\n', 'x.com/', ')'])
    weightedLength(one.repeat(60_000 / one.length))
  expect(cpuMs() - start).toBeLessThan(5_000)
})

// fimfiction-issues#66, CasualOffice/docs#144, linkify-it#116, mastodon#6031, social-app#6927, atproto#4120, feedspora#37
it.each([
  ['See https://a.example/wiki/Shed_(disambiguation) today', ['https://a.example/wiki/Shed_(disambiguation)']],
  ['(see https://a.example/x)', ['https://a.example/x']],
  ['(see https://a.example/x_(y).)', ['https://a.example/x_(y)']],
  ['[https://a.example/x]: yes', ['https://a.example/x']],
  ['https://example.org/pathを見てください。', ['https://example.org/path']],
  ['見てhttps://example.org/path。', ['https://example.org/path']],
  ['ดูhttps://example.org/xได้', ['https://example.org/x']],
  ['https://example.orgを見て', ['https://example.org']],
  ['https://example.org/x를 보세요, https://example.org에서', ['https://example.org/x', 'https://example.org']],
  ['https://example.org/한글', ['https://example.org/한글']],
  ['https://日本.example/x', ['https://日本.example/x']],
  ['HTTPS://Example.org/A!', ['HTTPS://Example.org/A']],
  ['„https://a.example/x“, sagt er', ['https://a.example/x']],
  ['«https://a.example/x»', ['https://a.example/x']],
  ['https://a.example/x… and', ['https://a.example/x']],
  ['https://a.example/x؟', ['https://a.example/x']],
  ['https://a.example/straße?q=a,b&c=(d)', ['https://a.example/straße?q=a,b&c=(d)']],
  ['sheds at example.com, and example.nl/sheds.', ['https://example.com', 'https://example.nl/sheds']],
  ['example.comを見て', ['https://example.com']],
  ['a@example.com e.g. this http:// https://', []],
  ['Write https://%s/a, https://[name or http://|-|.', []],
])('the links of %s', (text, uris) => {
  expect(linksIn(text).map(({ uri }) => uri)).toEqual(uris)
  const facets = facetsOf(text, new Map()).map(({ index, features }) => [
    Buffer.from(text).subarray(index.byteStart, index.byteEnd).toString(),
    (features[0] as { uri?: string }).uri,
  ])
  expect(facets.map(([, uri]) => uri)).toEqual(uris)
  for (const [shown = '', uri = ''] of facets) expect(uri.endsWith(shown)).toBe(true)
  // X counts 23 for each of the same links.
  const rest = facets.reduce((left, [shown = '']) => left.replace(shown, ''), text)
  expect(weightedLength(text)).toBe(weightedLength(rest) + 23 * uris.length)
})

it.each([
  ['#sheds', ['sheds']],
  ['＃小屋 と', ['小屋']],
  ['#1 of #2026', []],
  ['#a1', ['a1']],
])('the tags of %s', (text, tags) =>
  expect(facetsOf(text, new Map()).map(({ features }) => (features[0] as { tag?: string }).tag)).toEqual(tags),
)

// postiz-app#1946
it('Threads counts bytes of UTF-8', () => {
  const text = `${'é'.repeat(66)}${'a'.repeat(396)}`
  expect(misfit('threads', post(text))).toBe('is too long for Threads: 528 of 500 bytes')
  expect(misfit('threads', post('a'.repeat(500)))).toBeUndefined()
  expect(misfit('threads', post(fittingText('threads', 'ä '.repeat(400), link), link))).toBeUndefined()
})

// friendica-addons#1174
it.each([
  ['Compare with https://x.example/sheds-2026 first', 'https://x.example/sheds', true],
  ['See https://x.example/a?x=1', 'https://x.example/a', true],
  ['See https://x.example/a.', 'https://x.example/a', false],
  ['See HTTPS://X.example/a', 'https://x.example/a', false],
  ['(https://x.example/a)', 'https://x.example/a', false],
  ['See x.example', 'https://x.example/', true],
])('after %j the link %s follows: %s', (content, url, follows) =>
  expect(outgoingText('linkedin', { content, link: url })).toBe(follows ? `${content}\n\n${url}` : content),
)

it('links are found in a moment, whatever is written', () => {
  const texts = [
    'https://a.b/('.repeat(20_000),
    'a.'.repeat(100_000),
    'https://'.repeat(40_000),
    'a.b/)'.repeat(40_000),
  ]
  const begun = cpuMs()
  for (const text of [...texts, `https://a.b/${'('.repeat(200_000)}`]) linksIn(text)
  expect(cpuMs() - begun).toBeLessThan(3_000)
})
