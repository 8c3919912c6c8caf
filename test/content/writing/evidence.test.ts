import { describe, expect, it } from 'vitest'
import { renderFragment } from '../../../src/content/html/tree.ts'
import {
  evidenceOf,
  keepKnownSentences,
  keepToFacts,
  withoutUnknownNumbers,
} from '../../../src/content/writing/facts.ts'
import { plainBlocks } from '../../../src/content/writing/notes.ts'
import type { WritingBrief } from '../../../src/content/writing/port.ts'
import { prune } from '../../../src/content/writing/prose.ts'
import { briefWith } from './briefs.ts'

const NOTES = 'We sold 1,200 sheds in 2024. “Paint lasts longer,” says Jan. “Cure” is his word.'

const checkedWith = (html: string, notes = NOTES, brief: Partial<WritingBrief> = {}): [html: string, cut: string[]] => {
  const nodes = plainBlocks(html)
  const cut = keepToFacts(nodes, evidenceOf(notes, briefWith(brief)))
  return [renderFragment(prune(nodes)), cut]
}

const keeps = (html: string, notes = NOTES, brief: Partial<WritingBrief> = {}): void =>
  expect(checkedWith(html, notes, brief)).toEqual([html, []])

describe('evidence is the whole text of notes and brief', () => {
  const none = { anchor: '', url: '' }
  it.each<[string, Partial<WritingBrief>]>([
    ['keyword', { keyword: '77 sheds' }],
    ['title', { title: '77 sheds' }],
    ['instructions of the article', { instructions: { article: 'Say 77.', project: '' } }],
    ['instructions of the project', { instructions: { article: '', project: 'Say 77.' } }],
    ['name of the business', { business: { ...briefWith().business, name: 'Shop 77' } }],
    ['description of the business', { business: { ...briefWith().business, description: 'Since 77.' } }],
    ['place of the business', { business: { ...briefWith().business, location: '77 Mill Lane' } }],
    ['audience', { business: { ...briefWith().business, audience: ['owners', 'people over 77'] } }],
    [
      'anchor of an internal link',
      { internalLinks: [{ ...none, anchor: '77 ideas', url: 'https://oak.example/a' }] as never },
    ],
  ])('the %s', (_, brief) => {
    const text = '<p>We know 77 of them.</p>'
    keeps(text, NOTES, brief)
    expect(checkedWith(text)).toEqual(['', ['We know 77 of them.']])
  })

  it.each<[string, Partial<WritingBrief>]>([
    ['website', { business: { ...briefWith().business, websiteUrl: 'https://site.example/page' } }],
    ['link of the site', { internalLinks: [{ anchor: 'a', url: 'https://site.example/page' }] as never }],
    ['partner', { exchangePartners: [{ anchor: 'a', url: 'https://site.example/page' }] as never }],
  ])('the address of the %s', (_, brief) => {
    const text = '<p>See https://site.example/page, it helps.</p>'
    keeps(text, NOTES, brief)
    expect(checkedWith(text)[0]).toBe('')
  })

  it('is no text of another account: the anchor of a partner proves nothing', () => {
    const exchangePartners = [{ anchor: 'Shop 77 “since ever”', url: 'https://x.example/a' }]
    for (const text of ['We know 77 of them.', 'They say “since ever” there.'])
      expect(checkedWith(`<p>${text}</p>`, NOTES, { exchangePartners })).toEqual(['', [text]])
  })

  it('has no numbers inside addresses', () => {
    const notes = 'See https://a.example/2031/x and www.b.example/5555.'
    expect(checkedWith('<p>It was 2031.</p>', notes)[0]).toBe('')
    expect(checkedWith('<p>It took 5555.</p>', notes)[0]).toBe('')
    keeps('<p>See https://a.example/2031/x for more.</p>', notes)
    keeps('<p>See www.b.example/5555!?</p>', notes)
    expect(checkedWith('<p>See https://a.example/2031/y for more.</p>', notes)[0]).toBe('')
  })

  it('is read from notes as they stand and as they are shown', () => {
    keeps('<p>It grew 44 times.</p>', '<p>It grew 4<b>4</b> times</p>')
    keeps('<p>“bold words here” he said.</p>', '<p>bold <em>words</em> here</p>')
  })

  it('finds a phrase by whole words, or by characters if words have no spaces between them', () => {
    expect(checkedWith('<p>He said “paint last” there.</p>')[0]).toBe('')
    keeps('<p>He said “PAINT, lasts!” there.</p>')
    keeps('<p>「長持ち します」と言う。</p>', '塗料は長持ちします。')
    keeps('<p>「長持ちします」と言う。</p>', '塗料は長持ち します。')
    expect(checkedWith('<p>「もう しない」と言う。</p>', '塗料は長持ちします。')[0]).toBe('')
    expect(checkedWith('<p>「もう しない」と言う。</p>', 'only Latin words')[0]).toBe('')
    expect(evidenceOf(NOTES, briefWith()).hasPhrase('...')).toBe(false)
    expect(evidenceOf(NOTES, briefWith()).hasPhrase('...')).toBe(false)
  })
})

describe('headings', () => {
  it.each([
    ['Sheds: 97 % better', 'Sheds: better'],
    ['Save $500 now', 'Save now'],
    ['Save € 500 now', 'Save now'],
    ['97 % of owners agree', 'of owners agree'],
    ['Sheds (97) and paint', 'Sheds and paint'],
    ['Sheds 97, paint', 'Sheds, paint'],
    ['We sold 1,200 sheds', 'We sold 1,200 sheds'],
    ['Step 3: Paint', 'Step 3: Paint'],
    ['12. Paint', '12. Paint'],
    ['20) Paint', '20) Paint'],
    ['Step 3', 'Step 3'],
    ['Paint – part 31', 'Paint – part'],
    ['Step 31: Paint', 'Step : Paint'],
    ['3-door sheds', 'door sheds'],
    ['3 - Doors', '3 - Doors'],
    ['97', ''],
  ])('%j becomes %j', (heading, kept) => {
    const evidence = evidenceOf(NOTES, briefWith())
    const line = withoutUnknownNumbers(heading, evidence)
    expect(line.replace(' :', ':')).toBe(kept.replace(' :', ':'))
  })

  it('lose the quotation marks of an unknown quotation, and keep those of a known one', () => {
    expect(checkedWith('<h2>Jan: “never again”</h2><p>x</p>')).toEqual([
      '<h2>Jan: never again</h2><p>x</p>',
      ['Jan: “never again”'],
    ])
    expect(checkedWith('<h3>A «miracle» for wood</h3><p>x</p>')[0]).toBe('<h3>A miracle for wood</h3><p>x</p>')
    expect(checkedWith('<h4>„Nie wieder“ und "immer"</h4><p>x</p>')[0]).toBe('<h4>Nie wieder und immer</h4><p>x</p>')
    keeps('<h2>“Paint lasts longer”</h2><p>x</p>')
    keeps('<h6>The “cure”</h6><p>x</p>')
  })

  it('are changed completely if they have marks inside, and reported', () => {
    expect(checkedWith('<h2>Sold: <em>97</em> sheds</h2><p>Paint.</p>')).toEqual([
      '<h2>Sold: sheds</h2><p>Paint.</p>',
      ['Sold: 97 sheds'],
    ])
  })
})

describe('sentences', () => {
  it('are reported in their order if they are cut', () => {
    expect(checkedWith('<p>Sound. It was 97 then. Sound again.</p><ul><li>It was 98.</li></ul>')).toEqual([
      '<p>Sound. Sound again.</p>',
      ['It was 97 then.', 'It was 98.'],
    ])
  })

  it('may count: a number and a dot or bracket at their beginning states nothing', () => {
    keeps('<p>97. Paint it.</p>')
    keeps('<p>97) Paint it.</p>')
    expect(checkedWith('<p>971. Paint it.</p>')[0]).not.toContain('971')
    expect(checkedWith('<p>Paint 97 coats. Then wait.</p>')[0]).toBe('<p>Then wait.</p>')
    expect(checkedWith('<p>97 coats of paint.</p>')[0]).toBe('')
  })

  it('with a visible link stay; a link without text does not count', () => {
    keeps('<p>It grew 97 % (<a href="https://a.example">source</a>).</p>')
    expect(checkedWith('<p>Sound. It grew 97 %<a href="https://a.example"> </a>. Sound.</p>')[0]).toBe(
      '<p>Sound. Sound.</p>',
    )
  })

  it('a row of a table is removed whole, and others stay', () => {
    const [html, cut] = checkedWith(
      '<table><tr><td>Oak wood</td><td>97</td><td>good</td></tr><tr><td>Pine</td><td>1,200</td></tr></table>',
    )
    expect(html).not.toMatch(/Oak|97|good/)
    expect(html).toContain('<td>Pine</td><td>1,200</td>')
    expect(cut).toEqual(['97'])
  })

  it('of a description stay when all in them is known', () => {
    const evidence = evidenceOf(NOTES, briefWith())
    expect(
      keepKnownSentences('It was 97 then. “Paint lasts longer,” he says. See https://no.example/x. Read on.', evidence),
    ).toBe('“Paint lasts longer,” he says. Read on.')
    expect(keepKnownSentences('It was 97.', evidence)).toBe('')
  })
})

describe('quotation elements count as quotations of all their text', () => {
  it('so they go whole, unless they carry a link or are known', () => {
    expect(checkedWith('<blockquote><p>Nobody. Said this.</p></blockquote><p>Sound.</p>')).toEqual([
      '<p>Sound.</p>',
      ['Nobody. Said this.'],
    ])
    expect(checkedWith('<blockquote><ul><li>Nobody said this</li></ul></blockquote><p>Sound.</p>')[0]).toBe(
      '<p>Sound.</p>',
    )
    expect(checkedWith('<blockquote>Nobody said this.</blockquote><p>Sound.</p>')[0]).toBe('<p>Sound.</p>')
    keeps('<blockquote><p>Paint lasts longer</p></blockquote>')
    keeps('<blockquote><p>Some words (<a href="https://a.example">source</a>)</p></blockquote>')
    expect(checkedWith('<p>Jan: <q>nobody said this</q>.</p><p>Sound.</p>')[0]).toBe('<p>Sound.</p>')
  })

  it('and a single unknown quoted word only loses its marks', () => {
    expect(checkedWith('<p>The “miracle” and the “cure”.</p>')).toEqual(['<p>The miracle and the “cure”.</p>', []])
  })
})
