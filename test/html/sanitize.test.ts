import * as fc from 'fast-check'
import { type DefaultTreeAdapterMap, parseFragment } from 'parse5'
import { describe, expect, it } from 'vitest'
import { readEvents } from '../../src/html/events.ts'
import { sanitizeHtml } from '../../src/html/sanitize.ts'
import { HOSTILE } from './hostile.ts'

type Node = DefaultTreeAdapterMap['node']

const FORBIDDEN =
  /^(script|style|svg|math|form|input|button|select|option|textarea|object|embed|applet|html|head|body|title|h1|base|meta|link|template|noscript|noembed|noframes|frame|frameset|xmp|plaintext|listing|dialog)$/
const SCHEME = /^\s*(j[\s]*a[\s]*v[\s]*a[\s]*s|v[\s]*b[\s]*s|data|blob|file|view-source)[\s\w-]*:/i

/** What parse5 finds in a fragment that no reader's browser may be given. */
const dangersIn = (nodes: readonly Node[]): string[] =>
  nodes.flatMap((node) => {
    if (node.nodeName === '#comment' && 'data' in node && /^\s*\[if|<!\[endif/i.test(node.data)) return ['conditional']
    if (!('attrs' in node)) return []
    const faults = node.attrs.flatMap(({ name, value }) =>
      /^on|^(srcdoc|formaction|action|background|ping|http-equiv)$/i.test(name) || SCHEME.test(value)
        ? [`${node.nodeName} ${name}=${value}`]
        : [],
    )
    const own = FORBIDDEN.test(node.nodeName) ? [`<${node.nodeName}>`] : []
    return [...own, ...faults, ...dangersIn(node.childNodes)]
  })

const EVIL = '<img src=x onerror=alert(1)>'
const PIECES = [
  ...['<svg>', '</svg>', '<math>', '<mtext>', '<annotation-xml encoding="text/html">', '<foreignObject>', '<desc>'],
  ...[
    '<style>',
    '</style>',
    '<script>',
    '</script>',
    '<!--',
    '-->',
    '--!>',
    '<!-->',
    '<![CDATA[',
    ']]>',
    '<?x',
    '<!x>',
  ],
  ...['<noscript>', '</noscript>', '<template>', '</template>', '<xmp>', '</xmp>', '<plaintext>', '<textarea>'],
  ...['</textarea>', '<title>', '</title>', '<iframe src="https://www.youtube.com/embed/x">', '</iframe>', '<listing>'],
  ...['<p title="', '">', "'", '=', '/', '<', '>', '&lt;', '&#60;', '\u0000', ' ', '<x>', '</x>', '</p>', '<br/>'],
  ...['<table>', '<tr>', '<td>', '</table>', '<select>', '<option>', '<form>', '<h1>', '</h1>', '<b>', '</b>', '<div>'],
  ...['<a href="java&Tab;script:alert(1)">', '<a href=JaVaScRiPt:1 href=/x>', '<a href="&#x6a;avascript&colon;1">'],
  ...['<!--[if IE]><script>1</script><![endif]-->', '<![if !IE]>', '<![endif]>', EVIL, 'text'],
]

/** What a source is to a browser outside of SVG and MathML: its tags in order, with their attributes. */
const tagsOf = (html: string): string[] =>
  [...readEvents(html)].flatMap((event) =>
    event.kind === 'open' || event.kind === 'stray' ? [event.tag.name] : event.kind === 'close' ? [] : [],
  )

const elementNames = (nodes: readonly Node[]): string[] =>
  nodes.flatMap((node) => ('tagName' in node ? [node.tagName, ...elementNames(node.childNodes)] : []))

describe('what the sanitiser lets through, read by another parser', () => {
  it('holds no danger, however its pieces are put together', async () => {
    const fragments = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 16 })
    let clean = 0
    await fc.assert(
      fc.property(fragments, (pieces) => {
        const safe = sanitizeHtml(pieces.join(''))
        if (safe.kind !== 'clean') return
        clean += 1
        expect(dangersIn(parseFragment(safe.html).childNodes)).toEqual([])
        expect(sanitizeHtml(safe.html)).toEqual({ kind: 'clean', html: safe.html, removed: [] })
      }),
      { numRuns: 4_000, seed: 71_003 },
    )
    expect(clean).toBeGreaterThan(800)
  })

  it('ends an end tag where browsers do, which read attributes there', () => {
    const safe = sanitizeHtml('</p a="> <b title="> <img src=x onerror=alert(1)>">')
    expect(safe).toEqual({
      kind: 'clean',
      html: '</p a="> <b title="> <img src=x>">',
      removed: ['onerror attribute'],
    })
  })

  it.each(Object.entries(HOSTILE))('holds no danger for a source made to be costly: %s', (_, build) => {
    const safe = sanitizeHtml(build(60))
    if (safe.kind === 'clean') expect(dangersIn(parseFragment(safe.html).childNodes)).toEqual([])
  })

  it('is read as the same elements where they are written out', async () => {
    const names = fc.constantFrom('div', 'b', 'em', 'ul', 'section', 'blockquote')
    const texts = fc.constantFrom('a', ' ', '&amp;', '1 < 2', '<!-- c -->', '<br>', '<img src="a.png" alt="x > y">')
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        texts,
        fc
          .tuple(names, fc.array(tie('tree'), { maxLength: 3 }))
          .map(([tag, inner]) => `<${tag}>${inner.join('')}</${tag}>`),
      ),
    }))
    await fc.assert(
      fc.property(tree, (html) => {
        expect(tagsOf(String(html))).toEqual(elementNames(parseFragment(String(html)).childNodes))
      }),
      { numRuns: 500, seed: 5 },
    )
  })
})

describe('content that is refused', () => {
  it.each([
    ['65 nested elements', '<div>'.repeat(65), 'too_deep'],
    ['65 unclosed headings', '<h2>a'.repeat(65), 'too_deep'],
    ['a cut tag', '<p>a</p><p class="x', 'unfinished'],
    ['a cut comment', '<p>a</p><!-- b', 'unfinished'],
    ['plain text to the end', '<plaintext>a', 'unfinished'],
    ['an svg that never ends', '<p>a</p><svg><circle>', 'unfinished'],
  ])('%s', (_, html, fault) => expect(sanitizeHtml(html)).toEqual({ kind: 'refused', fault }))

  it.each([
    ['64 nested elements', '<div>'.repeat(64)],
    ['thousands of items and paragraphs whose end tags are left out', `<ul>${'<li>a<p>b'.repeat(3_000)}</ul>`],
    ['a picture within 64 elements', `${'<div>'.repeat(64)}<br><img src="a.png" alt="">`],
  ])('is not %s', (_, html) => expect(sanitizeHtml(html)).toEqual({ kind: 'clean', html, removed: [] }))
})

describe('comments', () => {
  it.each([
    ['<!--[if IE]><script>alert(1)</script><![endif]-->', 'conditional comment'],
    ['<!-- [IF gte mso 9]><xml></xml><![endif] -->', 'conditional comment'],
    ['<!--[if !IE]><!-->', 'conditional comment'],
    ['<!--<![endif]-->', 'conditional comment'],
    ['<![if !IE]>', 'conditional comment'],
    ['<![endif]>', 'conditional comment'],
    ['<?php echo 1 ?>', 'malformed comment'],
    ['<!ELEMENT x>', 'malformed comment'],
    ['</ x>', 'malformed comment'],
    ['<!-- a --!>', 'malformed comment'],
  ])('%s goes', (comment, what) =>
    expect(sanitizeHtml(`<p>a</p>${comment}<p>b</p>`)).toEqual({
      kind: 'clean',
      html: '<p>a</p><p>b</p>',
      removed: [what],
    }),
  )

  it.each(['<!--more-->', '<!-- wp:paragraph {"a":1} -->', '<!---->', '<!-- <b>if</b> -->'])('%s stays', (comment) =>
    expect(sanitizeHtml(`<p>a</p>${comment}`)).toEqual({ kind: 'clean', html: `<p>a</p>${comment}`, removed: [] }),
  )
})
