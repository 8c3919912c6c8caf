import { describe, expect, it } from 'vitest'
import { readDocument } from '../../../src/content/html/document.ts'
import { toMarkdown } from '../../../src/content/html/markdown/gfm.ts'
import { sanitizeHtml } from '../../../src/content/html/sanitize.ts'
import { withoutHidden } from '../../../src/content/html/shown.ts'

const NOTE = 'Price not agreed yet'

/** Start tags whose content readers do not see. */
const HIDDEN = [
  '<p hidden>',
  '<p HIDDEN=false>',
  '<p hidden="until-found">',
  '<p style="display:none">',
  '<p style="color: red; DISPLAY : none !important">',
  '<span style="visibility:hidden">',
  '<div style="visibility: collapse">',
  '<h2 style="display:none">',
  '<h1 style="display:none">',
  '<p style="opacity:0">',
  '<p style="font-size: 0px">',
  '<p style="position:absolute;left:-9999px">',
  '<p style="text-indent:-9999px">',
  '<p style="height:0;overflow:hidden">',
  '<p style="max-height: 0px; overflow: hidden">',
  '<p style="clip: rect(0 0 0 0)">',
  '<p style="clip-path: inset(50%)">',
  '<p style="transform: scale(0)">',
  '<p style="mso-hide:all;display:none">',
  '<p style="content-visibility: hidden">',
  '<p style="display:n&#111;ne">',
  '<form hidden>',
  '<my-note style="display:none">',
]

/** Start tags whose content readers see. */
const SHOWN = [
  '<p aria-hidden="true">',
  '<p class="hidden">',
  '<p style="display:block">',
  '<p style="opacity:0.4">',
  '<p style="opacity:0;transition:opacity 1s">',
  '<p style="font-size:0.9em">',
  '<p style="text-indent:-2em">',
  '<p style="margin-left:-20px">',
  '<p style="overflow:hidden">',
  '<p style="font-family: \'display:none\'">',
  '<details>',
]

const clean = (html: string) => {
  const safe = sanitizeHtml(html)
  if (safe.kind !== 'clean') throw new Error(safe.fault)
  return safe
}
const nameOf = (tag: string): string => /^<([\w-]+)/.exec(tag)?.[1] ?? ''
const around = (tag: string): string => `<p>Before.</p>${tag}${NOTE} <b>at all</b></${nameOf(tag)}><p>After.</p>`

describe('what does not show', () => {
  it.each(HIDDEN)('is in no output: %s', (tag) => {
    const { html, removed } = clean(around(tag))
    expect([html, removed]).toEqual(['<p>Before.</p><p>After.</p>', [`<${nameOf(tag)}> (hidden)`]])
    // Content that was saved before, and live pages.
    for (const output of [withoutHidden(around(tag)), readDocument(around(tag)).text, toMarkdown(around(tag))])
      expect(output).not.toContain(NOTE)
  })

  it.each(SHOWN)('is not this: %s', (tag) => {
    for (const output of [clean(around(tag)).html, withoutHidden(around(tag)), readDocument(around(tag)).text])
      expect(output).toContain(NOTE)
  })

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
  ])('of %s leaves the rest', (given, kept) => {
    expect(clean(given).html).toBe(kept)
  })

  it('is refused like any other fragment that ends inside a tag', () => {
    expect(sanitizeHtml('<p hidden>a</p><script>b')).toMatchObject({ kind: 'refused' })
  })
})
