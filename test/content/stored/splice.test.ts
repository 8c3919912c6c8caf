import { describe, expect, it } from 'vitest'
import { htmlOfStored } from '../../../src/content/stored/show.ts'
import { spliceStored } from '../../../src/content/stored/splice.ts'
import type { StoredText } from '../../../src/content/stored/units.ts'

/** Returns what callers read of a text. Fails for one that is read only. */
const shown = (stored: StoredText): string => {
  const html = htmlOfStored(stored)
  if (html === undefined) throw new Error('the text cannot be read')
  return html
}

/** Changes the HTML of a text, and returns the stored text after it. */
const change = (format: StoredText['format'], text: string, edit: (html: string) => string, known: string[] = []) =>
  spliceStored({ format, text, known, html: edit(shown({ format, text })) })

const spliced = (...given: Parameters<typeof change>): string => {
  const result = change(...given)
  if (result.kind !== 'spliced') throw new Error(`${result.code}: ${result.reason}`)
  return result.text
}

/** Returns the element of a kept block, with everything in it. */
const elementOf = (html: string, label: string): string => {
  const start = html.search(new RegExp(`<figure data-kept="[^"]*" data-label="${label}"`))
  let depth = 0
  for (const { 0: tag, index } of html.slice(start).matchAll(/<\/?figure\b/g)) {
    depth += tag === '<figure' ? 1 : -1
    if (depth === 0) return html.slice(start, start + index + '</figure>'.length)
  }
  throw new Error(`there is no ${label}`)
}

const removal = (element: string): string =>
  element.replace(/^(<figure data-kept="[^"]*")[\s\S]*$/, '$1 data-remove></figure>')

const paragraph = (words: string, attributes = '', tag = ''): string =>
  `<!-- wp:paragraph ${attributes}-->\n<p${tag}>${words}</p>\n<!-- /wp:paragraph -->`

const SHED = `${paragraph('The <a class="x" href="https://shed.example/" target="_blank" rel="noreferrer noopener">old shed</a> stood for <em>thirty</em> years.', '{"align":"wide","style":{"color":{"text":"#333"}}} ', ' class="has-text-color" style="color:#333"')}

<!-- wp:gallery {"ids":[1,2],"linkTo":"none"} -->
<figure class="wp-block-gallery has-nested-images"><!-- wp:image {"id":1} -->
<figure class="wp-block-image"><img src="https://shed.example/1.jpg" alt="" class="wp-image-1"/></figure>
<!-- /wp:image --></figure>
<!-- /wp:gallery -->

<!-- wp:spacer {"height":"40px"} -->
<div style="height:40px" aria-hidden="true" class="wp-block-spacer"></div>
<!-- /wp:spacer -->

<!-- wp:heading {"level":3} -->
<h3 class="wp-block-heading" id="oak">Why oak &amp; elm</h3>
<!-- /wp:heading -->

<!-- wp:list -->
<ul class="wp-block-list"><!-- wp:list-item -->
<li>Oak</li>
<!-- /wp:list-item -->

<!-- wp:list-item -->
<li>Elm</li>
<!-- /wp:list-item --></ul>
<!-- /wp:list -->

<!-- wp:latest-posts {"postsToShow":3} /-->

<!-- wp:acf/testimonial {
    "name": "acf/testimonial",
    "data": { "quote": "Good & solid", "_quote": "field_1" }
} /-->

${paragraph('It ends here.')}
`

describe('a text of blocks', () => {
  it('is read without delimiters, and with each block that HTML does not have', () => {
    const html = shown({ format: 'blocks', text: SHED })
    expect(html).not.toContain('wp:')
    expect(html.match(/data-label="[^"]*"/g)).toEqual([
      'data-label="Gallery"',
      'data-label="latest-posts"',
      'data-label="acf/testimonial"',
    ])
    expect(html).toContain('<h3 class="wp-block-heading" id="oak">Why oak &amp; elm</h3>')
  })

  it.each([
    ['a word', (html: string) => html.replace('thirty', 'forty'), '<em>thirty</em>', '<em>forty</em>'],
    ['a word beside a link', (html: string) => html.replace('stood', 'has stood'), 'stood', 'has stood'],
    ['the words of a link', (html: string) => html.replace('old shed', 'new shed'), 'old shed', 'new shed'],
    [
      'the address of a link',
      (html: string) => html.replace('https://shed.example/"', 'https://barn.example/"'),
      'href="https://shed.example/"',
      'href="https://barn.example/"',
    ],
    ['a heading', (html: string) => html.replace('Why oak', 'Why not oak'), 'Why oak', 'Why not oak'],
    ['an item of a list', (html: string) => html.replace('Elm', 'Ash'), '<li>Elm</li>', '<li>Ash</li>'],
    [
      'the last words',
      (html: string) => html.replace('ends here.', 'ends here. Or there.'),
      'ends here.',
      'ends here. Or there.',
    ],
    [
      'emphasis',
      (html: string) => html.replace('It ends', 'It <strong>ends</strong>'),
      'It ends',
      'It <strong>ends</strong>',
    ],
  ])('changes nothing but %s', (_, edit, before, after) => {
    expect(spliced('blocks', SHED, edit)).toBe(SHED.replace(before, after))
  })

  it('stays as it is if HTML comes back without classes, styles and line ends', () => {
    const plain = (html: string) => html.replace(/ (?:class|style|target|rel|id)="[^"]*"/g, '').replaceAll('\n', ' ')
    expect(spliced('blocks', SHED, plain)).toBe(SHED)
  })

  it('gets a new paragraph as the editor writes it', () => {
    const edit = (html: string) => html.replace('<p>It ends', '<p>One <b>more</b>.</p>\n<p>It ends')
    expect(spliced('blocks', SHED, edit)).toBe(
      SHED.replace(paragraph('It ends here.'), `${paragraph('One <b>more</b>.')}\n\n${paragraph('It ends here.')}`),
    )
  })

  it('loses a paragraph that the caller left out, and nothing else', () => {
    expect(spliced('blocks', SHED, (html) => html.replace('<p>It ends here.</p>', ''))).toBe(
      SHED.replace(`\n\n${paragraph('It ends here.')}`, ''),
    )
  })

  it('gets a new item of a list', () => {
    expect(spliced('blocks', SHED, (html) => html.replace('<li>Elm</li>', '<li>Elm</li><li>Ash</li>'))).toBe(
      SHED.replace(
        '<li>Elm</li>\n<!-- /wp:list-item -->',
        '<li>Elm</li>\n<!-- /wp:list-item -->\n\n<!-- wp:list-item -->\n<li>Ash</li>\n<!-- /wp:list-item -->',
      ),
    )
  })

  it('makes another heading of a heading', () => {
    expect(spliced('blocks', SHED, (html) => html.replaceAll('h3', 'h2'))).toContain(
      '<!-- wp:heading -->\n<h2 class="wp-block-heading">Why oak &amp; elm</h2>\n<!-- /wp:heading -->',
    )
  })

  it('moves a kept block byte for byte', () => {
    const gallery = /<!-- wp:gallery[\s\S]*\/wp:gallery -->/.exec(SHED)?.[0] ?? ''
    const text = spliced('blocks', SHED, (html) => {
      const figure = elementOf(html, 'Gallery')
      return `${html.replace(figure, '')}${figure.replace(/>[\s\S]*/, '></figure>')}`
    })
    expect(text.slice(text.indexOf('It ends here.'))).toContain(gallery)
    expect(text.match(/wp:gallery/g)).toHaveLength(2)
  })

  it('refuses a text that lacks a kept block, and names it', () => {
    const result = change('blocks', SHED, (html) => html.replace(elementOf(html, 'acf/testimonial'), ''))
    expect(result).toMatchObject({ kind: 'refused', code: 'would_lose', parts: [{ label: 'acf/testimonial' }] })
  })

  it('loses a kept block that the caller removes', () => {
    const text = spliced('blocks', SHED, (html) =>
      html.replace(elementOf(html, 'acf/testimonial'), removal(elementOf(html, 'acf/testimonial'))),
    )
    expect(text).toBe(SHED.replace(/<!-- wp:acf[\s\S]*?\/-->\n\n/, ''))
  })

  it('keeps what shows nothing after a removed block', () => {
    const text = spliced('blocks', SHED, (html) =>
      html.replace(elementOf(html, 'Gallery'), removal(elementOf(html, 'Gallery'))),
    )
    expect(text).not.toContain('wp:gallery')
    expect(text).toContain('<!-- wp:spacer {"height":"40px"} -->')
  })

  it('is read only if its blocks do not nest', () => {
    expect(
      spliceStored({ format: 'blocks', text: '<!-- wp:group --><p>a</p>', known: [], html: '<p>b</p>' }),
    ).toMatchObject({
      kind: 'refused',
      code: 'not_possible',
    })
  })

  it.each([
    [
      'a bound block',
      '<!-- wp:paragraph {"metadata":{"bindings":{"content":{"source":"core/post-meta"}}}} -->\n<p>From a field</p>\n<!-- /wp:paragraph -->',
    ],
    ['a synced pattern', '<!-- wp:block {"ref":12} /-->'],
    [
      'an embed',
      '<!-- wp:embed {"url":"https://youtu.be/x"} -->\n<figure class="wp-block-embed"><div>\nhttps://youtu.be/x\n</div></figure>\n<!-- /wp:embed -->',
    ],
    ['HTML with a script', '<!-- wp:html -->\n<script>alert(1)</script>\n<!-- /wp:html -->'],
    [
      'a paragraph with a drawing',
      '<!-- wp:paragraph -->\n<p>See <svg><path d="M0"/></svg></p>\n<!-- /wp:paragraph -->',
    ],
    ['a shortcode', '<!-- wp:shortcode -->\n[form id="1"]\n<!-- /wp:shortcode -->'],
    ['a mark for the teaser', '<!-- wp:more -->\n<!--more-->\n<!-- /wp:more -->'],
  ])('keeps %s, and its preview has no script', (_, block) => {
    const text = `${paragraph('Before.')}\n\n${block}\n\n${paragraph('After.')}`
    const html = shown({ format: 'blocks', text })
    expect(html).toMatch(/<figure data-kept=/)
    expect(html).not.toMatch(/<script|<svg/)
    expect(spliced('blocks', text, (all) => all.replace('After.', 'Later.'))).toBe(text.replace('After.', 'Later.'))
    expect(change('blocks', text, () => '<p>Before.</p><p>After.</p>')).toMatchObject({ code: 'would_lose' })
  })

  it('changes words within a group, and keeps the kept block in it', () => {
    const text = `<!-- wp:group {"layout":{"type":"constrained"}} -->\n<div class="wp-block-group">${paragraph('Inside one.')}\n\n<!-- wp:acf/box /-->\n\n${paragraph('Inside two.')}</div>\n<!-- /wp:group -->`
    expect(spliced('blocks', text, (html) => html.replace('two', 'three'))).toBe(text.replace('two', 'three'))
    expect(spliced('blocks', text, (html) => html.replace('<p>Inside two.</p>', '<p>Inside two.</p><p>New.</p>'))).toBe(
      text.replace(`${paragraph('Inside two.')}`, `${paragraph('Inside two.')}\n\n${paragraph('New.')}`),
    )
    expect(change('blocks', text, (html) => html.replace(/<figure[\s\S]*<\/figure>/, ''))).toMatchObject({
      code: 'would_lose',
    })
  })

  it('keeps a row of a table that did not change', () => {
    const text =
      '<!-- wp:table {"hasFixedLayout":true} -->\n<figure class="wp-block-table"><table class="has-fixed-layout"><tbody><tr><td class="a">Oak</td><td>1</td></tr></tbody></table><figcaption class="wp-element-caption">Woods</figcaption></figure>\n<!-- /wp:table -->'
    expect(spliced('blocks', text, (html) => html.replace('</tr>', '</tr><tr><td>Elm</td><td>2</td></tr>'))).toBe(
      text.replace('</tr>', '</tr><tr><td>Elm</td><td>2</td></tr>'),
    )
  })

  it('sets the alternative text of a picture, and nothing else', () => {
    const text =
      '<!-- wp:image {"id":7,"sizeSlug":"large"} -->\n<figure class="wp-block-image size-large"><img src="https://shed.example/7.jpg" alt="" class="wp-image-7"/></figure>\n<!-- /wp:image -->'
    expect(spliced('blocks', text, (html) => html.replace('alt=""', 'alt="A shed"'))).toBe(
      text.replace('alt=""', 'alt="A shed"'),
    )
  })
})

describe('a text that people changed at the site', () => {
  const before = `${paragraph('One.')}\n\n${paragraph('Two.')}`
  const known = [shown({ format: 'blocks', text: before })]

  it('is not changed without their changes, which are named', () => {
    const text = before.replace('Two.', 'Two, said somebody.')
    expect(spliceStored({ format: 'blocks', text, known, html: '<p>One, ours.</p><p>Two.</p>' })).toMatchObject({
      code: 'changed_at_site',
      parts: [{ text: 'Two, said somebody.' }, { label: 'Removed at the site', text: 'Two.' }],
    })
  })

  it('is changed with their changes', () => {
    const text = before.replace('Two.', 'Two, said somebody.')
    const html = '<p>One, ours.</p><p>Two, said somebody.</p>'
    expect(spliceStored({ format: 'blocks', text, known, html })).toEqual({
      kind: 'spliced',
      text: text.replace('One.', 'One, ours.'),
    })
  })

  it('does not get back a paragraph that they removed', () => {
    const text = paragraph('One.')
    expect(spliceStored({ format: 'blocks', text, known, html: '<p>One, ours.</p><p>Two.</p>' })).toMatchObject({
      code: 'changed_at_site',
    })
  })

  it('is changed if the site has another text that the service knows', () => {
    const text = before.replace('Two.', 'Two, before.')
    const all = [...known, shown({ format: 'blocks', text })]
    expect(spliceStored({ format: 'blocks', text, known: all, html: '<p>One.</p><p>Two, ours.</p>' })).toEqual({
      kind: 'spliced',
      text: before.replace('Two.', 'Two, ours.'),
    })
  })
})

describe('a classic text', () => {
  const TEXT =
    'The old\nshed &amp; barn.\r\n\r\n<h2 class="x">Why</h2>\nOak lasts, see [phone] there.\n\n[gallery ids="1,2"]\n\n[box]\nIn a box.\n[/box]\n\n<!--more-->\n<ul>\n\t<li>Oak</li>\n</ul>\n\nThe end.'

  it('is read as WordPress shows it', () => {
    expect(shown({ format: 'classic', text: TEXT }).replace(/<figure data-kept="[^"]*"/g, '<figure')).toBe(
      [
        '<p>The old<br>\nshed &amp; barn.</p>',
        '<h2 class="x">Why</h2>',
        '<p>Oak lasts, see [phone] there.</p>',
        '<figure data-label="Shortcode gallery">[gallery ids="1,2"]</figure>',
        '<figure data-label="Shortcode box">[box]\nIn a box.\n[/box]</figure>',
        '<ul>\n\t<li>Oak</li>\n</ul>',
        '<p>The end.</p>',
      ].join('\n\n'),
    )
  })

  it.each([
    ['a word', 'barn.', 'stable.'],
    ['a word after a break', 'shed', 'house'],
    ['a heading', 'Why', 'Why not'],
    ['an item', 'Oak</li>', 'Elm</li>'],
    ['the end', 'The end.', 'The end. No more.'],
  ])('changes nothing but %s', (_, before, after) => {
    expect(spliced('classic', TEXT, (html) => html.replace(before, after))).toBe(TEXT.replace(before, after))
  })

  it('refuses a text that lacks a shortcode within a sentence', () => {
    expect(change('classic', TEXT, (html) => html.replace('see [phone] there', 'see there'))).toMatchObject({
      code: 'would_lose',
      parts: [{ text: '[phone]' }],
    })
  })
})

describe('a text of HTML', () => {
  const TEXT =
    '<p data-mce="1">One <span style="color:red">red</span> door.</p>\n<div class="app-widget" onclick="x()"><form><input></form></div>\n<p>Two.</p>'

  it('changes nothing but a word, and keeps what callers do not see', () => {
    expect(spliced('html', TEXT, (html) => html.replace('door', 'gate'))).toBe(TEXT.replace('door', 'gate'))
    expect(
      spliced('html', TEXT, () => {
        const id = /data-kept="([^"]*)"/.exec(shown({ format: 'html', text: TEXT }))?.[1]
        return `<p>One red door.</p><figure data-kept="${id}"></figure><p>Two, and more.</p>`
      }),
    ).toBe(TEXT.replace('Two.', 'Two, and more.'))
  })
})
