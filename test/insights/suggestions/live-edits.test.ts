import { describe, expect, it } from 'vitest'
import { compareWithSaved, livePageNotes } from '../../../src/insights/suggestions/live-edits.ts'
import { mainContent } from '../../../src/providers/data/readability/index.ts'
import { cpuMs } from '../../support/cpu-time.ts'

const SAVED = {
  title: 'Oak sheds that last',
  meta_description: 'Oak sheds.',
  content: `<p>Oak sheds stand for decades when they're oiled - twice a year, in spring and autumn. A dry floor keeps the boards from rotting.</p>
    <h2 id="floors">Floors</h2><p>See <a href="https://wood.example/floors">floors of larch</a>, which need no paint at all. They take two years to dry, and a day to lay.</p>
    <ul><li>Larch for the floor of every shed.</li><li>Oak for the walls, which carry the roof.</li></ul>`,
}

/** Returns a page as a site shows it: menus, a sidebar and a footer around the article, other quotation marks and dashes. */
const pageOf = (
  content: string,
  title = SAVED.title,
): string => `<!doctype html><html lang="en"><head><title>${title} – Oak &amp; Co</title>
  <style>p { color: red }</style><script>var a = "<p>Buy now, it is cheap today.</p>"</script></head>
  <body><header><nav><ul><li><a href="/">Home page of the whole shop.</a></li><li><a href="/blog">Read our blog about wood.</a></li></ul></nav></header>
  <main><article><h1>${title}</h1><p class="meta">By Ann · 3 May 2026</p>${content.replaceAll("'", '’').replaceAll(' - ', ' — ')}</article></main>
  <aside class="sidebar"><h3>More</h3><ul><li><a href="/x">Ten ideas for a garden office this year.</a></li></ul></aside>
  <footer><p>All rights are reserved by the owner of this site.</p></footer></body></html>`

const compare = (page: string) => compareWithSaved(page, mainContent(page) ?? '', SAVED)

describe('the live page against the saved article', () => {
  it('is the same with other quotation marks and any surroundings', () => {
    expect(compare(pageOf(SAVED.content))).toEqual({
      only_live: [],
      only_live_count: 0,
      only_saved_count: 0,
      title_changed: false,
    })
  })

  it('has manual additions, changes and deletions', () => {
    const edited = SAVED.content
      .replace('two years to dry', 'three years to dry')
      .replace('<h2', '<p>Our new workshop opened in Utrecht last spring.</p><h2')
      .replace('<li>Larch for the floor of every shed.</li>', '')
    const found = compare(pageOf(edited, 'Oak sheds for life'))
    expect(found).toEqual({
      only_live: ['Our new workshop opened in Utrecht last spring.', 'They take three years to dry, and a day to lay.'],
      only_live_count: 2,
      only_saved_count: 2,
      title_changed: true,
    })
    const live = { url: null, read_at: '', state: 'edited' as const, reason: null, ...found }
    expect(livePageNotes(live, 7)).toEqual([
      expect.stringMatching(/another title.*2 sentences.*Our new workshop.*overwrites these edits/),
    ])
  })

  it('is read to its end past pictures and line breaks', () => {
    const page = pageOf(`<p>First line<br>and the second.</p><p><img src="/oak.jpg" alt="Oak"></p>${SAVED.content}`)
    expect(mainContent(page)).toContain('floors of larch')
  })

  it('of a page with more sentences than any article is compared by its first ones', () => {
    const sentences = Array.from({ length: 3_000 }, (_, n) => `<p>This is the sentence number ${n}.</p>`).join('')
    expect(compareWithSaved(sentences, sentences, SAVED)).toMatchObject({ only_live_count: 2_000 })
  })

  it.each([
    ['nothing', ''],
    ['no text', '<html><body><nav><a href="/">Home</a></nav></body></html>'],
    ['elements within one another without end', '<div>'.repeat(100_000)],
    ['what is no HTML', '\u0000<<<>>><p<p<p '.repeat(2_000)],
    ['more elements than any article', `<p>a</p>`.repeat(40_000)],
  ])('of %s is not distinguished from the rest, quickly', (_, page) => {
    const startedAt = cpuMs()
    const found = mainContent(page)
    expect(cpuMs() - startedAt).toBeLessThan(4_000)
    expect(found === undefined || compareWithSaved(page, found, SAVED).only_live_count === 0).toBe(true)
  })
})
