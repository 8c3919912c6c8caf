import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyEdits } from '../../../src/content/html/tags.ts'
import { exactUses, keysIn, readArticle, usesIn, wordingOf } from '../../../src/publishing/statements/find.ts'
import { mended } from '../../../src/publishing/statements/mend.ts'
import { LEAST, likeness, rareKeys, weighed, wordsOf } from '../../../src/publishing/statements/words.ts'
import { SAID } from './measured/said.ts'

const read = (content: string) => readArticle({ title: '', metaDescription: '', content })
const keysOf = (text: string) => wordsOf(text).map(({ key }) => key)

/** Texts around a statement, in its sentence and in others. */
const AROUND = ['', 'Note that ', 'Übrigens: ', '„', 'なお、', '<b>Tip:</b> ', '2024. ', 'See <a href="/x">this</a>; ']
const BEHIND = ['', '.', '! Call us.', ', as said', '</p><p>More.', ' <em>now</em>.', '”.', '。はい。']

/** Returns a wording as HTML with other case, spaces, references, markup and form of its numbers, as `choices` says. */
const written = (wording: string, choices: readonly number[]): string => {
  let n = 0
  const next = (): number => choices[n++ % choices.length] ?? 0
  return wording
    .replace(/(\d)[,. ](\d{3})/g, (_, a, b) => `${a}${[',', ' ', '', '\u00a0', '&nbsp;'][next() % 5]}${b}`)
    .split(/(?<=\s)|(?=\s)/)
    .map((part) => {
      const choice = next()
      if (/^\s+$/.test(part)) return [' ', '&nbsp;', '\n  ', '<br>', ' \u00ad'][choice % 5]
      if (choice % 7 === 1) return `<strong>${part}</strong>`
      if (choice % 7 === 2 && !part.includes('&')) return part.toUpperCase()
      if (choice % 7 === 3) return part.replace(/^\p{L}/u, (letter) => `&#${letter.codePointAt(0)};`)
      return part
    })
    .join('')
}

it('a text that says it very often costs its size, and has at most 500 uses', () => {
  const wording = wordingOf('Oak &')
  const many = 'Oak &amp;. '.repeat(60_000)
  expect(usesIn(read(`<p>${many}</p>`), [wording, wordingOf('ash')]).length).toBe(500)
  expect(exactUses(read(`<p>${'Ash. '.repeat(100_000)}${many}</p>`), [wording]).length).toBe(500)
  const article = read(`<p>${many}</p>`)
  const changed = exactUses(article, [wording]).map((use) => mended(use, wordingOf('Ash')))
  expect(changed.every((one) => 'edit' in one)).toBe(true)
})

const statement = fc.record({
  wording: fc.constantFrom(...SAID.map(({ wording }) => wording)),
  choices: fc.array(fc.nat(34), { minLength: 4, maxLength: 12 }),
  around: fc.constantFrom(...AROUND),
  behind: fc.constantFrom(...BEHIND),
})

describe('an exact use', () => {
  it('is found however it is written, by the words of the wording and by the index', () => {
    fc.assert(
      fc.property(statement, ({ wording, choices, around, behind }) => {
        const said = wordingOf(wording)
        const article = read(`<h2>Title</h2><p>Before. ${around}${written(wording, choices)}${behind}</p>`)
        expect(exactUses(article, [said])).toMatchObject([{ match: 'exact', score: 1 }])
        const keys = new Set(keysIn(article))
        expect([...said.keys.keys()].filter((key) => !keys.has(key))).toEqual([])
        expect(rareKeys(said.keys).length).toBeGreaterThan(0)
      }),
      { numRuns: 400 },
    )
  })

  it('that is mended says the new wording once, and nothing around it changes', () => {
    fc.assert(
      fc.property(statement, fc.constantFrom(...SAID.map(({ wording }) => wording)), (one, other) => {
        const html = `<p>Before. ${one.around}${written(one.wording, one.choices)}${one.behind}</p>`
        const [said, next] = [wordingOf(one.wording), wordingOf(other)]
        fc.pre(one.wording !== other)
        const [use] = exactUses(read(html), [said])
        if (!use) throw new Error(`not found: ${html}`)
        const result = mended(use, next)
        if ('reason' in result) {
          expect(html).toMatch(/<(strong|br)/)
          return
        }
        const { start, end } = result.edit
        const after = applyEdits(html, [result.edit])
        expect(exactUses(read(after), [next])).toHaveLength(1)
        expect(exactUses(read(after), [said])).toHaveLength(0)
        expect(html.slice(start, end)).not.toMatch(/<\/?(p|strong|b|a|em)\b/)
      }),
      { numRuns: 400 },
    )
  })

  it('has the numbers of the wording, in any form, with the same currency', () => {
    for (const same of ['€1,450', '1 450 EUR', 'EUR 1450', '1.450 euros', '1450€'])
      expect(keysOf(same)).toEqual(['#1450', '¤eur'])
    for (const other of ['1,45 euros', '$1,450', '1,451 euros', '11,450 euros'])
      expect(exactUses(read(`<p>A shed costs ${other}.</p>`), [wordingOf('A shed costs 1,450 euros')])).toEqual([])
  })

  it('is within one sentence and one block', () => {
    const said = [wordingOf('A shed costs 45 euros')]
    expect(exactUses(read('<p>This is a shed. Costs 45 euros.</p>'), said)).toEqual([])
    expect(exactUses(read('<p>A shed costs</p><p>45 euros.</p>'), said)).toEqual([])
    expect(exactUses(read('<ul><li>A shed costs 45 <i>euros</i><li>Other</ul>'), said)).toHaveLength(1)
  })
})

describe('a mended text', () => {
  it('has no change of a block that only the editor of the site can change', () => {
    const article = read(
      '<p>Oak lasts.</p><figure data-kept="a1"><div><p>Oak lasts.</p></div></figure><figure><p>Oak lasts.</p></figure>',
    )
    const changed = exactUses(article, [wordingOf('Oak lasts')]).map((use) => mended(use, wordingOf('Ash lasts')))
    expect(changed.map((one) => ('reason' in one ? one.reason : 'changed'))).toEqual([
      'changed',
      'It is in a block that only the editor of the site can change.',
      'changed',
    ])
  })

  const mend = (html: string, old: string, next: string): string => {
    const [use] = exactUses(read(html), [wordingOf(old)])
    if (!use) throw new Error('no use')
    const result = mended(use, wordingOf(next))
    return 'edit' in result ? applyEdits(html, [result.edit]) : result.reason
  }

  it.each([
    ['<p>It costs <b>€1&nbsp;450</b>.</p>', 'costs 1,450 euros', 'costs 1,600 euros', '<p>It costs <b>€1,600</b>.</p>'],
    ['<p>It costs €45 now.</p>', 'costs 45 euros', 'costs 45 dollars', '<p>It costs 45 dollars now.</p>'],
    ['<p>It costs €45 now.</p>', 'costs 45 euros', 'costs 45 euros a day', '<p>It costs €45 a day now.</p>'],
    ['<p>Our shop is open all day.</p>', 'shop is open all day', 'shop is open', '<p>Our shop is open.</p>'],
    ['<p>Wood from Finland is dry.</p>', 'wood from Finland', 'oak from Finland', '<p>Oak from Finland is dry.</p>'],
    ['<p>R&amp;D is fun.</p>', 'R&D is fun', 'Q&A is fun', '<p>Q&amp;A is fun.</p>'],
    ['<p>送料は700円です。</p>', '送料は700円です', '送料は800円です', '<p>送料は800円です。</p>'],
  ])('%s', (html, old, next, expected) => {
    expect(mend(html, old, next)).toBe(expected)
  })
})

it('a sentence that is like a statement shares one of its rare words', () => {
  for (const { wording, other } of SAID) {
    const said = wordingOf(wording)
    for (const sentence of other) {
      const keys = weighed(wordsOf(sentence))
      if (likeness(said.keys, keys) >= LEAST) expect(rareKeys(said.keys).some((key) => keys.has(key))).toBe(true)
    }
  }
})

it('a sentence without any number of the statement does not say it', () => {
  const said = [wordingOf('A garden shed costs 1,450 euros')]
  expect(usesIn(read('<p>A garden shed costs 1,300 euros.</p>'), said)).toEqual([])
  expect(usesIn(read('<p>What a garden shed costs in euros.</p>'), said)).toEqual([])
})
