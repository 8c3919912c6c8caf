import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromMarkdown } from '../../../src/content/html/from-markdown.ts'
import { sanitizeHtml } from '../../../src/content/html/sanitize.ts'
import { unwrapped } from '../../../src/content/html/wrapping.ts'
import { asHtml } from './as-html.ts'
import { workOf } from './work.ts'

describe('Markdown as HTML', () => {
  it.each([
    [
      '# One\n\nTwo *three* **four** ***five*** `6 < 7`',
      '<h1>One</h1>\n<p>Two <em>three</em> <strong>four</strong> <em><strong>five</strong></em> <code>6 &lt; 7</code></p>',
    ],
    ['One\n===\nTwo\n---', '<h1>One</h1>\n<h2>Two</h2>'],
    ['## One ##\n### Two # 2', '<h2>One</h2>\n<h3>Two # 2</h3>'],
    ['a\nb  \nc\\\nd', '<p>a\nb<br>\nc<br>\nd</p>'],
    [
      '- a\n- b\n  - c\n\n1. d\n2. e',
      '<ul>\n<li>a</li>\n<li>b\n<ul>\n<li>c</li>\n</ul>\n</li>\n</ul>\n<ol>\n<li>d</li>\n<li>e</li>\n</ol>',
    ],
    ['- a\n\n- b', '<ul>\n<li>\n<p>a</p>\n</li>\n<li>\n<p>b</p>\n</li>\n</ul>'],
    ['3) a\n4) b', '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>'],
    ['Text\n- a\n* b\n\n---', '<p>Text</p>\n<ul>\n<li>a</li>\n</ul>\n<ul>\n<li>b</li>\n</ul>\n<hr>'],
    ['> a\nb\n> - c', '<blockquote>\n<p>a\nb</p>\n<ul>\n<li>c</li>\n</ul>\n</blockquote>'],
    [
      '```js\nif (a < b) {}\n\n  **c**\n```',
      '<pre><code class="language-js">if (a &lt; b) {}\n\n  **c**\n</code></pre>',
    ],
    [
      '| A | B |\n|---|:-:|\n| a \\| b | *c* |\n| d |\n\nend',
      '<table>\n<thead>\n<tr>\n<th>A</th>\n<th align="center">B</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>a | b</td>\n<td align="center"><em>c</em></td>\n</tr>\n<tr>\n<td>d</td>\n<td align="center"></td>\n</tr>\n</tbody>\n</table>\n<p>end</p>',
    ],
    [
      '[a *b*](https://c.example/d_(e) "f") ![g *h*](/i.png)',
      '<p><a href="https://c.example/d_(e)" title="f">a <em>b</em></a> <img src="/i.png" alt="g h"></p>',
    ],
    [
      '[a][b] [b] [c]\n\n[b]: <https://d.example/?e=1&f=2> "g"',
      '<p><a href="https://d.example/?e=1&amp;f=2" title="g">a</a> <a href="https://d.example/?e=1&amp;f=2" title="g">b</a> [c]</p>\n',
    ],
    [
      'https://a.example/b_c_d, <https://e.example> <mailto:f@g.example>',
      '<p><a href="https://a.example/b_c_d">https://a.example/b_c_d</a>, <a href="https://e.example">https://e.example</a> <a href="mailto:f@g.example">mailto:f@g.example</a></p>',
    ],
    [
      '[out [in](https://a.example) x](/b) [c](d)',
      '<p>[out <a href="https://a.example">in</a> x](/b) <a href="d">c</a></p>',
    ],
    [
      'a_b_c 2 * 3 * 4 \\*d\\* ~~e~~ &amp; &copy; AT&T 5 < 6',
      '<p>a_b_c 2 * 3 * 4 *d* <del>e</del> &amp; © AT&amp;T 5 &lt; 6</p>',
    ],
    [
      'a <span lang="de">*b*</span>\n\n<figure>\n*c*\n</figure>\n\n*d*',
      '<p>a <span lang="de"><em>b</em></span></p>\n<figure>\n*c*\n</figure>\n<p><em>d</em></p>',
    ],
    ['``a ` b`` `c', '<p><code>a ` b</code> `c</p>'],
    ['    indented\n\nA text', '<p>indented</p>\n<p>A text</p>'],
    ['[a](javascript:b) <em title="c">d</em>', '<p><a href="javascript:b">a</a> <em title="c">d</em></p>'],
    [
      'ftp://a.example //b.example c.example d@e.example',
      '<p>ftp://a.example //b.example c.example <a href="mailto:d@e.example">d@e.example</a></p>',
    ],
    // markedjs/marked#3863, earendil-works/pi#2332, vercel/streamdown#445: people write tildes for "about"
    ['~5 to ~6, ~one~, 20~25°C, H~2~O', '<p>~5 to ~6, ~one~, 20~25°C, H~2~O</p>'],
    ['a ~~~b~~~ ~~c~~', '<p>a ~~~b~~~ <del>c</del></p>'],
    [
      '_https://a.example/b_c_ ~~https://d.example/~e~~ http://_',
      '<p><em><a href="https://a.example/b_c">https://a.example/b_c</a></em> <del><a href="https://d.example/~e">https://d.example/~e</a></del> http://_</p>',
    ],
    [
      'https://**a.example**/b http://|-| https://%s/c https://[::1]/d',
      '<p>https://<strong>a.example</strong>/b http://|-| https://%s/c <a href="https://[::1]/d">https://[::1]/d</a></p>',
    ],
    ['', ''],
  ])('%j', (markdown, html) => expect(asHtml(markdown).trim()).toBe(html.trim()))
})

/** Cases from public reports: the input, the result, and the text of `removed`. */
describe('Markdown as people send it', () => {
  const made = (markdown: string) => {
    const read = fromMarkdown(markdown)
    return typeof read === 'string' ? [read] : [read.html, ...read.removed]
  }
  const AFTER = '## When\n\nNow.'
  const HTML = '<h2>When</h2>\n<p>Now.</p>'

  // CleverCloud/mdr#56, oipoistar/tinta#61
  it.each([
    ['YAML', '---\ntitle: Winter tyres\ntags: [car]\n---\n\n'],
    ['YAML with line ends of Windows', '---\r\ntitle: Winter tyres\r\ntags:\r\n- car\r\n---\r\n\r\n'],
    ['YAML that ends with dots', '---\n# about\ntitle: >\n  Winter\n\n  tyres\nother: "a: b"\n...\n'],
    ['YAML behind blanks', ' \n\n---\n"title": a\n---\n'],
    ['YAML that is named', '---yaml\ntitle: a\n---\n'],
    ['YAML of other scripts', '---\n題名: 冬のタイヤ\nüber uns: b\n---\n'],
    ['YAML with nothing in it', '---\n---\n'],
    ['TOML', '+++\ntitle = "Winter tyres"\n[extra]\na = 1\n+++\n'],
    ['TOML that is named', '---toml\ntitle = "a"\n---\n'],
    ['JSON', ';;;\n"title": "Winter tyres"\n;;;\n'],
    ['JSON of Hugo', '{\n  "title": "Winter tyres",\n  "tags": ["car"]\n}\n\n'],
    ['JSON in a line', '{"title": "Winter tyres"}\n'],
    ['JSON that is named', '---json\n{ "title": "a" }\n---\n'],
  ])('front matter is cut off: %s', (_, matter) => expect(made(`${matter}${AFTER}`)).toEqual([HTML, 'front matter']))

  it.each([
    ['a rule with text below', '---\nA line\n---\nB', '<hr>\n<h2>A line</h2>\n<p>B</p>'],
    ['a rule with a list below', '---\n\n- a\n\n---', '<hr>\n<ul>\n<li>a</li>\n</ul>\n<hr>'],
    ['a note between rules', '---\n\nNote: read this\n\n---\n\nB', '<hr>\n<p>Note: read this</p>\n<hr>\n<p>B</p>'],
    ['one that does not end', '---\ntitle: a', '<hr>\n<p>title: a</p>'],
    ['one that is not at the start', 'A\n\n---\ntitle: a\n---', '<p>A</p>\n<hr>\n<h2>title: a</h2>'],
    [
      'an address',
      '---\nhttps://a.example\n---\nB',
      '<hr>\n<h2><a href="https://a.example">https://a.example</a></h2>\n<p>B</p>',
    ],
    ['braces', '{a}\n\nB', '<p>{a}</p>\n<p>B</p>'],
  ])('%s is no front matter', (_, markdown, html) => expect(made(markdown)).toEqual([html]))

  // commonmark/cmark#334
  it('a byte order mark is dropped before anything else', () => {
    expect(made('\ufeff## Prices')).toEqual(['<h2>Prices</h2>', 'byte order mark'])
    expect(made(`\ufeff---\ntitle: a\n---\n${AFTER}`)).toEqual([HTML, 'byte order mark', 'front matter'])
    expect(made(`\ufeff\`\`\`md\n${AFTER}\n\`\`\``)).toEqual([
      HTML,
      'byte order mark',
      'code block around the whole content',
    ])
  })

  // Automattic/jetpack#11849, GetPublii/Publii#1703
  it('footnotes, bare addresses and tasks are read as GitHub reads them', () => {
    const [html = ''] = made('Rye is sour.[^1] [^2] ^[x]\n\n[^1]: See the **handbook**.')
    expect(html).toContain(
      '<p>Rye is sour.<sup class="footnote-ref"><a href="#fn1" id="fnref1">[1]</a></sup> [^2] ^[x]</p>',
    )
    expect(html).toContain('<li id="fn1" class="footnote-item"><p>See the <strong>handbook</strong>. <a href="#fnref1"')
    expect(sanitizeHtml(html)).toMatchObject({ kind: 'clean', html, removed: [] })
    expect(
      made('www.b.example/c_(d)?e=f), me@c.example. (www.g.example) awww.h.example <a href="/i">www.j.example</a>'),
    ).toEqual([
      '<p><a href="http://www.b.example/c_(d)?e=f">www.b.example/c_(d)?e=f</a>), <a href="mailto:me@c.example">me@c.example</a>. (<a href="http://www.g.example">www.g.example</a>) awww.h.example <a href="/i">www.j.example</a></p>',
    ])
    expect(made('> [!WARNING]\n> Hot **oven**.\n\n> [!NOTE]\n\n> [!note] here')).toEqual([
      '<blockquote>\n<p><strong>Warning</strong><br>\nHot <strong>oven</strong>.</p>\n</blockquote>\n<blockquote>\n<p><strong>Note</strong></p>\n</blockquote>\n<blockquote>\n<p>[!note] here</p>\n</blockquote>',
    ])
    expect(made('- [ ] a\n- [x] b')).toEqual(['<ul>\n<li>☐ a</li>\n<li>☑ b</li>\n</ul>'])
  })

  // markedjs/marked#3838, commonmark/commonmark-spec#650
  it.each([
    ['この物置は**「耐久性」**が高い。', 'この物置は<strong>「耐久性」</strong>が高い。'],
    ['这款棚子的**“耐用性”**很高。', '这款棚子的<strong>“耐用性”</strong>很高。'],
    ['이것은**"인용"**입니다', '이것은<strong>&quot;인용&quot;</strong>입니다'],
    ['これは*（注）*です~~「旧」~~と', 'これは<em>（注）</em>です<del>「旧」</del>と'],
  ])('marks beside CJK characters: %s', (markdown, html) => expect(made(markdown)).toEqual([`<p>${html}</p>`]))

  // marimo-team/marimo#4418
  it.each([
    ['a code block', `\`\`\`markdown\n${AFTER}\n\`\`\``, 'code block around the whole content'],
    ['a code block with a code block in it', `~~~md\n${AFTER}\n~~~\n`, 'code block around the whole content'],
    ['a code block without a language', `\`\`\`\n${AFTER}\n\`\`\``, 'code block around the whole content'],
    ['a code block that is cut off', `\`\`\`md\n${AFTER}`, 'code block around the whole content'],
    ['JSON', JSON.stringify({ title: 'T', content: AFTER }), 'JSON around the whole content'],
    [
      'the thoughts of a model',
      `<think>First a plan.\n\n## A plan</think>\n\n${AFTER}`,
      'a model’s thoughts (<think>)',
    ],
    ['the end of a model’s thoughts', `First a plan.\n\n</think>\n\n${AFTER}`, 'a model’s thoughts (</think>)'],
    [
      'a code block after a model’s thoughts',
      `[THINK]A plan.[/THINK]\n\`\`\`md\n${AFTER}\n\`\`\``,
      'a model’s thoughts ([think])',
      'code block around the whole content',
    ],
    [
      'JSON in a code block',
      `\`\`\`json\n${JSON.stringify({ markdown: AFTER }, null, 2)}\n\`\`\``,
      'code block around the whole content',
      'JSON around the whole content',
    ],
    [
      'a document of HTML',
      `<!DOCTYPE html>\n<html lang="en"><head><title>T</title></head>\n<body class="x">\n\n${AFTER}\n\n</body></html>`,
      '<html>',
    ],
    ['tags of a model', `<content>\n${AFTER}\n</content>`, '<content>'],
    ['tags of an article', `<article>\n${AFTER}\n</article>`, '<article>'],
    ['tags of an output', `<output>\n${AFTER}\n</output>`, '<output>'],
    [
      'the reply of a model',
      `Sure! Here is the article:\n\n\`\`\`markdown\n${AFTER}\n\`\`\`\n\nLet me know what to change.`,
      'words around the content',
    ],
    [
      'a bold line before a code block',
      `**Voici l’article :**\n\n\`\`\`md\n${AFTER}\n\`\`\``,
      'words around the content',
    ],
    [
      'a code block behind front matter',
      `---\ntitle: x\n---\n\`\`\`md\n${AFTER}\n\`\`\``,
      'front matter',
      'code block around the whole content',
    ],
  ])('%s around the whole text is removed', (_, markdown, ...removed) =>
    expect(made(markdown)).toEqual([HTML, ...removed]),
  )

  it.each([
    '```js\na()\n```',
    '```\nnpm start\n```',
    '```md\n# a\n```\n\nUse it so:\n\n```md\n# b\n```',
    '```md\n# a\n```\n\nB',
    'Install it:\n\n```md\nnpm i\n```',
    'A page:\n\n```md\n# a\n```\n\nIts parts:\n\n- b',
    'A page:\n\n```md\n# a\n```\n\nAnother:\n\n```md\n# b\n```',
    'It is a page.\n\n```md\n# a\n```',
    '```json\n{ "a": 1 }\n```',
  ])('a block that is a part of an article stays: %j', (markdown) => {
    const [html, ...removed] = made(markdown)
    expect(html).toMatch(/<pre>/)
    expect(removed).toEqual([])
  })

  it.each(['<think>A plan without an end.', 'Text.\n\n</think>'])(
    'a text of thoughts alone is refused: %j',
    (markdown) => {
      expect(fromMarkdown(markdown)).toBe('only_thoughts')
      expect(unwrapped(markdown, 'html').isCut).toBe(true)
    },
  )

  it('keeps the code blocks of an article inside a code block', () => {
    const [html, ...removed] = made('```markdown\n## A\n\n```js\na()\n```\n\nB\n```')
    expect(html).toBe('<h2>A</h2>\n<pre><code class="language-js">a()\n</code></pre>\n<p>B</p>')
    expect(removed).toEqual(['code block around the whole content'])
  })

  it('refuses more footnotes than an article has', () =>
    expect(fromMarkdown(Array.from({ length: 501 }, (_, n) => `[^${n}] \n\n[^${n}]: a\n\n`).join(''))).toBe(
      'too_marked',
    ))
})

it('any text becomes HTML that is refused or safe, and its words are not lost', () => {
  const piece = fc.constantFrom(
    '*',
    '**',
    '_',
    '`',
    '```\n',
    '[',
    ']',
    '](',
    ')',
    '![',
    '<',
    '>',
    '<a href="',
    '">',
    '\n',
    '\n\n',
    '- ',
    '1. ',
    '> ',
    '# ',
    '|',
    '|-|',
    '    ',
    '\\',
    '&',
    ' ',
    'word',
    '~~',
  )
  void fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const made = fromMarkdown(pieces.join(''))
      if (typeof made === 'string') return
      const safe = sanitizeHtml(made.html)
      if (safe.kind === 'clean') expect(sanitizeHtml(safe.html)).toMatchObject({ kind: 'clean', html: safe.html })
    }),
    { numRuns: 500 },
  )
})

/** Texts at which readers of Markdown look again and again. */
const REPEATED = [
  '**a',
  '*a ',
  'a**b_c',
  '*a_ ',
  '[',
  '![',
  '[a](',
  '[a](<',
  '](',
  '[x][',
  '[[a](b)',
  '`a``',
  '> ',
  '- ',
  '\n- a\n  b\n',
  '|',
  '|a|b\n|-|-\n',
  '<',
  '<a ',
  '<!--',
  'http://',
  'ahttp://',
  '&',
  '\\',
  '~~a',
  '~~~',
  'http://a_ ',
  'http://|',
  'http://a|',
  '[a]: b\n',
  'a\n-\n',
  '# a #',
  '  ',
  '[^',
  '[^x] ',
  'www.',
  'www.a(',
  'a@',
  'a@b.',
  '- [ ] a\n',
  '\u300c**',
]

it.each(REPEATED)('reads twice as much with twice the work: %j', (text) => {
  const source = (times: number) => `[x]: y\n\n[^x]: z\n\n${text.repeat(times)}`
  const work = (times: number) => workOf(() => fromMarkdown(source(times)), 'shared')
  fromMarkdown(source(10))
  expect(work(4_000) / work(2_000)).toBeLessThan(2.3)
})

it('limits the output of definitions that are used again and again', () => {
  const text = `[a]: ${'x'.repeat(1_900)}\n\n${'[a]'.repeat(5_000)}`
  expect(asHtml(text).length).toBeLessThan(30 * text.length + 200_000)
})

it.each([
  ['short rows of a wide table', `${'|a'.repeat(1_000)}\n${'|-'.repeat(1_000)}\n${'a\n'.repeat(1_000)}`, 'too_marked'],
  [
    'many tables with short rows',
    `${'|a'.repeat(180)}\n${'|-'.repeat(180)}\n${'a\n'.repeat(360)}\n`.repeat(9),
    'too_marked',
  ],
  ['nothing but emphasis', '*a*'.repeat(100_000), 'too_marked'],
  ['nothing but brackets', '['.repeat(500_000), 'too_marked'],
  ['quotations within quotations', `${'> '.repeat(41)}a`, 'too_deep'],
  ['lists within lists', '- '.repeat(21).replace('- - ', '+ - ').concat('a'), 'too_deep'],
  ['many lines within many quotations', `${'> '.repeat(10)}a\n${'b\n'.repeat(200_000)}`, 'too_deep'],
])('refuses %s', (_, text, fault) => expect(fromMarkdown(text)).toBe(fault))

it('reads 40 quotations within one another, and 20 lists', () => {
  expect(asHtml(`${'> '.repeat(40)}a`)).toContain('<p>a</p>')
  expect(asHtml(`${'+ - '.repeat(10)}a`).match(/<li>/g)).toHaveLength(20)
})
