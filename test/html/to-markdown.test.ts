import { expect, it } from 'vitest'
import { toMarkdown } from '../../src/html/markdown.ts'

/** A `<` that begins a tag where HTML is let through: neither escaped nor the bracket of an address. */
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
])('no tag comes of %s', (_, html, markdown) => {
  const text = toMarkdown(`<p>${html}</p>`)
  expect(text).toContain(markdown)
  expect(text).not.toMatch(TAG)
})
