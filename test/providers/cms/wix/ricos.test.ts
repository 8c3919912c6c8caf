import { describe, expect, it } from 'vitest'
import { htmlToRicos, linkedImages, withImages } from '../../../../src/providers/cms/wix/ricos.ts'
import type { RicosNode } from '../../../../src/providers/cms/wix/types.ts'

/** A document in short: `TYPE(children)`, texts in quotes with their decorations behind. */
const short = (nodes: readonly RicosNode[]): string =>
  nodes
    .map((n) => {
      const data = n.textData as { text: string; decorations: { type: string }[] } | undefined
      if (data) return [JSON.stringify(data.text), ...data.decorations.map((d) => d.type)].join('+')
      return `${n.type}(${short(n.nodes ?? [])})`
    })
    .join(' ')

const convert = async (html: string) => short((await htmlToRicos(html)).nodes)

describe('htmlToRicos', () => {
  it.each([
    [
      '<h2>Why</h2><p>A <b>dry</b> <a href="/x">shed</a> &amp; more.</p>',
      'HEADING("Why") PARAGRAPH("A " "dry"+BOLD " " "shed"+LINK " & more.")',
    ],
    [
      '<ul>\n<li>One</li>\n<li>Two <ol><li>In</li></ol></li></ul>',
      'BULLETED_LIST(LIST_ITEM(PARAGRAPH("One")) LIST_ITEM(PARAGRAPH("Two") ORDERED_LIST(LIST_ITEM(PARAGRAPH("In")))))',
    ],
    ['<blockquote><p>Said</p></blockquote><p>After</p>', 'BLOCKQUOTE(PARAGRAPH("Said")) PARAGRAPH("After")'],
    ['<blockquote>Said</blockquote>', 'BLOCKQUOTE(PARAGRAPH("Said"))'],
    ['<pre><code>a &lt; b\n  c</code></pre><hr>', 'CODE_BLOCK("a < b\\n  c") DIVIDER()'],
    ['Loose text<p>and a paragraph</p>', 'PARAGRAPH("Loose text") PARAGRAPH("and a paragraph")'],
    [
      '<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>',
      'PARAGRAPH("A" " | " "B") PARAGRAPH("1" " | " "2")',
    ],
    ['<p>One<br>two</p><p> </p>', 'PARAGRAPH("One" " " "two")'],
    ['', ''],
  ])('%s', async (html, document) => {
    expect(await convert(html)).toBe(document)
  })

  it('keeps level, link and image', async () => {
    const { nodes } = await htmlToRicos(
      '<h3>H</h3><p><a href="/x?a=1&amp;b=2">l</a></p><img src="https://i.example/a.png" alt="A &quot;shed&quot;">',
    )
    expect(nodes[0]).toMatchObject({ headingData: { level: 3 } })
    expect(nodes[1]?.nodes?.[0]).toMatchObject({
      textData: { decorations: [{ linkData: { link: { url: '/x?a=1&b=2' } } }] },
    })
    expect(nodes[2]).toMatchObject({
      type: 'IMAGE',
      imageData: { altText: 'A "shed"', image: { src: { url: 'https://i.example/a.png' }, width: 1_200, height: 800 } },
    })
  })
})

it('replaces linked images by imported ones, with their size, wherever they stand', async () => {
  const document = await htmlToRicos(
    '<p>x</p><img src="https://i.example/a.png" alt="A"><img src="https://i.example/b.png">',
  )
  expect(linkedImages(document)).toEqual(['https://i.example/a.png', 'https://i.example/b.png'])
  const files = new Map([['https://i.example/a.png', { id: 'f1', url: '', size: { width: 3, height: 2 } }]])
  const [, first, second] = withImages(document, files).nodes
  expect(first).toMatchObject({ imageData: { altText: 'A', image: { src: { id: 'f1' }, width: 3, height: 2 } } })
  expect(second).toMatchObject({ imageData: { image: { src: { url: 'https://i.example/b.png' } } } })
})
