import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromMarkdown } from '../../src/html/from-markdown.ts'
import { sanitizeHtml } from '../../src/html/sanitize.ts'
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
    ['ftp://a.example //b.example c.example d@e.example', '<p>ftp://a.example //b.example c.example d@e.example</p>'],
    ['', ''],
  ])('%j', (markdown, html) => expect(asHtml(markdown).trim()).toBe(html.trim()))
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
  const work = (times: number) => workOf(() => fromMarkdown(source(times)), 'shared')
  fromMarkdown(source(10))
  expect(work(4_000) / work(2_000)).toBeLessThan(2.3)
})

it('makes no more of definitions that are named again and again than its size bears', () => {
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
