import { expect, it } from 'vitest'
import { graphemesOf } from '../../src/lib/graphemes.ts'
import { weightedLength } from '../../src/social/counting.ts'
import { fittingText, misfit } from '../../src/social/rules.ts'
import { textAbout } from '../../src/social/telling.ts'
import { cpuMs } from '../support/cpu-time.ts'

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

it('Telegram takes less under a picture', () => {
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
