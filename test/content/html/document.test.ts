import { parseFragment } from 'parse5'
import { describe, expect, it } from 'vitest'
import { readDocument } from '../../../src/content/html/document.ts'
import { plainText } from '../../../src/content/html/references.ts'

describe('readDocument', () => {
  it('reads headings, links, pictures, blocks and text in order', () => {
    const document = readDocument(
      '<h2 id="why">Why <em>sheds</em>&nbsp;matter</h2><p>First <a href="/a?x=1&amp;y=2" rel="NoFollow UGC">a <b>li</b>nk</a>, then.</p>' +
        '<ul><li>One<li>Two</ul><img src="/p.png" alt="A shed"><img src="/q.png">',
    )
    expect(document.headings).toEqual([{ level: 2, text: 'Why sheds matter', id: 'why' }])
    expect(document.links).toEqual([{ href: '/a?x=1&y=2', rel: ['nofollow', 'ugc'], text: 'a link' }])
    expect(document.images).toEqual([
      { src: '/p.png', alt: 'A shed' },
      { src: '/q.png', alt: null },
    ])
    expect(document.blocks[0]).toEqual({ tag: 'p', text: 'First a link, then.', links: 1 })
    expect(document.text).toBe('Why sheds matter First a link, then. One Two')
    expect(document.ids).toEqual(['why'])
  })

  it.each([
    '/a?b=1&copy=2&reg=3&amp=4&lt=5',
    '/a?b=1&amp;copy=2',
    '/a?&copy;=1',
    '/a?b&copy',
    '/a?&#169=1&sect&para=2',
  ])('reads an address as browsers do: %s', (address) => {
    const html = `<a href="${address}">a</a>`
    const [link] = parseFragment(html).childNodes
    const read = link && 'attrs' in link ? link.attrs[0]?.value : undefined
    expect(readDocument(html).links[0]?.href).toBe(read)
  })

  it('ends a paragraph at the beginning of the next block', () => {
    const { blocks } = readDocument('<p>One<p>Two<h3>Three</h3>')
    expect(blocks.map(({ text }) => text)).toEqual(['One', 'Two'])
  })

  it('does not see what the author hid', () => {
    const document = readDocument(
      '<p hidden>a <a href="/b">c</a></p><div HIDDEN=false><h2>d</h2></div><img hidden src=e>f',
    )
    expect(document).toMatchObject({ text: 'f', links: [], headings: [], images: [], blocks: [] })
  })

  it('does not see scripts and styles, and survives what is cut off', () => {
    const { text } = readDocument(
      '<style>p{color:red}</style><p>Seen</p><script>const x = "unseen"</script><p>End <a href="',
    )
    expect(text).toMatch(/^Seen End/)
  })
})

describe('plainText', () => {
  it('resolves references and collapses blanks', () => {
    expect(plainText(' a &amp; b&#39;s\n&#x2014; c &unknown; ')).toBe("a & b's — c &unknown;")
  })
})
