import * as fc from 'fast-check'
import createReader from 'markdown-it'
import { describe, expect, it } from 'vitest'
import { contentOf, PUBLISHED } from '../../../local/start/sample-articles.ts'
import { toMarkdown } from '../../../src/content/html/markdown/gfm.ts'
import { documents } from './documents.ts'
import { whatIsSaid } from './said.ts'

/** Documents that are written and read again; the long proofs take more. */
const RUNS = process.env.LONG ? 2_000 : 200

/** A `<` that begins a tag in places that allow HTML: it is not escaped and not the bracket of an address. */
const TAG = /(?<!\\)<(?!https?:)[a-z/!?]/i

it.each([
  [
    'the title of an image',
    '<img src="a.png" alt="A" title="<script>alert(1)</script>">',
    '![A](a.png "&lt;script&gt;',
  ],
  [
    'one with references',
    '<img src="a.png" alt="A" title="&lt;img onerror=x&gt;">',
    '![A](a.png "&lt;img onerror=x&gt;")',
  ],
  ['the title of a link', '<a href="https://x.example" title="<i>">t</a>', '[t](https://x.example "&lt;i&gt;")'],
  ['the address of an image', '<img src="https://x.example/<script>" alt="A">', '![A](https://x.example/%3Cscript%3E)'],
  ['the address of a link', '<a href="https://x.example/a)<b>">t</a>', '%3Cb%3E'],
  ['the words of an image', '<img src="a.png" alt="](b)<script>">', '\\<script>'],
  ['a text', '<p>a &lt;script&gt; b</p>', 'a \\<script> b'],
])('%s makes no tag', (_, html, markdown) => {
  const text = toMarkdown(`<p>${html}</p>`)
  expect(text).toContain(markdown)
  expect(text).not.toMatch(TAG)
})

/** Faults that readers saw elsewhere: a public report is named if a kind comes from one. */
describe('HTML as Markdown', () => {
  it.each([
    // marktext/marktext#4688
    [
      'blocks within inline elements',
      '<b style="font-weight:normal" id="docs-internal-guid-1"><h2>Starter care</h2><p>Feed daily</p><ul><li><p>Flour</p></li></ul></b>',
      '## Starter care\n\nFeed daily\n\n- Flour',
    ],
    ['paragraphs that are strong', '<strong><p>Warning.</p><p>Hot oven.</p></strong>', '**Warning.**\n\n**Hot oven.**'],
    ['a list within emphasis', '<em><ul><li>x</li></ul></em>', '- *x*'],
    ['a card that is a link', '<a href="/a"><h3>Rye</h3><p>Sour</p></a>', '### [Rye](/a)\n\n[Sour](/a)'],
    ['blocks within code', '<code><p>a</p><p>b</p></code>', '`a`\n\n`b`'],
    // benbalter/wordpress-static-site-exporter#52
    [
      'players',
      '<figure><iframe src="https://www.youtube.com/embed/abc123" title="How to knead"></iframe></figure><p>a <audio controls src="https://v.example/a.mp3"></audio></p><ul><li><video controls><source src="//v.example/b.mp4"></video></li></ul>',
      '[How to knead](https://www.youtube.com/embed/abc123)\n\na [https://v.example/a.mp3](https://v.example/a.mp3)\n\n- [https://v.example/b.mp4](https://v.example/b.mp4)',
    ],
    // matthewwithanm/python-markdownify#121
    [
      'cells that reach down',
      '<table><tr><th>Day</th><th>Slot</th><th>Room</th></tr><tr><td rowspan="2">Mon</td><td>9</td><td>A</td></tr><tr><td>10</td><td>B</td></tr></table>',
      '| Day | Slot | Room |\n| --- | --- | --- |\n| Mon | 9 | A |\n|  | 10 | B |',
    ],
    [
      'cells that reach across and down',
      '<table><tr><th colspan="2">Prices</th></tr><tr><td rowspan="2">A</td><td>1</td></tr><tr><td>2</td></tr></table>',
      '| Prices |  |\n| --- | --- |\n| A | 1 |\n|  | 2 |',
    ],
    [
      'a cell that reaches both ways, and one to the end',
      '<table><tr><td colspan="2" rowspan="2">a</td><td rowspan="0">b</td></tr><tr></tr><tr><td>c</td><td>d</td></tr></table>',
      '| a |  | b |\n| --- | --- | --- |\n|  |  |  |\n| c | d |  |',
    ],
    // adbar/trafilatura#843
    ['blanks within marks', 'This is<strong> bold </strong>text', 'This is **bold** text'],
    ['a break at the end of a mark', 'x<strong>bold<br></strong>y', 'x**bold**  \ny'],
    ['line ends within links', 'now<a href="https://b.example">\n  b\n</a>end', 'now [b](https://b.example) end'],
    ['blanks of other scripts', 'a<em>\u3000b&nbsp;</em>c<code> d </code>e', 'a\u3000*b*\u00a0c `d` e'],
    // mixmark-io/turndown#306, discourse/discourse#25473
    [
      'line ends in attributes',
      '<p><img src="a.jpg" alt="First line.\n\nSecond line." title="a\n\nb"> <a href="/a\n\nb" title="c\n\nd">e</a></p>',
      '![First line. Second line.](a.jpg "a b") [e](/ab "c d")',
    ],
    // tox-dev/turbohtml#765, discourse/discourse#42350
    [
      'pipes within cells',
      '<table><tr><th>a | b</th></tr><tr><td><img alt="M8 | steel" src="https://img.example/i?s=200|300"> <a href="https://shop.example/f?c=a|b" title="x | y">shop</a> <code>a|b</code></td></tr></table>',
      '| a \\| b |\n| --- |\n| ![M8 \\| steel](https://img.example/i?s=200\\|300) [shop](https://shop.example/f?c=a\\|b "x \\| y") `a\\|b` |',
    ],
    [
      'blocks within cells',
      '<table><tr><td><p>a</p><ul><li>b<li>c</ul></td></tr></table>',
      '| a<br><ul><li>b</li><li>c</li></ul> |\n| --- |',
    ],
    // react/react#24263
    ['comments', '<p>un<!-- -->believ<!-- b -->able, €<!-- -->10</p>', 'unbelievable, €10'],
    // commonmark/commonmark-spec#650, markedjs/marked#3838
    ['marks beside signs of CJK', '日本語の<strong>「太字」</strong>です', '日本語の<strong>「太字」</strong>です'],
    [
      'marks that cannot end',
      '<strong>Price:</strong>10, ends<b>.</b>x, a<i>(b)</i>c',
      '<strong>Price:</strong>10, ends<strong>.</strong>x, a<em>(b)</em>c',
    ],
    ['strikes that cannot end', 'a<s>b.</s>c <del>d</del>', 'a<del>b.</del>c ~~d~~'],
    ['symbols, which only some readers take for signs', 'a<b>€5</b> <b>b</b>€', 'a<strong>€5</strong> **b**€'],
    [
      'marks that touch',
      '<b><i>a</i></b> <b><i>b</i> c</b> <b>d</b><i>e</i> <b>f</b><b>g</b>',
      '**_a_** **_b_ c** **d**_e_ **fg**',
    ],
    // matthewwithanm/python-markdownify#164
    ['marks in code', '<code><a href="/ref">fetch()</a></code> <code>a <em>b</em></code>', '[`fetch()`](/ref) `a b`'],
    ['lists right within lists', '<ul><li>A</li><ul><li>B</li></ul></ul>', '- A\n  - B'],
    ['the numbers around a list', '<ol><li>A</li><ol><li>B</li></ol><li>C</li></ol>', '1. A\n   1. B\n2. C'],
    [
      'lists beside lists',
      '<ul><li>a</li></ul><ul><li>b</li></ul><ol><li>c</li></ol><ol><li>d</li></ol>',
      '- a\n\n+ b\n\n1. c\n\n1) d',
    ],
    [
      'breaks in preformatted code',
      '<pre><code class="language-sh">npm i<br>npm start</code></pre>',
      '```sh\nnpm i\nnpm start\n```',
    ],
    ['what the author hid', '<p hidden>Note to the editor</p><p>a<span hidden="until-found">b</span></p>', 'a'],
    [
      'what Markdown has no sign for',
      'H<sub>2</sub>O <mark>m</mark> <u>u</u>',
      'H<sub>2</sub>O <mark>m</mark> <u>u</u>',
    ],
    [
      'what would begin a block after a break',
      'a | b<br>--- | ---<br>===<br># c<br>1. d',
      'a | b  \n\\--- | ---  \n\\===  \n\\# c  \n1\\. d',
    ],
    // mixmark-io/turndown#226, mixmark-io/turndown#273: classes of highlight.js, SyntaxHighlighter, Crayon, Pandoc
    [
      'the language of code, however it is named',
      '<pre class="brush: php; gutter: false">a</pre><pre class="lang:python decode:true">b</pre><pre><code class="hljs javascript">c</code></pre><pre class="sourceCode haskell">d</pre><pre class="shiki" data-language="ts">e</pre><pre><code class="hljs">f</code></pre>',
      '```php\na\n```\n\n```python\nb\n```\n\n```javascript\nc\n```\n\n```haskell\nd\n```\n\n```ts\ne\n```\n\n```\nf\n```',
    ],
    [
      'the language of the box around code',
      '<div class="highlight highlight-source-shell"><pre>a</pre></div><div class="language-ruby"><div class="highlight"><pre><code>b</code></pre></div></div><div class="lang-en"><pre>c</pre></div>',
      '```shell\na\n```\n\n```ruby\nb\n```\n\n```\nc\n```',
    ],
    // JohannesKaufmann/html-to-markdown#199
    [
      'a picture with only srcset',
      '<img srcset="https://a.example/w_1,h_2/a.jpg 1x, b.jpg 2x" alt="A">',
      '![A](https://a.example/w_1,h_2/a.jpg)',
    ],
    [
      'a formula of KaTeX once',
      '<span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>x</mi><mo>=</mo><mn>2</mn></mrow><annotation encoding="application/x-tex">x=2</annotation></semantics></math></span><span class="katex-html" aria-hidden="true"><span>x</span><span>=</span><span>2</span></span></span>',
      'x=2',
    ],
    // remarkjs/remark-rehype#36
    [
      'a list in boxes within an item',
      '<ul><li><div><span><code>a[.]b</code></span></div><div><span><ul><li><code>c</code>: d</li></ul></span></div></li></ul>',
      '- `a[.]b`\n  - `c`: d',
    ],
    [
      'code that touches code in a mark of the same kind',
      '<b><code>a</code></b><b><code>`b</code></b> <sup><code>c</code></sup><sup><code>d</code></sup>',
      '**``a`b``** <sup>`cd`</sup>',
    ],
    ['readings above characters', '<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>字', '漢(かん)字'],
    // matthewwithanm/python-markdownify#238, mysticmind/reversemarkdown-net#21
    [
      'a table in a cell',
      '<table><tr><td>a<table><tr><td>x</td><td>y</td></tr></table></td><td>\n <div>b</div>\n <div>c</div></td></tr></table>',
      '| a<br>x y | b<br>c |\n| --- | --- |',
    ],
    [
      'characters by their names, as browsers read them',
      '<p>&alpha;&Omega;&sigmaf; &radic;2 &ne; 1 &notin; &check; 5&nbspkg &copy2026 &notit; &unknown;</p>',
      'αΩς √2 ≠ 1 ∉ ✓ 5\u00a0kg ©2026 ¬it; \\&unknown;',
    ],
    ['an exclamation before a link', 'Hi!<a href="/x">y</a>', 'Hi\\![y](/x)'],
  ])('keeps %s', (_, html, markdown) => expect(toMarkdown(html)).toBe(markdown))

  it('has the same content in Markdown as in HTML', () => {
    const reader = createReader({ html: true })
    reader.validateLink = () => true
    for (const article of PUBLISHED) {
      const html = contentOf(article)
      expect(whatIsSaid(reader.render(toMarkdown(html)))).toEqual(whatIsSaid(html))
    }
    void fc.assert(
      fc.property(documents, (html) => {
        expect(whatIsSaid(reader.render(toMarkdown(html)))).toEqual(whatIsSaid(html))
      }),
      { numRuns: RUNS, seed: 30 },
    )
  })
})
