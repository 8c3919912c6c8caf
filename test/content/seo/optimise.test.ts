import { describe, expect, it } from 'vitest'
import { readDocument } from '../../../src/content/html/document.ts'
import { describe as describeArticle, describe as describeDocument } from '../../../src/content/seo/description.ts'
import { optimiseArticle, type Settings } from '../../../src/content/seo/publication.ts'
import { cpuMs } from '../../support/cpu-time.ts'
import { readPage } from './given.ts'

const SETTINGS: Settings = {
  language: 'English (US)',
  tableOfContents: false,
  internalLinks: 1,
  siteKey: 's.example',
  ownKey: null,
  pages: [],
}
const page = (path: string, ...phrases: string[]) => ({
  url: `https://s.example/${path}?a=1&b=2`,
  key: `s.example/${path}?a=1&b=2`,
  phrases,
})

const optimised = async (content: string, changes: Partial<Settings> = {}) =>
  (await optimiseArticle({ content, metaDescription: 'Given.' }, { ...SETTINGS, ...changes })).content

const linked = (content: string, internalLinks: number, ...pages: Settings['pages']) =>
  optimised(content, { internalLinks, pages })

const LINK = '<a href="https://s.example/p?a=1&amp;b=2">'

describe('optimiseArticle', () => {
  it('adds ids to headings, keeps existing ones, changes duplicates', async () => {
    expect(
      await optimised('<h2>Über Tee &amp; mehr</h2><h3 id="x">X</h3><h2>Über Tee &amp; mehr</h2><h2 id="x">茶</h2>'),
    ).toMatch(/^<h2 id="ueber-tee-mehr">.*<h3 id="x">.*<h2 id="ueber-tee-mehr-2">.*<h2 id="cha">茶<\/h2>$/)
    expect(await optimised('<p id="a">x</p><h2>A</h2>')).toBe('<p id="a">x</p><h2 id="a-2">A</h2>')
  })

  it('quickly gives thousands of equal headings unique ids', async () => {
    const startedAt = cpuMs()
    const made = await optimised('<h2>Step</h2>'.repeat(20_000))
    expect(new Set(made.match(/id="[^"]+"/g)).size).toBe(20_000)
    expect(made).toMatch(/<h2 id="step-20000">Step<\/h2>$/)
    expect(cpuMs() - startedAt).toBeLessThan(5_000)
  })

  it('puts a table of contents after the introduction, unless there is one or it would hold one entry', async () => {
    const tableOfContents = true
    const made = await optimised('<p>Intro</p><h2>A &lt; B</h2><h2>C</h2>', { tableOfContents })
    expect(made).toBe(
      '<p>Intro</p><nav class="toc"><ul><li><a href="#a-b">A &lt; B</a></li><li><a href="#c">C</a></li></ul></nav><h2 id="a-b">A &lt; B</h2><h2 id="c">C</h2>',
    )
    const listed = '<ul><li><a href="#a">A</a></li><li><a href="#b">B</a></li></ul><h2 id="a">A</h2><h2 id="b">B</h2>'
    expect(await optimised(listed, { tableOfContents })).toBe(listed)
    expect(await optimised('<h2 id="a">A</h2>', { tableOfContents })).toBe('<h2 id="a">A</h2>')
    expect(await optimised('<h2 id="a">A</h2><h2 id="b">B</h2>')).toBe('<h2 id="a">A</h2><h2 id="b">B</h2>')
  })

  it('makes images lazy but the first, and leaves what they say', async () => {
    expect(await optimised('<img src="a"><img src="b"><img src="c" loading="eager">')).toBe(
      '<img src="a"><img src="b" loading="lazy"><img src="c" loading="eager">',
    )
  })

  it('links the first whole occurrence, in the case it has, across blanks', async () => {
    expect(await linked('<p>Teapots. A Tea\n pot, a tea pot.</p>', 1, page('p', 'tea pot'))).toBe(
      `<p>Teapots. A ${LINK}Tea\n pot</a>, a tea pot.</p>`,
    )
    expect(await linked('<p>Grüne Ölmühle</p>', 1, page('p', 'ölmühle'))).toBe(`<p>Grüne ${LINK}Ölmühle</a></p>`)
    expect(await linked('<p>美味しい緑茶の淹れ方</p>', 1, page('p', '緑茶'))).toBe(
      `<p>美味しい${LINK}緑茶</a>の淹れ方</p>`,
    )
    expect(await linked('<p>R&amp;D team</p>', 1, page('p', 'R&D team'))).toBe(`<p>${LINK}R&amp;D team</a></p>`)
    expect(await linked('<p>C++ (basics)</p>', 1, page('p', 'C++ (basics)'))).toBe(`<p>${LINK}C++ (basics)</a></p>`)
  })

  it('never links in headings, links, code, quotations, lists of links, references or attributes', async () => {
    const content =
      '<h2 id="i">quot tea</h2><p><a href="https://x.example/">quot tea</a> <code>quot tea</code> <img alt="quot tea" src="x"> &quot;</p>' +
      '<blockquote>quot tea</blockquote><pre>quot tea</pre><nav><p>quot tea</p></nav><!-- quot tea -->'
    expect(await linked(content, 3, page('p', 'quot tea', 'quot'))).toBe(content)
  })

  it('links each page once, longest phrase first, up to the missing number, never itself or linked ones', async () => {
    const content = '<p>green tea, tea leaf and black tea. <a href="/have/?b=2&amp;a=1">x</a></p>'
    const pages = [page('leaf', 'tea leaf'), page('green', 'green tea', 'tea leaf'), page('have', 'black tea')]
    expect(await optimised(content, { internalLinks: 1, pages })).toBe(content)
    expect(await optimised(content, { internalLinks: 2, pages })).toContain(
      's.example/green?a=1&amp;b=2">green tea</a>, tea leaf',
    )
    const all = await optimised(content, { internalLinks: 5, pages })
    expect(all.match(/<a /g)).toHaveLength(3)
    expect(await optimised(content, { internalLinks: 5, pages, ownKey: 's.example/green?a=1&b=2' })).not.toContain(
      's.example/green',
    )
  })

  it.each(['how-to', 'listicle', 'german', 'every-fault'])('changes nothing the second time: %s', async (name) => {
    const settings = {
      ...SETTINGS,
      tableOfContents: true,
      internalLinks: 5,
      pages: [
        page('a', 'crushed stone'),
        page('b', 'Heizkurve'),
        page('c', 'voice notes'),
        page('d', 'administrators'),
      ],
    }
    const once = await optimiseArticle({ content: readPage(name), metaDescription: '' }, settings)
    expect(await optimiseArticle(once, settings)).toEqual({ ...once, links: [] })
    expect(once.content).not.toBe(readPage(name))
    const [before, after] = [await readDocument(readPage(name)), await readDocument(once.content)]
    expect(after.headings.map(({ text }) => text)).toEqual(before.headings.map(({ text }) => text))
  })

  it('leaves content that needs nothing byte for byte', async () => {
    const content = '<P CLASS=x>Odd  &copy; <BR/>\r\n</p><!-- c --><h2 id=a >A</H2>'
    expect(await optimised(content)).toBe(content)
  })
})

describe('a missing description', () => {
  const of = async (html: string) => describeArticle(await readDocument(html))

  it('is the first sentences up to 155 characters', async () => {
    const first = `${'word '.repeat(15)}first.`
    expect(
      await of(`<h2>Not this</h2><ul><li>nor this</li></ul><p>${first}</p><p>${'later '.repeat(20)}end.</p>`),
    ).toBe(first)
    expect(await of('<p>It costs 3.5 pounds. Fine!</p>')).toBe('It costs 3.5 pounds. Fine!')
  })

  it('ends at a word if no sentence ends there', async () => {
    const cut = await of(`<p>${'abcdefgh '.repeat(40)}</p>`)
    expect(cut).toMatch(/^(abcdefgh )+abcdefgh…$/)
    expect(cut.length).toBeLessThanOrEqual(155)
    // Wide letters take two columns each.
    expect(await of(`<p>${'茶'.repeat(400)}</p>`)).toBe(`${'茶'.repeat(77)}…`)
    expect((await of(`<p>${'👍'.repeat(400)}</p>`)).isWellFormed()).toBe(true)
    // Signs made of several characters are not taken apart, and marks on letters take no room.
    expect(await of(`<p>${'👨\u200d👩\u200d👧'.repeat(100)}</p>`)).toMatch(/^(?:👨\u200d👩\u200d👧)+…$/u)
    expect((await of(`<p>${'x\u0301'.repeat(200)}</p>`)).replaceAll('\u0301', '')).toBe(`${'x'.repeat(154)}…`)
  })

  it('is made from the text if there is no paragraph, and empty if there is no text', async () => {
    expect(await of('<ul><li>One</li><li>Two</li></ul>')).toBe('One Two')
    expect(await of('<img src="a">')).toBe('')
  })

  it('leaves one that was given', async () => {
    const made = await optimiseArticle({ content: '<p>x</p>', metaDescription: 'Mine.' }, SETTINGS)
    expect(made.metaDescription).toBe('Mine.')
  })
})

it.each([
  [
    'Our bakery has been run in the same small street of the town for thirty years by Dr. Anna Schmidt, who has won more prizes for rye bread than anybody else in the whole country so far.',
    /Dr\.$/,
  ],
  [
    'We send our seeds, bulbs and young trees by fast post to all gardens of the U.S. and Canada, and to many other countries of the world that let plants in without long papers at all.',
    /U\.S\.$/,
  ],
])('a made description does not end with an abbreviation: %s', (text, wrong) => {
  const made = describeDocument(readDocument(`<p>${text}</p>`))
  expect(made).not.toMatch(wrong)
  expect(made).toMatch(/…$/)
})
