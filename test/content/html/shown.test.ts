import { describe, expect, it } from 'vitest'
import { readDocument } from '../../../src/content/html/document.ts'
import { toMarkdown } from '../../../src/content/html/markdown/gfm.ts'
import { sanitizeHtml } from '../../../src/content/html/sanitize.ts'
import { leaveOutHidden, shownWords, showsContent, withoutHidden } from '../../../src/content/html/shown.ts'
import { toMarkdown as forNotion } from '../../../src/providers/cms/notion/markdown.ts'

/** Attributes with which an element does not show. */
const HIDING = [
  'hidden',
  'HIDDEN=false',
  'hidden="until-found"',
  'popover',
  'style="display:none"',
  'style="DISPLAY : None ! important"',
  'style="color: red; display: none !important"',
  'style="mso-hide:all;display:none"',
  'style="display:n&#111;ne"',
  'style="display:block;display:none"',
  'style="display:none!important;display:block"',
  'style="display:/**/none"',
  'style="d\\69splay:n\\6f ne"',
  'style="display&colon;none"',
  'style="visibility:hidden"',
  'style="visibility:collapse"',
  'style="content-visibility:hidden"',
  'style="opacity:0"',
  'style="opacity:0.0"',
  'style="opacity:0%"',
  'style="filter:opacity(0)"',
  'style="font-size:0"',
  'style="font-size:0px;line-height:0"',
  'style="font-size:1px"',
  'style="font:0/0 a"',
  'style="color:transparent"',
  'style="color:rgba(0, 0, 0, 0)"',
  'style="mso-hide:all"',
  'style="position:absolute;left:-9999px"',
  'style="position:fixed;top:-100vh"',
  'style="position:absolute;inset:-10000px auto auto"',
  'style="text-indent:-9999px"',
  'style="text-indent:100em"',
  'style="margin-left:-10000px"',
  'style="transform:translateX(-9999px)"',
  'style="transform:scale(0)"',
  'style="clip-path:inset(50%)"',
  'style="clip-path: circle(0)"',
  'style="position:absolute;clip:rect(0 0 0 0)"',
  'style="clip: rect(0 0 0 0)"',
  'style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(1px,1px,1px,1px)"',
  'style="height:0;overflow:hidden"',
  'style="max-height:0px;overflow:hidden"',
]

/** Attributes with which an element shows. */
const SHOWING = [
  'aria-hidden="true"',
  'class="hidden d-none sr-only"',
  'title="hidden style"',
  'data-hidden="1"',
  'style="display:block"',
  'style="display:none;display:block"',
  'style="overflow:hidden"',
  'style="opacity:0.5"',
  'style="opacity:1"',
  'style="visibility:visible"',
  'style="font-size:0.9em"',
  'style="font-size:12px"',
  'style="font:bold 12px/1 Arial"',
  'style="font-family:\'display:none\'"',
  'style="color:#000"',
  'style="color:transparent;-webkit-background-clip:text"',
  'style="margin-left:-10px"',
  'style="margin-left:-100%"',
  'style="text-indent:2em"',
  'style="opacity:0;transition:opacity 1s"',
  'style="transform:translate(-50%,-50%)"',
  'style="height:0;padding-bottom:56.25%;overflow:hidden"',
  'style="width:0"',
]

const NOTE = 'Note to the editor: price not agreed yet.'

describe.each(HIDING)('what does not show (%s)', (attributes) => {
  const html = `<p>Before.</p><div ${attributes}>${NOTE} <p>More <a href="/x">of <b>it</b></a></p><h2>Old</h2></div><p>After.</p>`

  it('is left out of every output and count', () => {
    expect(withoutHidden(html)).toBe('<p>Before.</p><p>After.</p>')
    expect(shownWords(html)).toEqual(['Before.', 'After.'])
    expect(readDocument(html)).toMatchObject({ text: 'Before. After.', links: [], headings: [] })
    expect(toMarkdown(html)).toBe('Before.\n\nAfter.')
    expect(forNotion(html)).toBe('Before.\n\nAfter.')
    expect(showsContent(`<div ${attributes}>${NOTE}</div>`)).toBe(false)
  })

  it('is removed by the sanitizer, and named', () => {
    const safe = sanitizeHtml(html)
    expect(safe).toMatchObject({ kind: 'clean', html: '<p>Before.</p><p>After.</p>' })
    expect(safe.kind === 'clean' && safe.removed).toEqual(['<div> (hidden)'])
  })
})

it.each(SHOWING)('what shows stays (%s)', (attributes) => {
  const html = `<div ${attributes}>Words.</div>`
  expect([withoutHidden(html), shownWords(html), toMarkdown(html)]).toEqual([html, ['Words.'], 'Words.'])
})

it.each(['p', 'span', 'h1', 'h2', 'form', 'my-note'])('an element <%s> that does not show is removed whole', (name) => {
  const html = `<p>Before.</p><${name} style="display:none">${NOTE} <b>at all</b></${name}><p>After.</p>`
  expect(sanitizeHtml(html)).toMatchObject({
    kind: 'clean',
    html: '<p>Before.</p><p>After.</p>',
    removed: [`<${name}> (hidden)`],
  })
})

describe('the sanitizer', () => {
  it.each([
    ['a<img style="display:none" src="https://a.example/b.png">c', 'ac'],
    [
      'a<img style="opacity:0" src="https://a.example/b.png">c',
      'a<img style="opacity:0" src="https://a.example/b.png">c',
    ],
    ['<p>a</p><p hidden>b', '<p>a</p>'],
    ['<p>a</p><div style="display:none"><p>b<ul><li>c', '<p>a</p>'],
    ['<ul><li>a<li hidden>b<li>c</ul>', '<ul><li>a<li>c</ul>'],
    ['<p hidden>a <span hidden>b</span> c</p>d', 'd'],
  ])('leaves the rest of %s', (given, kept) => {
    expect(sanitizeHtml(given)).toMatchObject({ kind: 'clean', html: kept })
  })

  it('refuses a fragment that ends inside a tag after what does not show', () => {
    expect(sanitizeHtml('<p hidden>a</p><script>b')).toMatchObject({ kind: 'refused' })
  })
})

describe('withoutHidden', () => {
  it.each([
    ['<p>a</p><p hidden>b <b>c</b></p><p>d', '<p>a</p><p>d'],
    ['<ul><li HIDDEN=false>a<li>b</ul>', '<ul><li>b</ul>'],
    ['a<img hidden src=b>c<span hidden="until-found"><i hidden>d</i>e</span>', 'ac'],
    ['<p class="hidden">hidden</p>', '<p class="hidden">hidden</p>'],
    ['<details><summary>a</summary>b</details>', '<details><summary>a</summary>b</details>'],
    // Letters of size 0 hide words, not pictures, and an element in them may have a size.
    [
      '<div style="font-size:0">x<img src=a><b style="font-size:9pt">y</b><i>z</i></div>',
      '<div style="font-size:0"><img src=a><b style="font-size:9pt">y</b></div>',
    ],
    ['<div style="font-size:0"><span style="font-size:1em">x</span></div>', ''],
    [
      '<p style="visibility:hidden">x<b style="visibility:visible">y</b><img src=a></p>',
      '<p style="visibility:hidden"><b style="visibility:visible">y</b></p>',
    ],
    // A cell that does not show has its place in the table.
    [
      '<table><tr><td style="visibility:hidden">a<td>b<tr><td style="display:none">c<td>d</table>',
      '<table><tr><td style="visibility:hidden"><td>b<tr><td>d</table>',
    ],
    // Scripts show the page when it is loaded.
    ['<body style="opacity:0"><p>a</p></body>', '<body style="opacity:0"><p>a</p></body>'],
  ])('%s', (html, left) => {
    expect(withoutHidden(html)).toBe(left)
    expect(leaveOutHidden(left).hidden).toEqual([])
  })
})
