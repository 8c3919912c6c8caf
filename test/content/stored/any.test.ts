import { expect, it } from 'vitest'
import type { StoredForm } from '../../../src/content/stored/forms.ts'
import { htmlOfStored } from '../../../src/content/stored/show.ts'
import { spliceStored } from '../../../src/content/stored/splice.ts'

/** Returns the same numbers between 0 and 1 for the same seed. */
const numbers = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}

const PARTS = [
  '<!-- wp:paragraph -->\n<p>Oak lasts.</p>\n<!-- /wp:paragraph -->',
  '<!-- wp:paragraph {"a":"--"} -->\n<p class=x>Elm  <b>rots</b>&nbsp;&amp; "falls"</p>\n<!-- /wp:paragraph -->',
  '<!--wp:paragraph--><p>No blanks.</p><!--/wp:paragraph-->',
  '<!-- wp:core/heading {"level":2,} -->\n<h2>Core\n  name</h2>\n<!-- /wp:core/heading -->',
  '<!-- wp:group -->\n<div class="wp-block-group"><!-- wp:list -->\n<ul><!-- wp:list-item -->\n<li>One<br/>two</li>\n<!-- /wp:list-item --></ul>\n<!-- /wp:list --><!-- wp:acme/x /--></div>\n<!-- /wp:group -->',
  '<!-- wp:html --><div onclick="x()">Hi</div><!-- /wp:html -->',
  '<!-- wp:latest-posts /-->',
  '<!-- /wp:paragraph -->',
  '<!-- wp:quote {"bad json -->',
  '<!-- a comment -->',
  'Bare words,\r\nand a line.\n\n[gallery ids="1"] and [x]in[/x]',
  '<p>Open paragraph',
  '</div>',
  '<img src="a.png"><table><tr><td>1<td>2</table>',
  '\n\n',
  '<pre>  two\n   lines </pre>',
  '<p hidden>Not seen</p>',
  '<p>Five\u00a0 \u00a0words.</p>',
]

const BARE = PARTS.filter((part) => !part.includes('wp:'))

const textOf = (random: () => number, parts: readonly string[]): string =>
  Array.from({ length: 1 + Math.floor(random() * 8) }, () => parts[Math.floor(random() * parts.length)]).join(
    random() < 0.5 ? '\n\n' : '',
  )

const FORMS: StoredForm[] = ['blocks', 'classic', 'html']

it('changes nothing of any text without a change, and nothing but one word with one', () => {
  const random = numbers(7)
  let changed = 0
  for (let n = 0; n < 3_000; n += 1) {
    const format = FORMS[n % FORMS.length] as StoredForm
    const text = textOf(random, format === 'blocks' ? PARTS : BARE)
    const html = htmlOfStored({ format, text })
    if (html === undefined) continue
    expect(spliceStored({ format, text, html, known: [] }), text).toEqual({ kind: 'spliced', text })
    const edited = html.replace(/\b(lasts|rots|blanks|two|words|lines)\b(?![^<]*>)/, 'ZEBRA')
    if (edited === html) continue
    const result = spliceStored({ format, text, html: edited, known: [html] })
    if (result.kind !== 'spliced') continue
    changed += 1
    // One word became another; where it stood is told by the text before it.
    const at = result.text.indexOf('ZEBRA')
    expect(result.text.slice(0, at), text).toBe(text.slice(0, at))
    expect(text.endsWith(result.text.slice(at + 'ZEBRA'.length)), text).toBe(true)
  }
  expect(changed).toBeGreaterThan(1_000)
})

it('takes time in proportion to the text', () => {
  const part = PARTS.slice(0, 6).join('\n\n')
  const text = Array.from({ length: 400 }, () => part).join('\n\n')
  const html = htmlOfStored({ format: 'blocks', text }) ?? ''
  const result = spliceStored({ format: 'blocks', text, known: [html], html: html.replaceAll('lasts', 'stays') })
  expect(result).toEqual({ kind: 'spliced', text: text.replaceAll('lasts', 'stays') })
})
