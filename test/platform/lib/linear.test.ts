import { expect, it } from 'vitest'
import { withoutFrontMatter } from '../../../src/content/html/front-matter.ts'
import { toMarkdown } from '../../../src/content/html/markdown/gfm.ts'
import { showNoscriptPictures } from '../../../src/content/html/noscript.ts'
import { unwrapped } from '../../../src/content/html/wrapping.ts'
import { countWords } from '../../../src/content/seo/words.ts'
import { readNotes } from '../../../src/content/writing/notes.ts'
import { numbersIn } from '../../../src/content/writing/numbers.ts'
import { mentions } from '../../../src/insights/screenshots/rules.ts'
import { jsonFaultAt } from '../../../src/platform/http/body.ts'
import { plainTypography } from '../../../src/platform/lib/fold.ts'
import { urlsIn } from '../../../src/platform/lib/links.ts'
import { withoutLegalForm } from '../../../src/platform/lib/names/endings.ts'
import { lettersOf } from '../../../src/platform/lib/names/letters.ts'
import { sentencesOf } from '../../../src/platform/lib/sentences.ts'
import { slugify } from '../../../src/platform/lib/slug.ts'
import { toMarkdown as forNotion } from '../../../src/providers/cms/notion/markdown.ts'
import { cpuMs } from '../../support/cpu-time.ts'

const MANY = 150_000
/** Reading takes a few milliseconds; an expression that starts again at each character takes ten seconds and more. */
const WITHIN_MS = 2_000

const READERS: [name: string, text: string, read: (text: string) => unknown][] = [
  ['slugify', `a${'-'.repeat(MANY)}ß`, slugify],
  ['plainTypography', `a${' '.repeat(MANY)}b`, plainTypography],
  ['withoutFrontMatter', `---${' '.repeat(MANY)}b\n---\n`, withoutFrontMatter],
  ['sentencesOf', `${'a.'.repeat(MANY / 2)}! b`, sentencesOf],
  ['urlsIn', `https://a.example/${'.'.repeat(MANY)}b`, urlsIn],
  ['unwrapped', `<pre>${' '.repeat(MANY)}x`, (text) => unwrapped(text, 'html')],
  ['unwrapped of a fence', `${'~'.repeat(MANY / 5)}\``, (text) => unwrapped(text, 'html')],
  ['unwrapped of blanks after a fence', `~~~${' '.repeat(MANY / 5)}\``, (text) => unwrapped(text, 'html')],
  ['toMarkdown', `<p>x${'_'.repeat(MANY)}x</p>`, toMarkdown],
  ['toMarkdown for Notion', `<p>x${'_'.repeat(MANY)}x</p>`, forNotion],
  ['readNotes of a heading', `# a${' '.repeat(MANY / 5)}b`, readNotes],
  ['readNotes of signs in a heading', `# a${'#'.repeat(MANY / 2)}b`, readNotes],
  ['readNotes of an item', `* ${' '.repeat(MANY / 5)}a\u2028b`, readNotes],
  [
    'unwrapped of a document',
    `<html>${'</head> </body> '.repeat(MANY / 16)}</html>`,
    (text) => unwrapped(text, 'markdown'),
  ],
  [
    'showNoscriptPictures',
    `<img class="${'lazy-'.repeat(MANY / 5)}!"><noscript><img src="a.png"></noscript>`,
    showNoscriptPictures,
  ],
  ['mentions', `a${' '.repeat(MANY)}!`, (name) => mentions('a page', name)],
  ['withoutLegalForm', `a${' '.repeat(MANY)}!`, withoutLegalForm],
  ['withoutLegalForm of Romania', `SC${' '.repeat(MANY)}!`, withoutLegalForm],
  ['withoutLegalForm of quotation marks', `a${'"'.repeat(MANY)}!`, withoutLegalForm],
  ['lettersOf', `a${' '.repeat(MANY)}!`, lettersOf],
  ['lettersOf of marks', '~'.repeat(MANY), lettersOf],
  ['jsonFaultAt', `"${'a'.repeat(MANY)}\u0001`, jsonFaultAt],
  ['jsonFaultAt of escapes', `"${'a\\n'.repeat(MANY / 3)}\u0001`, jsonFaultAt],
  ['countWords', 'ก'.repeat(MANY), countWords],
  ['numbersIn', `1.${'0'.repeat(MANY)}1`, numbersIn],
]

it.each(READERS)('%s reads a long run of one character once', (_name, text, read) => {
  const startedAt = cpuMs()
  read(text)
  expect(cpuMs() - startedAt).toBeLessThan(WITHIN_MS)
})

it('spaces around quotation marks are folded everywhere', () => {
  expect(plainTypography('a  «  b  »  " " c')).toBe(plainTypography('a"b"""c'))
})
