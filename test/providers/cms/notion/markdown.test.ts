import { expect, it } from 'vitest'
import { linkNotes, toMarkdown } from '../../../../src/providers/cms/notion/markdown.ts'

it.each([
  ['headings, five and six as four', '<h2>A</h2><h3>B</h3><h4>C</h4><h6>D</h6>', '## A\n\n### B\n\n#### C\n\n#### D'],
  [
    'marks within a line',
    '<p><strong>a</strong> <em>b</em> <s>c</s> <code>d*</code> <u>e</u></p>',
    '**a** *b* ~~c~~ `d*` <u>e</u>',
  ],
  [
    'marks where no sign would be read as one',
    '<p>x<b>「y」</b>z <code>`</code> <mark>m</mark> a<i>b</i>c Hi!<a href="https://a.b">t</a></p>',
    'x<b>「y」</b>z `` ` `` <span color="yellow_bg">m</span> a*b*c Hi\\![t](https://a.b)',
  ],
  ['raised and lowered numbers', '<p>10<sup>6</sup> H<sub>2</sub>O x<sup>a</sup></p>', '10⁶ H₂O xa'],
  ['no mark twice, none around blanks', '<p>x<b> a <strong>b</strong></b> y</p>', 'x **a b** y'],
  [
    'characters that would be marks',
    '<p>5 * 3 &lt; $x [y] {z} a|b ~ ^ ` \\</p>',
    '5 \\* 3 \\< \\$x \\[y\\] \\{z\\} a\\|b \\~ \\^ \\` \\\\',
  ],
  [
    'what would be emphasis, a reference or an emoji',
    '<p>_a_ b_c &amp;amp; :smile: 12:30:45 {color="red"}</p>',
    '\\_a\\_ b_c \\&amp; \\:smile: 12:30:45 \\{color="red"\\}',
  ],
  [
    'what would begin a block',
    '<p># a</p><p>- b</p><p>1. c</p><p>2024 was</p><p>--- d</p>',
    '\\# a\n\n\\- b\n\n1\\. c\n\n2024 was\n\n\\--- d',
  ],
  [
    'links, but none within the page',
    '<p><a href="https://a.b/?x=(1)&amp;y=2">t [1]</a> <a href="#x">u</a></p>',
    '[t \\[1\\]](https://a.b/?x=%281%29&y=2) u',
  ],
  ['text that nothing ends', '<p>a</p>b &amp; <b>c', 'a\n\nb & **c**'],
  ['line breaks within, not around', '<p><br>a <br>b<br><br># c<br></p>', 'a\\\nb\\\n\\\n\\# c'],
  [
    'lists in lists',
    '<ul><li>a<ol><li>b</li><li><p>c</p><p>d</p></li></ol></li><li>e</li></ul>',
    '- a\n\t1. b\n\t2. c\n\n\t\td\n- e',
  ],
  [
    'what is beneath an item of many digits',
    '<ol start="999"><li>a<br>b<pre>c\n\nd</pre></li></ol>',
    '999. a\\\n\t\tb\n\n\t\t```\n\t\tc\n\n\t\td\n\t\t```',
  ],
  [
    'a list whose item begins with a picture in tags',
    '<ul><li><img src="https://a.b/c.png" alt="x"></li><li>b</li></ul>',
    '<ul>\n<li>\n<p />\n\n![x](https://a.b/c.png)\n</li>\n<li>\nb\n</li>\n</ul>',
  ],
  ['a plain quotation', '<blockquote><p>a</p><p>- b</p></blockquote>', '> a\\\n> \\- b'],
  [
    'a quotation with blocks beneath in tags',
    '<blockquote><p>a</p><p>b</p><ul><li>c</li></ul></blockquote>',
    '<quote>\na\\\nb\n\n- c\n</quote>',
  ],
  ['code in a language Notion has none of', '<pre><code class="language-brainf">+</code></pre>', '```\n+\n```'],
  [
    'code as it stands',
    '<pre><code class="language-ts">a &lt; b\n\n\t`*`</code></pre>',
    '```typescript\na < b\n\n\t`*`\n```',
  ],
  ['code that holds fences', '<pre>```\nx\n```</pre>', '````\n```\nx\n```\n````'],
  [
    'images with what stands under them',
    '<figure><img src="https://a.b/c.png" alt="alt"><figcaption>Cap</figcaption></figure>',
    '![Cap](https://a.b/c.png)',
  ],
  [
    'images within a text, on their own',
    '<p>a <img src="https://a.b/c.png" alt="x"> b</p>',
    'a\n\n![x](https://a.b/c.png)\n\nb',
  ],
  ['no image Notion would not show', '<p><img src="http://a.b/c.png" alt="Only text"></p>', 'Only text'],
  [
    'tables, cells that span filled up',
    '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td colspan="2">c<br>d</td></tr></tbody></table>',
    '<table header-row="true">\n<tr>\n<td>a</td>\n<td>b</td>\n</tr>\n<tr>\n<td>c<br />d</td>\n<td></td>\n</tr>\n</table>',
  ],
  [
    'players',
    '<iframe src="https://www.youtube-nocookie.com/embed/a-1?rel=0"></iframe><iframe src="https://www.player.vimeo.com/video/7"></iframe><iframe src="https://www.m.youtube.com/embed/b"></iframe>',
    '<video source="https://www.youtube.com/watch?v=a-1"></video>\n\n<video source="https://vimeo.com/7"></video>\n\n<video source="https://www.youtube.com/watch?v=b"></video>',
  ],
  ['what folds', '<details><summary>S</summary><p>a</p><p>b</p></details>', '<toggle>\nS\n\na\n\nb\n</toggle>'],
  [
    'breaks and blocks within code as lines',
    '<pre><code>npm i<br>npm start</code></pre><pre><div>a</div><div>b</div></pre>',
    '```\nnpm i\nnpm start\n```\n\n```\na\nb\n```',
  ],
  [
    'every picture of a gallery with its own caption',
    '<figure><figure><img src="https://a.b/1.png" alt="1"><figcaption>One</figcaption></figure><ul><li><figure><a href="/x"><img src="https://a.b/2.png" alt="2"></a><figcaption>Two</figcaption></figure></li></ul><img src="https://a.b/3.png" alt="3"><figcaption>All</figcaption></figure>',
    '![One](https://a.b/1.png)\n\n![Two](https://a.b/2.png)\n\n![3](https://a.b/3.png)\n\n*All*',
  ],
  [
    'the columns of cells that reach down',
    '<table><tr><td rowspan="2">A</td><td>1</td></tr><tr><td>2</td></tr></table>',
    '<table>\n<tr>\n<td>A</td>\n<td>1</td>\n</tr>\n<tr>\n<td></td>\n<td>2</td>\n</tr>\n</table>',
  ],
  ['blocks within marks', '<b><p>a</p><ul><li>b</li></ul></b>', '**a**\n\n- **b**'],
  [
    'pictures of a gallery that is written as definitions',
    '<dl><dt><a href="/x"><img src="https://a.b/1.png" alt="1"></a></dt><dd>One</dd></dl>',
    '![1](https://a.b/1.png)\n\nOne',
  ],
  ['definitions', '<dl><dt>T</dt><dd>D</dd></dl>', '**T**\n\nD'],
  ['text outside of any block, and nothing for nothing', 'a <b>b</b><p> </p><div></div><hr>', 'a **b**\n\n---'],
])('keeps %s', (_, html, markdown) => {
  expect(toMarkdown(html)).toBe(markdown)
})

it('handles half a megabyte', () => {
  const html = '<p>Some <b>text</b> &amp; more of it.</p>'.repeat(12_000)
  expect(toMarkdown(html).split('\n\n')).toHaveLength(12_000)
})

it('says which links Notion cannot follow', () => {
  expect(
    linkNotes(
      '<a href="/pricing">a</a> <a href="/pricing">b</a> <a href="#c">c</a> <a href="https://d.example">d</a><video src="/e.mp4"></video>',
    ),
  ).toEqual([
    'Notion follows full addresses only, so these links were left out and their words stay: /pricing, /e.mp4.',
  ])
})
