import { describe, expect, it } from 'vitest'
import { splitHtml } from '../../src/providers/cms/wix/convert.ts'
import { cpuMs } from '../support/cpu-time.ts'

const MAX = 2_000
const words = (html: string) =>
  html
    .replace(/<[^<>]*>/g, ' ')
    .split(/\s+/)
    .filter(Boolean)

describe('a fragment in parts', () => {
  it('that is short stays byte for byte', () => {
    const html = '<P Class=x>a<br/>b & c'
    expect(splitHtml(html, MAX)).toEqual([{ html, joins: false }])
  })
  it.each([
    ['paragraphs', '<p>one &amp; two &lt;three&gt; <a href="/x?a=1&amp;b=2">four</a></p>'.repeat(100)],
    ['one long list', `<ul>${'<li>item <b>bold</b></li>'.repeat(300)}</ul>`],
    ['one long table', `<table>${'<tr><td>cell</td><td>other</td></tr>'.repeat(200)}</table>`],
    ['one long paragraph', `<p>${'word '.repeat(2_000)}</p>`],
    ['one long word', `<p>${'x'.repeat(9_000)}</p>`],
    ['code', `<pre><code>${'if (a &lt; b) {}\n'.repeat(400)}</code></pre>`],
    ['elements nobody closed', '<p>open <b>bold '.repeat(500)],
  ])('of %s: each short enough, nothing lost, nothing cut in a tag', (_, html) => {
    const parts = splitHtml(html, MAX)
    expect(parts.length).toBeGreaterThan(1)
    expect(Math.max(...parts.map((part) => part.html.length))).toBeLessThanOrEqual(MAX)
    for (const part of parts) expect(part.html).toMatch(/^<[\s\S]*>$/)
    if (!html.includes('xxx')) expect(parts.flatMap((part) => words(part.html))).toEqual(words(html))
    else expect(parts.map((part) => words(part.html).join('')).join('')).toBe('x'.repeat(9_000))
  })
  it('says where an element continues, and keeps frames', () => {
    const frame = '<iframe src="https://www.youtube.com/embed/a"></iframe>'
    const parts = splitHtml(`<p>a</p>${frame}<ul>${'<li>item</li>'.repeat(200)}</ul><p>z</p>`, MAX)
    expect(parts.map((part) => part.joins)).toEqual([false, false, true, false])
    expect(parts[0]?.html).toContain(frame)
  })
  it('takes time in proportion to its length', () => {
    const timed = (n: number) => {
      const from = cpuMs()
      splitHtml(`<ul>${'<li><p>a</p><ul><li>b</li></ul></li>'.repeat(n)}</ul>`, MAX)
      return cpuMs() - from
    }
    timed(1_000)
    expect(timed(8_000)).toBeLessThan(Math.max(500, 40 * timed(1_000)))
  })
})
