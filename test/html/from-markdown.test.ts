import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromMarkdown } from '../../src/html/commonmark/html.ts'
import { sanitizeHtml } from '../../src/html/sanitize.ts'
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
      '<ul>\n<li>a</li>\n<li>b\n<ul>\n<li>c</li>\n</ul></li>\n</ul>\n<ol>\n<li>d</li>\n<li>e</li>\n</ol>',
    ],
    ['- a\n\n- b', '<ul>\n<li><p>a</p></li>\n<li><p>b</p></li>\n</ul>'],
    ['3) a\n4) b', '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>'],
    ['Text\n- a\n* b\n\n---', '<p>Text</p>\n<ul>\n<li>a</li>\n</ul>\n<ul>\n<li>b</li>\n</ul>\n<hr>'],
    ['> a\nb\n> - c', '<blockquote>\n<p>a\nb</p>\n<ul>\n<li>c</li>\n</ul>\n</blockquote>'],
    [
      '```js\nif (a < b) {}\n\n  **c**\n```',
      '<pre><code class="language-js">if (a &lt; b) {}\n\n  **c**\n</code></pre>',
    ],
    [
      '| A | B |\n|---|:-:|\n| a \\| b | *c* |\n| d |\n\nend',
      '<table>\n<thead>\n<tr><th>A</th><th align="center">B</th></tr>\n</thead>\n<tbody>\n<tr><td>a | b</td><td align="center"><em>c</em></td></tr>\n<tr><td>d</td><td align="center"></td></tr>\n</tbody>\n</table>\n<p>end</p>',
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
      '<p><a href="https://a.example/b_c_d">https://a.example/b_c_d</a>, <a href="https://e.example">https://e.example</a> <a href="mailto:f@g.example">f@g.example</a></p>',
    ],
    [
      '[out [in](https://a.example) x](/b) [c](d)',
      '<p>[out <a href="https://a.example">in</a> x](/b) <a href="d">c</a></p>',
    ],
    [
      'a_b_c 2 * 3 * 4 \\*d\\* ~~e~~ &amp; &copy; AT&T 5 < 6',
      '<p>a_b_c 2 * 3 * 4 *d* <del>e</del> &amp; &copy; AT&amp;T 5 &lt; 6</p>',
    ],
    [
      'a <span lang="de">*b*</span>\n\n<figure>\n*c*\n</figure>\n\n*d*',
      '<p>a <span lang="de"><em>b</em></span></p>\n<figure>\n*c*\n</figure>\n<p><em>d</em></p>',
    ],
    ['``a ` b`` `c', '<p><code>a ` b</code> `c</p>'],
    ['    indented\n\nA text', '<p>indented</p>\n<p>A text</p>'],
    ['', ''],
  ])('%j', (markdown, html) => expect(fromMarkdown(markdown).trim()).toBe(html.trim()))
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
      const html = fromMarkdown(pieces.join(''))
      const safe = sanitizeHtml(html)
      if (safe.kind === 'clean') expect(sanitizeHtml(safe.html)).toMatchObject({ kind: 'clean', html: safe.html })
    }),
    { numRuns: 500 },
  )
})

/** What makes readers of Markdown look at the same text again and again. */
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
  '[a]: b\n',
  'a\n-\n',
  '# a #',
  '  ',
]

it.each(REPEATED)('reads twice as much with twice the work: %j', (text) => {
  const source = (times: number) => `[x]: y\n\n${text.repeat(times)}`
  fromMarkdown(source(10))
  const [once, twice] = [workOf(() => fromMarkdown(source(2_000))), workOf(() => fromMarkdown(source(4_000)))]
  expect(twice / once).toBeLessThan(2.3)
})

it.each([
  ['one definition, named again and again', `[a]: ${'x'.repeat(1_900)}\n\n${'[a]'.repeat(5_000)}`],
  ['short rows of a wide table', `${'|a'.repeat(1_000)}\n${'|-'.repeat(1_000)}\n${'a\n'.repeat(1_000)}`],
  ['many tables with short rows', `${'|a'.repeat(10)}\n${'|:-:'.repeat(10)}\n${'a\n'.repeat(110)}\n`.repeat(100)],
])('makes no more of a text than its size bears: %s', (_, text) => {
  expect(fromMarkdown(text).length).toBeLessThan(30 * text.length + 200_000)
})
