import { describe, expect, it } from 'vitest'
import { renderFragment } from '../../../src/content/html/tree.ts'
import {
  evidenceOf,
  keepKnownSentences,
  keepToFacts,
  withoutUnknownNumbers,
} from '../../../src/content/writing/facts.ts'
import { plainBlocks } from '../../../src/content/writing/notes.ts'
import { prune } from '../../../src/content/writing/prose.ts'
import { briefWith } from './briefs.ts'

const checked = (html: string, notes: string): string => {
  const nodes = plainBlocks(html)
  keepToFacts(nodes, evidenceOf(notes, briefWith()))
  return renderFragment(prune(nodes))
}

// vllm-project/semantic-router#2689, mkupermann/souprise#4
it('numbers are checked in digits in every language, and in words in English only', () => {
  const inLanguage = (language: string, html: string, notes: string): string => {
    const nodes = plainBlocks(html)
    keepToFacts(nodes, evidenceOf(notes, briefWith({ language })))
    return renderFragment(prune(nodes))
  }
  const german = '<p>80 Prozent der Besitzer sind zufrieden. Ein Haus braucht Pflege.</p>'
  expect(inLanguage('German', german, 'Notizen ohne Zahl.')).toBe('<p>Ein Haus braucht Pflege.</p>')
  for (const notes of ['80 % sind zufrieden.', 'Eighty percent agree.'])
    expect(inLanguage('German', german, notes), notes).toBe(german)
  const words = '<p>Achtzig Prozent der Besitzer sind zufrieden.</p>'
  expect(inLanguage('German', words, 'Notizen ohne Zahl.')).toBe(words)
  expect(inLanguage('English (US)', '<p>Eighty percent agree. Sound.</p>', 'No number.')).toBe('<p>Sound.</p>')
})

const NOTES = `We sold 1,200 sheds in 2024, 12% more than before. Felt lasts 3.5 years and costs 1.500,50 euro.
"Double doors save your back," says Jan. Prices rose 5–7 %. Turnover was 3.5k, from twelve towns.`

describe('a number', () => {
  it.each([
    'We sold 1200 sheds.',
    'We sold 1,200 sheds.',
    'We sold 1.200 sheds.',
    'We sold 1 200 sheds.',
    'We sold 1\u202f200 sheds.',
    'It was 2024.',
    'It rose by 12 %.',
    'It rose by 12 percent.',
    'It rose by twelve percent.',
    'It was 12.',
    'Felt lasts 3.5 years.',
    'Felt lasts 3,5 years.',
    'It costs 1500.50 euro.',
    'Prices rose 5 % at least.',
    'Turnover was 3,500.',
    'Turnover was 3.5 thousand.',
    'Sheds for 12 towns.',
    'One of them has two doors, and both close.',
    'B2B sales and CO2 are no claims.',
    'We sold ١٢٠٠ sheds.',
  ])('of the notes stays, however it is written: %s', (sentence) => {
    expect(checked(`<p>${sentence}</p>`, NOTES)).toBe(`<p>${sentence}</p>`)
  })

  it.each([
    'We sold 1,201 sheds.',
    'We sold 12 million sheds.',
    'It was 2023.',
    'It rose by 13 %.',
    'It rose by 2024 %.',
    'It rose by thirteen percent.',
    'Ninety percent agree.',
    'Sales grew tenfold: ten times more.',
    'A hundred and twenty owners agree.',
    'It takes 24/7 care.',
    'The 2nd floor.',
    'We sold 3.5m.',
    'We sold ٩٩ sheds.',
  ])('not in the notes removes its sentence: %s', (sentence) => {
    const html = `<p>Sound before. ${sentence} Sound after.</p>`
    if (sentence === 'We sold 3.5m.') expect(checked(html, NOTES)).toContain('3.5m')
    else expect(checked(html, NOTES)).toBe('<p>Sound before. Sound after.</p>')
  })

  it('stays in a sentence that carries a link, and only there', () => {
    const html = '<p>It grew 99 % (<a href="https://a.example">source</a>). It fell 98 % later.</p>'
    expect(checked(html, NOTES)).toBe('<p>It grew 99 % (<a href="https://a.example">source</a>). </p>')
  })

  it('stays if it only counts a list; a heading loses one that no source gave', () => {
    expect(checked('<h2>Step 3: Paint</h2><p>1. First paint.</p>', NOTES)).toBe(
      '<h2>Step 3: Paint</h2><p>1. First paint.</p>',
    )
    expect(checked('<h2>8 reasons (97 %) to paint</h2><p>Paint.</p>', NOTES)).toBe(
      '<h2>reasons to paint</h2><p>Paint.</p>',
    )
    expect(withoutUnknownNumbers('Top 10 sheds of 2024', evidenceOf(NOTES, briefWith()))).toBe('Top sheds of 2024')
  })

  it.each([
    'Step 1: dig a hole.',
    'First do step 2, then step 3.',
    'Repeat steps 1, 2 and 3.',
    'See Part 4 and table 5.',
    'Schritt 2: Loch graben.',
    'Im 2. Schritt wird gegraben.',
    'Étape 3 : creuser.',
    'Paso 1: cavar.',
    'Stap 2: graven.',
    'Krok 1: kopać.',
    'Шаг 2: копать.',
    'Adım 1: kaz.',
    '1. adım kazmak.',
    '2. lépés: ásás.',
    '第1步：挖坑。',
    'ステップ2：掘る。',
    '3단계: 파기.',
    'الخطوة 1: احفر.',
  ])('with a numbering word is no claim: %s', (sentence) => {
    expect(checked(`<p>${sentence}</p>`, 'Dig a hole.')).toBe(`<p>${sentence}</p>`)
  })

  it.each(['Step 31 is the last.', 'Two steps cost 15 euro.', 'Use parts for 8 sheds.'])(
    'near a numbering word stays a claim if it counts something else: %s',
    (sentence) => {
      expect(checked(`<p>${sentence}</p>`, 'Dig a hole.')).toBe('')
    },
  )

  it('in a table takes the row, in a list the item', () => {
    const table =
      '<table><tr><th>Wood</th><th>Price</th></tr><tr><td>Oak</td><td>1,200</td></tr><tr><td>Pine</td><td>777</td></tr></table>'
    expect(checked(table, NOTES)).not.toContain('Pine')
    expect(checked(table, NOTES)).toContain('<td>Oak</td><td>1,200</td>')
    expect(checked('<ul><li>Oak is hard.</li><li>88 kinds exist</li></ul>', NOTES)).toBe(
      '<ul><li>Oak is hard.</li></ul>',
    )
  })

  it('is cut through inline marks, and leaves no empty ones', () => {
    expect(checked('<p>Sound. It grew <strong>by <em>99 %</em></strong> since. Sound.</p>', NOTES)).toBe(
      '<p>Sound. Sound.</p>',
    )
  })
})

describe('a quotation', () => {
  it.each([
    '“Double doors save your back,” says Jan.',
    '„Double doors save your back“, says Jan.',
    '«Double doors save your back», says Jan.',
    '"double doors SAVE your back" says Jan.',
    '‘Double doors save your back,’ says Jan.',
    "'Double doors save your back,' says Jan.",
  ])('of the notes stays in any marks: %s', (sentence) => {
    expect(checked(`<p>${sentence}</p>`, NOTES)).toContain('says Jan.')
  })

  it.each([
    '“Double doors break your back,” says Jan.',
    '„Never again“, says Jan.',
    '«Jamais de la vie», says Jan.',
    '「二度とない」と says Jan.',
    '"I will never leave. Not once." says Jan.',
    "'I will never leave,' says Jan.",
    '<q>I will never leave</q>, says Jan.',
  ])('not in the notes is removed: %s', (sentence) => {
    expect(checked(`<p>Sound. ${sentence} Sound.</p>`, NOTES)).not.toContain('says Jan')
  })

  it('as a block is cut whole; a single quoted word only loses its marks', () => {
    expect(checked('<blockquote><p>Nobody said this.</p></blockquote><p>Sound.</p>', NOTES)).toBe('<p>Sound.</p>')
    expect(checked('<blockquote><p>Double doors save your back</p></blockquote>', NOTES)).toContain('save your back')
    expect(checked('<p>The “cure” is paint.</p>', NOTES)).toBe('<p>The cure is paint.</p>')
  })

  it('is no apostrophe and no measure', () => {
    for (const text of ["It's Jan's shed, and the neighbours' too.", 'A 5 inch pipe isn’t the owner’s choice.'])
      expect(checked(`<p>${text}</p>`, `${NOTES} 5`)).toBe(`<p>${text}</p>`)
  })
})

it('an address that no source gave is cut with its sentence', () => {
  for (const address of ['https://made-up.example/x', 'http://made-up.example/x', 'www.made-up.example/x'])
    expect(checked(`<p>Sound. See ${address}. Sound.</p>`, NOTES)).toBe('<p>Sound. Sound.</p>')
  const known = '<p>See https://council.example/x.</p>'
  expect(checked(known, 'https://council.example/x')).toBe(known)
})

it('a description keeps the sentences with known facts', () => {
  const evidence = evidenceOf(NOTES, briefWith())
  expect(keepKnownSentences('We sold 1,200 sheds. Experts say 97 % agree. Read on.', evidence)).toBe(
    'We sold 1,200 sheds. Read on.',
  )
})

it('a heading loses its quotation marks if one of its quotations is unknown, and keeps them if all are known', () => {
  const known = '<h2>“Double doors save your back”</h2><p>Sound.</p>'
  expect(checked(known, NOTES)).toBe(known)
  expect(checked('<h2>“Double doors save your back” and “so do I”</h2><p>Sound.</p>', NOTES)).toBe(
    '<h2>Double doors save your back and so do I</h2><p>Sound.</p>',
  )
})
