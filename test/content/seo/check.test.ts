import { describe, expect, it } from 'vitest'
import { SEO_CHECKS, type SeoCheck } from '../../../schema/values/seo.ts'
import { readDocument } from '../../../src/content/html/document.ts'
import { CHECKS, checkArticle, findingIn } from '../../../src/content/seo/check.ts'
import type { SeoExpectations } from '../../../src/content/seo/checks.ts'
import { wordTarget } from '../../../src/content/seo/rules.ts'
import { documentOf, GIVEN, readPage } from './given.ts'

const failed = (report: ReturnType<typeof checkArticle>): SeoCheck[] => report.failed.map(({ check }) => check)

/** Returns the result of one check on a fragment: 'ok', 'n/a', or its message. */
const ending = async (check: SeoCheck, html: string, changes: Partial<SeoExpectations> = {}): Promise<string> => {
  const finding = CHECKS[check](await readDocument(html), { ...GIVEN, ...changes })
  if (finding === null) return 'ok'
  return finding === 'not_applicable' ? 'n/a' : finding.message
}

describe('whole articles', () => {
  it('a good how-to scores 100', async () => {
    const report = checkArticle(await documentOf('how-to'), GIVEN)
    expect(report.failed).toEqual([])
    expect(report.score).toBe(100)
    expect(report.passed).toEqual(SEO_CHECKS.filter((check) => check !== 'exchange_links'))
  })

  it('a good listicle fails only the checks for missing parts', async () => {
    const report = checkArticle(await documentOf('listicle'), {
      ...GIVEN,
      keyword: 'Best note apps for students',
      title: 'The 5 best note apps for students in 2026',
      slug: 'best-note-apps-for-students',
      siteKey: 'notes.example',
      internalLinks: 2,
      wordCount: 330,
      knownPages: null,
    })
    expect(failed(report)).toEqual(['table_of_contents'])
    expect(report.passed).not.toContain('broken_internal_links')
    expect(report.score).toBeGreaterThan(90)
    expect(report.score).toBeLessThan(100)
  })

  it('a German one: umlauts, an id beyond ASCII, no Flesch', async () => {
    const report = checkArticle(await documentOf('german'), {
      ...GIVEN,
      language: 'German',
      keyword: 'Wärmepumpe im Altbau',
      title: 'Warmepumpe im Altbau: lohnt sich das?',
      slug: 'waermepumpe-im-altbau',
      siteKey: 'waerme.example',
      internalLinks: 2,
      wordCount: 270,
      knownPages: null,
    })
    expect(report.failed).toEqual([])
    expect(report.passed).not.toContain('readability')
  })

  it('one with every fault fails every check', async () => {
    const faults = '<p>## Not a **heading**</p><p>It lasts【4:1†source】.</p><p>Let me know if you want more.</p>'
    const report = checkArticle(readDocument(`${readPage('every-fault')}${faults}`), {
      ...GIVEN,
      title: 'A title that goes on and on until nobody can read it any more in results',
      metaDescription: 'Too short.',
      featureImage: '',
      slug: 'welcome',
      exchangeSites: ['partner.example'],
      duplicateOf: { articleId: 7, title: 'The first', share: 0.83 },
    })
    // Readability is judged only in English, so the language cannot be wrong too.
    expect(failed(report)).toEqual(SEO_CHECKS.filter((check) => check !== 'language'))
    expect(report).toMatchObject({ score: 0, passed: [] })
    for (const { message, fix } of report.failed) {
      expect(message).toMatch(/^[A-Z0-9].*\.$/)
      expect(fix).toMatch(/^[A-Z].*\.$/)
    }
  })

  it.each(['', '<p></p>', '<p> &nbsp;</p><img src="/a.png">'])(
    'an empty one (%j) scores 0 and says only that',
    async (html) => {
      const report = checkArticle(await readDocument(html), GIVEN)
      expect([report.score, report.passed, failed(report)]).toEqual([0, [], ['word_count']])
    },
  )

  it('stored findings that still apply are kept', async () => {
    const document = await documentOf('how-to')
    const before = checkArticle(document, { ...GIVEN, knownPages: new Set() })
    expect(failed(before)).toEqual(['broken_internal_links'])
    const check = 'broken_internal_links' as const
    const after = checkArticle(document, { ...GIVEN, knownPages: null }, { [check]: findingIn(before, check) })
    expect(after).toEqual(before)
    expect(checkArticle(document, { ...GIVEN, knownPages: null }, { [check]: findingIn(null, check) }).failed).toEqual(
      [],
    )
  })
})

describe('the keyword', () => {
  it.each([
    ['Crème brûlée', 'Our CREME-BRULEE recipe', 'ok'],
    ['crème brûlée', 'Crème, brûlée & more', 'ok'],
    ["women's shoes", 'Women’s shoes', 'ok'],
    ['art', 'Party food', 'does not'],
    ['straße', 'An der Strasse', 'ok'],
    ['緑茶の淹れ方', '美味しい緑茶の淹れ方ガイド', 'ok'],
    ['緑茶の淹れ方', '紅茶の淹れ方', 'does not'],
    ['김치 찌개', '맛있는 김치찌개를 끓이는 법', 'ok'],
    ['ชาเขียว', 'วิธีชงชาเขียวที่บ้าน', 'ok'],
    ['чай', 'Зелёный чай: виды', 'ok'],
    ['!!!', 'Anything', 'n/a'],
  ])('%s in the title %s: %s', async (keyword, title, expected) => {
    expect(await ending('keyword_in_title', '<p>x</p>', { keyword, title })).toContain(expected)
  })

  it.each([
    ['German', 'error'],
    ['Portuguese (BR)', 'error'],
    ['Polish', 'warning'],
    ['Japanese', 'warning'],
  ])('that is missing in a %s title is an %s, which says why it may be there', (language, severity) => {
    const report = checkArticle(readDocument('<p>x</p>'), { ...GIVEN, language, title: 'Other' })
    const found = report.failed.filter(({ check }) => /^keyword_in_(title|introduction|heading)$/.test(check))
    expect(found.map((one) => one.severity)).toEqual([severity, 'warning', 'warning'])
    for (const { message } of found)
      expect(message.endsWith(`Not all forms of its words are known in ${language}.`)).toBe(severity === 'warning')
  })

  it('counts words in a text with some letters of a script without spaces', async () => {
    const html = `<p>茶 means tea. ${'word '.repeat(60)} lay a gravel path</p>`
    expect(await ending('keyword_in_introduction', html)).toBe('ok')
  })

  it('counts in the first 100 words of the paragraphs, not in a list of contents before them', async () => {
    const far = `<ul><li>lay a gravel path</li></ul><p>${'word '.repeat(98)}lay a gravel path</p>`
    expect(await ending('keyword_in_introduction', far)).toMatch(/first 100 words/)
    expect(await ending('keyword_in_introduction', far.replace('word word word ', ''))).toBe('ok')
  })

  it('is in the slug by whole words in any form, also when the slug was cut or numbered', async () => {
    const long = 'how to choose the right wooden garden shed for a very small town garden in the north'
    expect(await ending('keyword_in_slug', '', { keyword: 'shed', slug: 'watersheds' })).toMatch(/"watersheds"/)
    expect(await ending('keyword_in_slug', '', { keyword: 'shed', slug: 'sheds-for-all' })).toBe('ok')
    const polish = { language: 'Polish', keyword: 'domek ogrodowy', slug: 'domki-ogrodowe' }
    expect(await ending('keyword_in_slug', '', polish)).toBe('ok')
    expect(await ending('keyword_in_slug', '', { keyword: 'Garden Shed', slug: 'best-garden-shed-2' })).toBe('ok')
    const slug = 'how-to-choose-the-right-wooden-garden-shed-for-a-very-small-town-garden-2'
    expect(await ending('keyword_in_slug', '', { keyword: long, slug })).toBe('ok')
    expect(await ending('keyword_in_slug', '', { keyword: '茶', slug: 'article-7' })).not.toBe('ok')
  })
})

describe('the bounds', () => {
  it.each([
    [0, false],
    [1, true],
    [60, true],
    [61, false],
  ])('a title of %i characters', async (length, fits) => {
    expect((await ending('title_length', '', { title: '👍'.repeat(length) })) === 'ok').toBe(fits)
  })

  it.each([
    ['あ'.repeat(30), true],
    ['あ'.repeat(31), false],
    ['ｱ'.repeat(60), true],
    ['e\u0301'.repeat(60), true],
    ['한'.repeat(31), false],
    ['ㄅ'.repeat(31), false],
    ['㈱'.repeat(31), false],
    ['ꀀ'.repeat(31), false],
    ['a\u00ad'.repeat(60), true],
    ['👍🏽'.repeat(60), true],
    ['👨‍👩‍👧‍👦'.repeat(60), true],
    ['👩🏽‍💻'.repeat(61), false],
    ['🇩🇪'.repeat(60), true],
    [`A${'🇩🇪'.repeat(59)}`, true],
    ['🇩🇪'.repeat(61), false],
  ])('a title of wide letters, two columns each: %s', async (title, fits) => {
    expect((await ending('title_length', '', { title })) === 'ok').toBe(fits)
  })

  it.each(['—', '!!', '…', '🚀'])('the banned sign %s is found as it stands', async (sign) => {
    const given = { bannedPhrases: [sign] }
    expect(await ending('banned_phrases', `<p>One${sign} two.</p>`, given)).toContain('banned phrase')
    expect(await ending('banned_phrases', '<p>One! two - three.</p>', given)).toBe('ok')
  })

  it('a banned phrase is found within one sentence of one block, also with marks of emphasis', async () => {
    const given = { bannedPhrases: ['game changer'] }
    expect(await ending('banned_phrases', '<p>A <em>game</em> changer.</p>', given)).toContain('banned phrase')
    expect(await ending('banned_phrases', '<p>A game. Changer of money.</p>', given)).toBe('ok')
    expect(await ending('banned_phrases', '<p>A game</p><p>Changer of money</p>', given)).toBe('ok')
  })

  it.each([
    '“We keep it short.” ',
    '(We keep it short.) ',
    'We keep it short.[1] ',
    'We keep it short.² ',
    'We keep it short.(3) ',
    'We keep it short.[a] ',
    'We keep it short.[note 2] ',
    'We keep it short.1 ',
    'We keep it short.⁽¹⁾ ',
    'We keep it short.\u200b ',
    'We keep it short.😀 ',
    'See https://shop.example/internationalisation/considerations now. ',
  ])('sentences like %s are easy to read', async (sentence) => {
    expect(await ending('readability', `<p>${sentence.repeat(42)}</p>`)).toBe('ok')
  })

  it.each([
    [69, false],
    [70, true],
    [160, true],
    [161, false],
  ])('a description of %i characters', async (length, fits) => {
    expect((await ending('meta_description_length', '', { metaDescription: 'x'.repeat(length) })) === 'ok').toBe(fits)
  })

  it.each([
    [749, false],
    [750, true],
    [1_250, true],
    [1_251, false],
  ])('%i words where 1,000 are wanted', async (count, fits) => {
    const html = `<p>${'word '.repeat(count)}</p>`
    expect((await ending('word_count', html, { wordCount: 1_000 })) === 'ok').toBe(fits)
  })

  it('words of the brief by style lie from 800 to 2,500', () => {
    expect([wordTarget('Informative'), wordTarget('News'), wordTarget('Resources')]).toEqual([1_200, 800, 2_500])
  })
})

describe('headings', () => {
  it.each([
    ['<h2>a</h2><h3>b</h3><h4>c</h4><h2>d</h2>', 'ok'],
    ['<h2>a</h2><h4>c</h4>', 'level is skipped'],
    ['<h3>a</h3><h2>b</h2>', 'level is skipped'],
    ['<h2>a</h2><h1>b</h1>', 'H1'],
    ['<p>a</p>', 'no H2'],
  ])('%s', async (html, expected) => {
    expect(await ending('heading_structure', html)).toContain(expected)
  })

  it('have ids of their own, also against other elements', async () => {
    expect(await ending('heading_ids', '<h2 id="a">A</h2><h2 id="b">B</h2>')).toBe('ok')
    expect(await ending('heading_ids', '<h2 id="a">A</h2><h2>B</h2>')).toMatch(/1 heading has no id: "B"/)
    expect(await ending('heading_ids', '<h2 id="a">A</h2><p id="a">B</p>')).toMatch(/more than once: "a"/)
    expect(await ending('heading_ids', '<p>x</p>')).toBe('n/a')
  })

  it('are all reached from the table of contents', async () => {
    const sections = '<h2 id="a">A</h2><h2 id="b">B</h2>'
    expect(await ending('table_of_contents', sections)).toMatch(/no table of contents/)
    expect(await ending('table_of_contents', `<a href="#a">A</a>${sections}`)).toMatch(/leaves out "B"/)
    expect(await ending('table_of_contents', `<a href="#a">A</a><a href="#b">B</a>${sections}`)).toBe('ok')
    expect(await ending('table_of_contents', sections, { tableOfContents: false })).toBe('n/a')
    expect(await ending('table_of_contents', '<h2 id="a">A</h2>')).toBe('n/a')
  })
})

describe('links', () => {
  const links = (...hrefs: string[]) => hrefs.map((href) => `<a href="${href}">x</a>`).join(' ')

  it('internal ones are counted by page: relative, with www., with trackers and fragment', async () => {
    const html = links(
      '/a',
      '/a/',
      '/a?utm_source=x#y',
      'https://WWW.shedsandpaths.example/a',
      '#a',
      'mailto:a@b.example',
      '/b',
    )
    expect(await ending('internal_links', html)).toMatch(/^2 pages .* asks for 3/)
    expect(await ending('internal_links', html + links('http://shedsandpaths.example/c'))).toBe('ok')
  })

  it('a site below a path owns what is below it', async () => {
    const given = { siteKey: 'host.example/shop', internalLinks: 1, knownPages: null }
    expect(await ending('internal_links', links('/other', '/shopping'), given)).toMatch(/^0 pages/)
    expect(await ending('internal_links', links('/shop/a'), given)).toBe('ok')
  })

  it('broken ones are those to no known page; the home page is known', async () => {
    const known = GIVEN.knownPages ?? new Set()
    expect(await ending('broken_internal_links', links('/', '/guides/shed-base/'))).toBe('ok')
    expect(await ending('broken_internal_links', links('/guides/gone'))).toContain(
      '"shedsandpaths.example/guides/gone"',
    )
    expect(await ending('broken_internal_links', links('https://else.example/x'), { knownPages: known })).toBe('n/a')
    expect(await ending('broken_internal_links', links('/x'), { knownPages: null })).toBe('n/a')
  })

  it('pages whose id is in the query are pages of their own; another query only changes the view', async () => {
    const knownPages = new Set(['shedsandpaths.example?p=59', 'shedsandpaths.example/guides'])
    const known = links('/?p=59', '?p=59&utm_source=x', '/guides?plan=pro', '/?lang=de')
    expect(await ending('broken_internal_links', known, { knownPages })).toBe('ok')
    const unknown = await ending('broken_internal_links', links('/?p=60', '/index.php?id=7', '/x?plan=pro'), {
      knownPages,
    })
    expect(unknown).toMatch(/^3 internal links .*"shedsandpaths\.example\?p=60"/)
    expect(await ending('internal_links', links('/?p=59', '/?p=60'))).toMatch(/^2 pages/)
  })

  it('partners and competitors are recognized by host, not by similar names', async () => {
    const exchangeSites = ['partner.example', 'host.example/shop']
    const both = links('https://www.partner.example/page', 'https://host.example/shop/')
    expect(await ending('exchange_links', both, { exchangeSites })).toBe('ok')
    const wrong = links('https://partner.example.evil.example/', 'https://host.example/shopping')
    expect(await ending('exchange_links', wrong, { exchangeSites })).toMatch(/2 partners/)
    expect(await ending('competitor_links', links('https://notrival.example/', '/x'))).toBe('ok')
    expect(
      await ending('competitor_links', links('https://www.rival.example/', 'https://shop.rival.example/a')),
    ).toMatch(/2 pages/)
    expect(await ending('competitor_links', links('https://rival.example/'), { competitors: [] })).toBe('n/a')
  })

  it('citations are other people’s pages: no competitor, no partner, no subdomain of the own site', async () => {
    const exchangeSites = ['partner.example']
    const none = links(
      'https://rival.example/a',
      'https://partner.example/b',
      'https://blog.shedsandpaths.example/c',
      '/d',
    )
    expect(await ending('citations', none, { exchangeSites })).toMatch(/^0 external sources/)
    expect(await ending('citations', links('https://a.example/1', 'https://a.example/1#x'))).toMatch(
      /^1 external source is/,
    )
    expect(await ending('citations', links('https://a.example/1', 'https://a.example/2'))).toBe('ok')
  })
})

describe('wording', () => {
  it('banned phrases are found as whole words, in any case, in title and description too', async () => {
    const bannedPhrases = ['Delve', 'game changer']
    expect(await ending('banned_phrases', '<p>Shelves delved into.</p>', { bannedPhrases })).toBe('ok')
    expect(await ending('banned_phrases', '<p>A GAME-<b>changer</b>.</p>', { bannedPhrases })).toContain(
      '"game changer"',
    )
    expect(await ending('banned_phrases', '<p>x</p>', { bannedPhrases, title: 'We delve' })).toContain('"Delve"')
    expect(await ending('banned_phrases', '<p>x</p>', { bannedPhrases: [' '] })).toBe('n/a')
  })

  it('readability is reported only for English prose of some length', async () => {
    const hard = readPage('every-fault')
    expect(await ending('readability', hard)).toMatch(/hard to read/)
    expect(await ending('readability', hard, { language: 'German' })).toBe('n/a')
    expect(await ending('readability', '<p>Antidisestablishmentarianism.</p>')).toBe('n/a')
  })

  it('a duplicate is one from half of the phrases on', async () => {
    const duplicateOf = { articleId: 3, title: 'Other', share: 0.5 }
    expect(await ending('duplicate_content', '', { duplicateOf })).toMatch(/50 % .* article 3 "Other"/)
    expect(await ending('duplicate_content', '', { duplicateOf: { ...duplicateOf, share: 0.49 } })).toBe('ok')
  })

  it.each([
    ['## Why gravel\n\nIt **drains** well.', 'fails'],
    ['Gravel drains.\n\n## Why\n\nBecause.', 'fails'],
    ['<p># Gravel paths</p>', 'fails'],
    ['<p>It **drains** well.</p>', 'fails'],
    ['<p>See [the guide](https://a.example/guide).</p>', 'fails'],
    ['<p>```</p><p>dig()</p>', 'fails'],
    ['<h2>Why</h2><p>It <strong>drains</strong>: 2 ** 3, C# and [sic] (see below).</p>', 'ok'],
    ['<pre>## A heading in **Markdown**</pre><p>So it looks, which takes some words to say.</p>', 'ok'],
    ['<p>Write <code>**bold**</code>, <kbd>[a](/b)</kbd> or <samp># c</samp>.</p>', 'ok'],
    ['<p><code>a</code> **is <code>b</code>** bold</p>', 'fails'],
    ['<p>Known as 2**3 or 4**5, f(**a) and g(x, **b).</p>', 'ok'],
    ['<p>**Bold:** text, **b**</p>', 'fails'],
    ['<h2>Why</h2>It **drains** well.<p>So.</p>', 'fails'],
  ])('HTML that looks like Markdown fails: %j %s', async (html, wanted) => {
    const ended = await ending('markdown_in_html', html)
    expect(ended === 'ok' ? 'ok' : 'fails').toBe(wanted)
    if (wanted === 'fails') expect(ended).toMatch(/looks like Markdown/)
  })

  it('an article in a code block is found, code of an article is not', async () => {
    expect(
      await ending(
        'markdown_in_html',
        '<p>Here:</p><pre>&lt;h2&gt;Why&lt;/h2&gt; &lt;p&gt;Gravel drains.&lt;/p&gt;</pre>',
      ),
    ).toMatch(/code block that holds an article/)
    expect(await ending('markdown_in_html', '<p>{"title": "Oak", "body": ["Oak lasts."]}</p>')).toMatch(/is JSON/)
    expect(await ending('markdown_in_html', '<pre>npm start</pre>')).toBe('ok')
    const shown = '<p>An introduction.</p><p>&lt;h2&gt;Why&lt;/h2&gt;</p><p>&lt;p&gt;Gravel drains.&lt;/p&gt;</p>'
    expect(await ending('markdown_in_html', shown)).toMatch(/shows tags of HTML as text: .*<h2>Why/)
    expect(await ending('markdown_in_html', '<p>&lt;h2&gt; is a heading.</p>')).toBe('ok')
  })

  it('fewer than half the words is an error, and an error scores at most 40', async () => {
    const document = await documentOf('how-to')
    const words = document.text.split(' ').length
    const severity = (wordCount: number) => {
      const report = checkArticle(document, { ...GIVEN, wordCount })
      return [report.failed.find(({ check }) => check === 'word_count')?.severity, report.score > 40]
    }
    expect(severity(Math.round(words * 1.8))).toEqual(['warning', true])
    expect(severity(Math.round(words * 2.2))).toEqual(['error', false])
  })
})
