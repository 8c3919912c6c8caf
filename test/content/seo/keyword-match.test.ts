import { expect, it } from 'vitest'
import { keywordMatcher } from '../../../src/content/seo/keyword-match.ts'
import { cpuMs } from '../../support/cpu-time.ts'
import { KEYWORD_PAIRS } from './keyword-pairs.ts'

it('finds keywords in the labelled set of 200 pairs, at least 97 % of them right', () => {
  const pairs = Object.entries(KEYWORD_PAIRS).flatMap(([language, list]) =>
    list.map((pair) => [language, ...pair] as const),
  )
  const wrong = pairs.filter(([language, keyword, text, isIn]) => keywordMatcher(keyword, language)?.(text) !== isIn)
  const score = 1 - wrong.length / pairs.length
  console.info(`keywords: ${pairs.length} pairs, ${(score * 100).toFixed(1)} % right`, wrong)
  expect(pairs.length).toBeGreaterThanOrEqual(200)
  expect(score).toBeGreaterThanOrEqual(0.97)
})

it.each([
  ['English (US)', 'color palette', 'Choosing a colour palette', true],
  ['English (UK)', 'organise neighbourhood', 'Organizing your neighborhood', true],
  ['English (UK)', 'city centre', 'City centers', true],
  ['English (US)', 'tire change', 'How to change a grey tyre', true],
  ['English (UK)', 'paediatric defence', 'Pediatric defense', true],
  ['English (US)', 'timber', 'The timbre of a voice', false],
  ['English (US)', 'four', 'For you', false],
  ['English (US)', 't shirt', 'Cheap tshirts', true],
  ['English (US)', 'bus criterion', 'Criteria for buses', true],
  ['English (US)', 'a shed', 'Ashed', false],
  ['German', 'e-auto kamera', 'E-Autos mit Kameras', true],
  ['German', 'mai', 'Mais', false],
  ['German', 'brauchtum', 'Was man braucht', false],
  ['German', 'wachstum', 'Ich bin wach', false],
  ['English (US)', 'mayor', 'It may or may not rain', false],
  ['Hungarian', 'bor', 'Magas bér', false],
  ['Russian', 'рок', 'Много рек', false],
  ['Dutch', 'kind', 'Kinderen', true],
  ['Arabic', 'سيارة', 'سيارات', true],
  ['French', 'l’assurance auto', 'Une assurance auto', true],
  ['French', 'prud’hommes', 'Les hommes', false],
  ['Italian', 'dell’olio', 'L’olio d’oliva', true],
  ['Catalan', 'l’hotel', 'Hotels', true],
])('in %s: %s in %j: %s', (language, keyword, text, isIn) => {
  expect(keywordMatcher(keyword, language)?.(text)).toBe(isIn)
})

it('reads a long text in time proportional to its length', () => {
  const started = cpuMs()
  keywordMatcher(`${'ああ '.repeat(100)} shed`, 'Japanese')?.('あ'.repeat(100_000))
  keywordMatcher('a b c d e f g', 'English')?.('a-b c.d e+f '.repeat(10_000))
  expect(cpuMs() - started).toBeLessThan(2_000)
})
