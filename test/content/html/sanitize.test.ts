import * as fc from 'fast-check'
import { type DefaultTreeAdapterMap, parseFragment } from 'parse5'
import { describe, expect, it } from 'vitest'
import { readEvents } from '../../../src/content/html/events.ts'
import { sanitizeHtml } from '../../../src/content/html/sanitize.ts'
import { HOSTILE } from './hostile.ts'

type Node = DefaultTreeAdapterMap['node']

const FORBIDDEN =
  /^(script|style|svg|math|form|input|button|select|option|textarea|object|embed|applet|html|head|body|title|h1|base|meta|link|template|noscript|noembed|noframes|frame|frameset|xmp|plaintext|listing|dialog)$/
const SCHEME = /^\s*(j[\s]*a[\s]*v[\s]*a[\s]*s|v[\s]*b[\s]*s|data|blob|file|view-source)[\s\w-]*:/i

/** Returns the parts of a fragment, as parse5 reads it, that no reader's browser may get. */
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

const TAGS =
  'a b i span div section p h2 h3 ul li dl dt dd blockquote table tr td em strong u small details summary x pre'
const LOOSE = TAGS.split(' ').flatMap((tag) => [`<${tag}>`, `</${tag}>`, `<${tag} id=i${tag}>`])

/** Returns the nodes of a page around a fragment as parse5 reads it: its box, and the nodes after it. */
const around = (html: string): string[] => {
  const page = parseFragment(`<div id="box">${html}</div><p>after</p>`)
  return page.childNodes.map((node) => {
    const [first] = 'childNodes' in node ? node.childNodes : []
    return node.nodeName === 'p' ? `p ${first && 'value' in first ? first.value : first?.nodeName}` : node.nodeName
  })
}

/** Returns a source as browsers read it outside of SVG and MathML: its tags in order, with their attributes. */
const tagsOf = (html: string): string[] =>
  [...readEvents(html)].flatMap((event) =>
    event.kind === 'open' || event.kind === 'stray' ? [event.tag.name] : event.kind === 'close' ? [] : [],
  )

const elementNames = (nodes: readonly Node[]): string[] =>
  nodes.flatMap((node) => ('tagName' in node ? [node.tagName, ...elementNames(node.childNodes)] : []))

describe('sanitized HTML, read by another parser', () => {
  it('is never dangerous, however its parts are combined', async () => {
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

  it('is balanced, however its tags are combined', () => {
    let wrong = 0
    void fc.assert(
      fc.property(fc.array(fc.constantFrom(...LOOSE, 'text', ' '), { minLength: 1, maxLength: 14 }), (pieces) => {
        const safe = sanitizeHtml(pieces.join(''))
        if (safe.kind !== 'clean') return
        wrong += around(pieces.join('')).join() === 'div,p after' ? 0 : 1
        expect(around(safe.html)).toEqual(['div', 'p after'])
        expect(sanitizeHtml(safe.html)).toEqual({ kind: 'clean', html: safe.html, removed: [] })
      }),
      { numRuns: 3_000, seed: 25 },
    )
    expect(wrong).toBeGreaterThan(1_000)
  })

  it('ends an end tag where browsers do, which read attributes there', () => {
    const safe = sanitizeHtml('</p a="> <b title="> <img src=x onerror=alert(1)>">')
    expect(safe).toEqual({
      kind: 'clean',
      html: ' <img src=x>">',
      removed: ['onerror attribute', '</p> (it ended nothing)'],
    })
  })

  it.each(Object.entries(HOSTILE))('holds no danger for a source made to be costly: %s', (_, build) => {
    const safe = sanitizeHtml(build(60))
    if (safe.kind === 'clean') expect(dangersIn(parseFragment(safe.html).childNodes)).toEqual([])
  })

  it('is read as the same elements if they are written out', async () => {
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
    ['64 nested elements', `${'<div>'.repeat(64)}${'</div>'.repeat(64)}`],
    ['thousands of items and paragraphs whose end tags are left out', `<ul>${'<li>a<p>b'.repeat(3_000)}</ul>`],
    ['a picture within 64 elements', `${'<div>'.repeat(64)}<br><img src="a.png" alt="">${'</div>'.repeat(64)}`],
  ])('is not %s', (_, html) => expect(sanitizeHtml(html)).toEqual({ kind: 'clean', html, removed: [] }))
})

/** Cases from public reports, each with the input, the stored content and the text of `removed`. */
describe('parts of content', () => {
  const at = (html: string) => {
    const safe = sanitizeHtml(html)
    return safe.kind === 'clean' ? [safe.html, ...safe.removed] : [safe.fault]
  }

  // angular/angular#45164, web-stories-wp#9450
  it.each([
    'https://img.example/c_fill,ar_16:9,w_400/a.jpg 400w, https://img.example/c_fill,ar_16:9,w_800/a.jpg 800w',
    'a.jpg, b.jpg 2x,c,d.jpg 3x',
    'a.jpg 1x (a, b), b.jpg',
    '',
  ])('srcset stays: %s', (srcset) => {
    const html = `<img src="a.jpg" srcset="${srcset}">`
    expect(at(html)).toEqual([html])
  })

  it.each([
    ['javascript:alert(1) 1x, b.jpg 2x', '<img srcset="b.jpg 2x">'],
    [
      'a.jpg 1x, data:image/png;base64,AAAA 2x, https://b.example/c,d.jpg 3x',
      '<img srcset="a.jpg 1x, https://b.example/c,d.jpg 3x">',
    ],
    ['java&Tab;script:x', '<img>'],
  ])('removes a bad address from srcset %s', (srcset, html) =>
    expect(at(`<img srcset="${srcset}">`)).toEqual([html, 'unsafe URL in srcset']),
  )

  // mganss/HtmlSanitizer#564, html5lib-python#69
  it.each([
    'font-family: &quot;Times New Roman&quot;, serif; color: #333',
    "font-family: 'Expression Pro'; color: #333",
    'background-position: 0 0; object-position: top; list-style-position: inside',
    'width: calc(100% - 2em); color: rgb(0 0 0 / 50%); /* position; behavior: x */ margin: 0',
    'content: &quot;javascript: ; url(x)&quot;;',
    '--gap: 1em; -webkit-hyphens: auto',
  ])('style stays: %s', (style) => {
    const html = `<p style="${style}">a</p>`
    expect(at(html)).toEqual([html])
  })

  it.each([
    ['color: red; position: fixed; margin: 0', 'color: red; margin: 0', 'position in style'],
    ['color: red; background: u&#114;l(x)', 'color: red', 'background in style'],
    ['color: red; background: -webkit-image-set(&quot;a&quot; 1x)', 'color: red', 'background in style'],
    ['width: exp/**/ression(alert(1)); color: red', 'color: red', 'width in style'],
    ['color: red; -moz-binding: none; behavior: none', 'color: red', '-moz-binding in style', 'behavior in style'],
    ['color: red; b\\61ckground: x', 'color: red', 'declaration in style'],
    ['color: red; margin: calc(1px; position: fixed', 'color: red', 'margin in style'],
    ['font-family: &quot;A; color: red', '', 'style attribute'],
    ['@import x', '', 'style attribute'],
  ])('removes a bad declaration from style %s', (style, kept, ...removed) =>
    expect(at(`<p style="${style}">a</p>`)).toEqual([
      kept === '' ? '<p>a</p>' : `<p style="${kept}">a</p>`,
      ...removed,
    ]),
  )

  // otwcode/otwarchive#1506, rgrove/sanitize#97
  it.each([
    'https://m.youtube.com/embed/a',
    'https://youtube-nocookie.com/embed/a',
    '//www.player.vimeo.com/video/1',
    'https://youtube.com/embed/a',
  ])('the player %s stays', (src) => {
    const html = `<iframe src="${src}" allowfullscreen></iframe>`
    expect(at(html)).toEqual([html])
  })

  it.each([
    [
      'src="http://www.youtube.com/embed/abc" width=1',
      'src="https://www.youtube.com/embed/abc" width=1',
      'http: URL in src of <iframe> (made https:)',
    ],
    [
      'src="about:blank" data-src="https://player.vimeo.com/video/1"',
      'src="https://player.vimeo.com/video/1"',
      'data-src of <iframe> (made src)',
    ],
    [
      'data-src="//youtube.com/embed/a?b=1&amp;c=2"',
      'src="//youtube.com/embed/a?b=1&amp;c=2"',
      'data-src of <iframe> (made src)',
    ],
    [
      'src="https://www.youtube.com/watch?v=abc_DEF-123&amp;t=1m30s" width=1',
      'src="https://www.youtube.com/embed/abc_DEF-123?start=90" width=1',
      'page of a video in src of <iframe> (made its player)',
    ],
    [
      'src="http://youtu.be/abc_DEF-123?si=x"',
      'src="https://www.youtube.com/embed/abc_DEF-123"',
      'page of a video in src of <iframe> (made its player)',
    ],
    [
      'src="https://vimeo.com/123/4ab"',
      'src="https://player.vimeo.com/video/123?h=4ab"',
      'page of a video in src of <iframe> (made its player)',
    ],
    // Scripts of LiteSpeed and of consent managers.
    [
      'src="about:blank" data-cmp-vendor="s30" data-cmp-src="https://www.youtube.com/embed/abc"',
      'src="https://www.youtube.com/embed/abc" data-cmp-vendor="s30"',
      'data-src of <iframe> (made src)',
    ],
  ])('the player %s is made one that plays', (given, made, ...removed) =>
    expect(at(`<iframe ${given}></iframe>`)).toEqual([`<iframe ${made}></iframe>`, ...removed]),
  )

  it.each([
    'src="https://youtube.com.evil.example/embed/a"',
    'src="https://evilyoutube.com/embed/a"',
    'src="http://www.youtube.com@evil.example/"',
    'src="about:blank" data-src="https://evil.example/"',
    'src="https://evil.example/" data-src="https://youtube.com/embed/a"',
    'src="ftp://youtube.com/a"',
    'src="https://youtu.be.evil.example/abc_DEF-123"',
    'src="https://youtu.be@evil.example/abc_DEF-123"',
    'src="https://youtu.be/abc"',
    'src="https://evil.example/" src="https://youtu.be/abc_DEF-123"',
    'data-cmp-src="https://evil.example/youtube.com/"',
  ])('removes the frame %s', (given) => expect(at(`<iframe ${given}></iframe>`)).toEqual(['', '<iframe>']))

  // osTicket/osTicket#4947, carpentries/workshop-template#444
  it.each([
    [
      '<p>One</p></div></div></main><p>Two</p>',
      '<p>One</p><p>Two</p>',
      '</div> (it ended nothing)',
      '</main> (it ended nothing)',
    ],
    [
      '<p>One <a href="/x">two</p><div><p>three <b>bold</p>',
      '<p>One <a href="/x">two</a></p><div><p>three <b>bold</b></p></div>',
      '<a> left open (closed)',
      '<b> left open (closed)',
      '<div> left open (closed)',
    ],
    ['<ul><li>a<li>b', '<ul><li>a</li><li>b</li></ul>', '<ul> left open (closed)'],
    ['<b><i>x</b></i>', '<b><i>x</i></b>', '<i> left open (closed)', '</i> (it ended nothing)'],
    ['<b><p>x</b>y', '<b><p>x</p></b>y', 'paragraphs left open (closed)'],
    ['<h2>a</h3>b', '<h2>a</h2>b', '</h3> (made </h2>)'],
    ['<</div>b>x', '<b>x</b>', '</div> (it ended nothing)', '<b> left open (closed)'],
  ])('%s is closed', (html, ...kept) => expect(at(html)).toEqual(kept))

  it.each([
    '<ul><li>a<li>b</ul><p>c<p>d',
    '<p><ul><li>a</li></ul></p>',
    '<p><b><div>a</div></b></p>',
    '<table><tr><td>a<td>b<tr><td>c</table>',
    '<dl><dt>a<dd>b</dl>',
    '<i class="icon"></i><br/><p>a</P>',
  ])('%s stays as it is', (html) => expect(at(html)).toEqual([html]))

  it('formulas of MathML Core stay, others are removed', () => {
    const math =
      '<math display="block" alttext="x"><semantics><mrow><msup><mi mathvariant="normal">x</mi><mn>2</mn></msup><mo stretchy=false>(</mo><mspace width="1em"/></mrow><annotation encoding="application/x-tex">x^2</annotation></semantics></math>'
    expect(at(`<p>${math}</p>`)).toEqual([`<p>${math}</p>`])
    expect(
      at('<math><mi onclick=x href="javascript:x">a</mi><mtext><img src=x onerror=y>b<style>c</style></mtext></math>'),
    ).toEqual(['<math><mi>a</mi><mtext>b</mtext></math>', 'onclick attribute', 'href attribute', '<img>', '<style>'])
    expect(at('<p>a<math><mi>x</p>b')).toEqual(['<p>a</p>b', '<math>'])
    expect(at('a<math/>b<svg/>c')).toEqual(['abc', '<math>', '<svg>'])
    expect(at('<math><maction actiontype="toggle" selection="1"><mi>x</mi></maction></math>')).toHaveLength(1)
    expect(at('<math><mtext><![CDATA[ x> <img src=x onerror=y> ]]></mtext></math>')).toEqual([
      '<math><mtext></mtext></math>',
      'CDATA section',
    ])
  })

  it('counts the removed drawings', () =>
    expect(at('<svg><text>a</text></svg>b<svg/><p>c<svg><path d="M0"/></svg></p>')).toEqual(['b<p>c</p>', '<svg> (3)']))

  it('shows the picture of a noscript instead of the one that loads late', () => {
    const late = '<img class="lazyload" src="data:image/gif;base64,R0==" data-src="a.jpg">'
    expect(at(`<p>${late} <noscript> <img src="a.jpg" alt="A"> </noscript></p>`)).toEqual([
      '<p> <img src="a.jpg" alt="A"></p>',
      '<noscript> (its picture stays)',
    ])
    expect(at('<img src="a.jpg"><noscript><img src="b.jpg" onerror=x></noscript>')).toEqual([
      '<img src="a.jpg"><img src="b.jpg">',
      '<noscript> (its picture stays)',
      'onerror attribute',
    ])
    const same =
      '<img loading="lazy" src="a.jpg"><noscript><!-- without scripts --><img src="a.jpg" alt="A"></noscript>'
    expect(at(same)).toEqual(['<!-- without scripts --><img src="a.jpg" alt="A">', '<noscript> (its picture stays)'])
    expect(at('<noscript><p>a</p><img src="b.jpg"></noscript>c')).toEqual(['c', '<noscript>'])
  })
})

describe('pictures that load late', () => {
  // mysticmind/reversemarkdown-net#427, JohannesKaufmann/html-to-markdown#199, verlok/vanilla-lazyload#326
  it.each([
    [
      '<img class="lazyload" src="data:image/gif;base64,R0==" data-src="https://x.example/a.jpg" alt="A">',
      '<img class="lazyload" src="https://x.example/a.jpg" alt="A">',
      'data-src of <img> (made src)',
    ],
    ['<img data-original="/a.png" alt="">', '<img src="/a.png" alt="">', 'data-original of <img> (made src)'],
    [
      '<img alt="A"src="about:blank"data-lazy-src="//x.example/a.jpg?b=1&amp;c=2"/>',
      '<img alt="A"src="//x.example/a.jpg?b=1&amp;c=2"/>',
      'data-lazy-src of <img> (made src)',
    ],
    [
      '<img class="lazy" src="/blank.gif" data-src="/a.jpg">',
      '<img class="lazy" src="/a.jpg">',
      'data-src of <img> (made src)',
    ],
    [
      '<img class="lazy" src="/blank.gif" data-src="/a.jpg" data-original="/b.jpg" alt="">',
      '<img class="lazy" src="/a.jpg" alt="">',
      'data-src of <img> (made src)',
    ],
    ['<img src="data:image/gif;base64,R0==" data-src="javascript:x">', '', '<img> with a data: URL'],
  ])('%s shows without a script, and a second reading changes nothing', (given, html, ...removed) => {
    expect(sanitizeHtml(given)).toEqual({ kind: 'clean', html, removed })
    expect(sanitizeHtml(html)).toEqual({ kind: 'clean', html, removed: [] })
  })

  it.each([
    '<img src="/a.jpg" data-src="/large.jpg">',
    '<img class="lazyloaded" src="/a.jpg" data-src="/a.jpg">',
    '<img srcset="/a.jpg 2x" data-lazy="true">',
  ])('%s stays', (html) => expect(sanitizeHtml(html)).toEqual({ kind: 'clean', html, removed: [] }))
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
