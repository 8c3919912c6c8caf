import { describe, expect, it } from 'vitest'
import { readSent } from '../../../src/content/articles/read-sent.ts'
import { dangersIn } from './html-reader.ts'

/** Returns content as it would be stored, and the removed parts; undefined if it is refused. */
const read = async (content: string): Promise<{ stored?: string; removed: string[] }> => {
  const { content: safe } = await readSent({
    slugsOf: [],
    content,
    format: 'html',
    publicUrl: 'https://galley.example',
  })
  if (safe?.kind !== 'clean') return { removed: [] }
  return { stored: safe.html, removed: safe.removed }
}

const EVIL = '<img src=x onerror=alert(1)>'

/** Content, and a part of the stored text that must remain. */
const NASTY: readonly (readonly [content: string, left: string])[] = [
  ['<p>a</p><script>alert(1)</script>', '<p>a</p>'],
  ['<p>a</p><SCRIPT SRC=//evil.example/x.js></SCRIPT >', '<p>a</p>'],
  ['<p>a</p><script/x>alert(1)</script\n>', '<p>a</p>'],
  ['<style>p{background:url(javascript:alert(1))}</style><p>a</p>', '<p>a</p>'],
  ['<p onclick=alert(1)>a</p>', '<p>a</p>'],
  ['<P ONCLICK="alert(1)" oNmOuSeOvEr=alert(2)>a</P>', '<P>a</P>'],
  ['<img src=x onerror\n=\nalert(1)>', 'src=x'],
  ['<img/onerror=alert(1)/src=x>', '<img'],
  ['<p\tonclick=alert(1)>a', 'a'],
  ['<a href="javascript:alert(1)">a</a>', '>a</a>'],
  ['<a href=" \tJaVaScRiPt:alert(1)">a</a>', '>a</a>'],
  ['<a href="java\nscript:alert(1)">a</a>', '>a</a>'],
  ['<a href="&#106;avascript:alert(1)">a</a>', '>a</a>'],
  ['<a href="&#x6A&#x61vascript:alert(1)">a</a>', '>a</a>'],
  ['<a href="&#0000106avascript:alert(1)">a</a>', '>a</a>'],
  ['<a href="javascript&colon;alert(1)">a</a>', '>a</a>'],
  ['<a href="java&Tab;script:alert(1)">a</a>', '>a</a>'],
  ['<a href="java&NewLine;script&colon;alert(1)">a</a>', '>a</a>'],
  ['<a href="&#1;&#31;javascript:alert(1)">a</a>', '>a</a>'],
  ['<a href="vbscript:x">a</a>', '>a</a>'],
  ['<a href="data:text/html,<script>alert(1)</script>">a</a>', '>a</a>'],
  ['<a href="view-source:javascript:1">a</a>', '>a</a>'],
  ['<a href=javascript:alert(1) href=https://ok.example>a</a>', '>a</a>'],
  ['<img src="data:image/png;base64,AAAA" alt=a><p>a</p>', '<p>a</p>'],
  ['<img src=a.png srcset="data:image/png;base64,AAAA 1x, a.png 2x">', 'src=a.png'],
  ['<img src=a.png srcset="a.png 1x, javascript:alert(1) 2x">', 'src=a.png'],
  ['<video poster="javascript:alert(1)" src=a.mp4></video>', 'src=a.mp4'],
  ['<blockquote cite="javascript:alert(1)">a</blockquote>', '>a</blockquote>'],
  ['<p style="background:url(javascript:alert(1))">a</p>', '>a</p>'],
  ['<p style="width:expression(alert(1))">a</p>', '>a</p>'],
  ['<p style="background:u&#114;l(x)">a</p>', '>a</p>'],
  ['<svg onload=alert(1)><p>x</p></svg><p>a</p>', '<p>a</p>'],
  ['<svg><a xlink:href="javascript:alert(1)">x</a></svg><p>a</p>', '<p>a</p>'],
  ['<math><mtext></form><form><mglyph><style></math>a', ''],
  [`<noscript><p title="</noscript>${EVIL}">`, '<img src=x>'],
  [`<table><style><a title="</style>${EVIL}"></table>`, '<table>'],
  [`<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">`, ''],
  [`<svg></p><style><a id="</style>${EVIL}">`, ''],
  [`<div><svg></div><![CDATA[ x>${EVIL} ]]>`, '<div>'],
  [`<div><math></div><![CDATA[ x>${EVIL} ]]>`, '<div>'],
  [`<div><svg></div><iframe src="https://www.youtube.com/embed/x"><!--</iframe>${EVIL}--></iframe>`, '<iframe'],
  [`<<script></script>script>alert(1)<<x>/script>`, ''],
  [`<p>a<!-- --!>${EVIL} --></p>`, '<img src=x>'],
  [`<!-->${EVIL}-->`, '<img src=x>'],
  [`<!--->${EVIL}-->`, '<img src=x>'],
  [`<?x>${EVIL}`, '<img src=x>'],
  [`<![CDATA[>${EVIL}]]>`, '<img src=x>'],
  [`</ x>${EVIL}`, '<img src=x>'],
  [`<template>${EVIL}</template><p>a</p>`, '<p>a</p>'],
  [`<xmp><p title="</xmp>${EVIL}"></xmp>`, '<img src=x>'],
  [`<textarea></textarea>${EVIL}<p>a</p>`, '<p>a</p>'],
  [`<title></title>${EVIL}<p>a</p>`, '<p>a</p>'],
  ['<image src=x onerror=alert(1)><p>a</p>', '<p>a</p>'],
  [
    '<base href=https://evil.example><meta http-equiv=refresh content=0><link rel=stylesheet href=x><p>a</p>',
    '<p>a</p>',
  ],
  ['<object data=x></object><embed src=x><applet code=x></applet><p>a</p>', '<p>a</p>'],
  ['<iframe srcdoc="<script>alert(1)</script>"></iframe><p>a</p>', '<p>a</p>'],
  ['<iframe src="https://www.youtube.com@evil.example/"></iframe><p>a</p>', '<p>a</p>'],
  ['<iframe src="https://www.youtube.com.evil.example/"></iframe><p>a</p>', '<p>a</p>'],
  ['<iframe src="https://www.youtube.com&commat;evil.example/"></iframe><p>a</p>', '<p>a</p>'],
  ['<iframe src="javascript:alert(1)//https://www.youtube.com/"></iframe><p>a</p>', '<p>a</p>'],
  ['<iframe src=https://evil.example src=https://www.youtube.com/embed/x></iframe><p>a</p>', '<p>a</p>'],
  ['<iframe></iframe><p>a</p>', '<p>a</p>'],
  ['<my-element onclick=x>kept text</my-element>', 'kept text'],
  ['<constructor onclick=x>kept text</constructor>', 'kept text'],
]

/** Content that is harmless as sent, but dangerous if only a part of it is removed. */
const TRICKY: typeof NASTY = [
  ['<scr<script>ipt>alert(1)</script>', 'alert(1)'],
  ['<a href=https://ok.example href=javascript:alert(1)>a</a>', '>a</a>'],
  ['<<x>img src=x onerror=alert(1)>', '<img src=x>'],
  ['<<<x>x>img src=x onerror=alert(1)>', '<img src=x>'],
  ['<<x>a href="javascript:alert(1)">a</a>', '<a>a</a>'],
  ['<<x>!-- a -->b', 'b'],
]

it('the parser of these tests finds every dangerous sample, and no harmless one', () => {
  expect(NASTY.filter(([content]) => dangersIn(content).length === 0)).toEqual([])
  expect(TRICKY.filter(([content]) => dangersIn(content).length > 0)).toEqual([])
})

describe('content that is not safe', () => {
  it.each([...NASTY, ...TRICKY])('%s', async (content, left) => {
    const { stored, removed } = await read(content)
    if (stored === undefined) return expect(left).toBe('')
    expect(dangersIn(stored)).toEqual([])
    expect(stored).toContain(left)
    expect(removed.length).toBeGreaterThan(0)
    expect(await read(stored)).toEqual({ stored, removed: [] })
  })

  it.each([
    ['inside a tag', '<p>a</p><p class="x'],
    ['inside an attribute name', '<p>a</p><img src=x onerror'],
    ['inside a comment', '<p>a</p><!-- b'],
    ['inside a script', '<p>a</p><script>alert(1)'],
    ['inside a text area', '<p>a</p><textarea>'],
    ['inside a style', '<style>p{}'],
    ['inside an iframe', '<iframe src="https://www.youtube.com/embed/x">'],
    ['as plain text', '<plaintext>a'],
  ])('is refused where it ends %s', async (_, content) => {
    expect(await read(content)).not.toHaveProperty('stored')
  })
})

describe('content that names the marker of its own end', () => {
  it.each(['', '-0', '-1', '-x', '-000', '-0-0'])('end-of-fragment%s', async (suffix) => {
    const name = `end-of-fragment${suffix}`
    const text = `<p>${name} &lt;${name}&gt;</p><!-- <${name}> -->`
    expect((await read(text)).stored).toBe(text)
    const { stored, removed } = await read(`${text}<${name} onclick=x>${EVIL}</${name}>`)
    expect(stored).toContain('<img src=x>')
    expect(dangersIn(stored ?? 'refused')).toEqual([])
    expect(removed).toEqual(expect.arrayContaining([`<${name}>`, 'onerror attribute']))
    expect(await read(`${text}<!-- <${name}></${name}>`)).not.toHaveProperty('stored')
  })
})

describe('page shells', () => {
  it('are removed and their content stays, with the first heading one level lower', async () => {
    const page = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>T</title><style>p{}</style></head>
<body class="x"><h1 class="big">Head</h1><p>Text</p></body></html>`
    const { stored, removed } = await read(page)
    expect(dangersIn(stored ?? 'refused')).toEqual([])
    expect(stored?.replace(/\s+/g, ' ').trim()).toBe('<h2 class="big">Head</h2><p>Text</p>')
    expect(removed).toEqual(expect.arrayContaining(['<!doctype>', '<html>', '<head>', '<body>', '<h1> (made <h2>)']))
  })

  it('of forms go, fields and all', async () => {
    const { stored, removed } = await read(
      '<form action="/x"><fieldset><label>Name <input name=a></label><select><option>o</select></fieldset><button>Go</button></form><p>a</p>',
    )
    expect(stored).toMatch(/^Name ?<p>a<\/p>$/)
    expect(removed).toEqual(expect.arrayContaining(['<form>', '<input>', '<button>']))
  })
})

describe('removed', () => {
  it.each([
    ['<script>x</script>', '<script>'],
    ['<p onclick=x>a</p>', 'onclick attribute'],
    ['<a href="javascript:x">a</a>', 'javascript: URL in href'],
    ['<iframe src="https://evil.example/"></iframe>', '<iframe>'],
    ['<h1>a</h1>', '<h1> (made <h2>)'],
    ['<img src="data:image/gif;base64,R0==">', '<img> with a data: URL'],
  ])('of %s names it', async (content, what) => {
    expect((await read(`<p>a</p>${content}${content}`)).removed).toEqual([what])
  })
})

describe('clean content is stored byte for byte', () => {
  it.each([
    ['nothing', ''],
    ['text', 'Just text, 1 < 2 && 3 > 2, "quotes" and \'more\''],
    ['references', '<p>&amp; &lt;script&gt; &nbsp;&copy &#8212; &#x2014; &unknown; & alone</p>'],
    ['comments', '<!-- a --><p>b<!----></p><!-- more -- text -->'],
    ['upper case', '<P CLASS="Lead">a<BR>b</P><IMG SRC="a.png" ALT="A">'],
    ['self-closing tags', '<p>a<br/>b<br />c</p><hr/><img src="a.png" alt="" />'],
    ['attributes without quotes', "<a href=/x?a=1&b=2 title='it'>a</a><td align=left>b"],
    ['blanks and line ends', ' \t\r\n<p\n  class="a"\t id = b >\r\n\r\na </p >\n\n'],
    ['end tags that HTML lets out', '<ul><li>a<li>b</ul><p>c<p>d'],
    ['other languages', '<p lang="ar" dir="rtl">مرحبا</p><p>日本語 🚲 e\u0301 \u2028 \ufeff</p>'],
    [
      'links of every allowed kind',
      '<a href="mailto:a@b.example">a</a><a href="tel:+31">b</a><a href="#c">c</a><a href="//d.example">d</a>',
    ],
    [
      'a link about scripts',
      '<a href="https://a.example/javascript:alert(1)?data:x">a</a><p>javascript:alert(1) onerror=x</p>',
    ],
    [
      'players',
      '<iframe src="https://www.youtube.com/embed/x?start=1&amp;rel=0" allowfullscreen></iframe><iframe src="https://player.vimeo.com/video/1" width=640></iframe><iframe src="//www.youtube-nocookie.com/embed/y"></iframe>',
    ],
    [
      'pictures',
      '<picture><source srcset="a.webp 1x, b.webp 2x" type=image/webp><img src=a.jpg srcset="https://a.example/a,b.jpg 480w, /c.jpg 800w" sizes="(max-width: 600px) 480px, 800px" loading=lazy alt="a > b"></picture>',
    ],
    [
      'tables',
      '<table border=1><caption>c</caption><thead><tr><th scope=col colspan=2>a</thead><tbody><tr><td rowspan="2">b</table>',
    ],
    ['styles', '<p style="color: red; text-align:center">a</p>'],
    ['data and aria attributes', '<div data-x=\'{"a":1}\' aria-label="b" role="note">a</div>'],
    [
      'details, lists and code',
      '<details open><summary>a</summary><ol start=3 reversed><li value=9>b</ol></details><pre><code class="language-js">if (a &lt; b) {}\n</code></pre>',
    ],
  ])('%s', async (_, content) => {
    expect(await read(content)).toEqual({ stored: content, removed: [] })
  })
})
