import { describe, expect, it } from 'vitest'
import { htmlToRicos, linkedImages, withImages } from '../../../../src/providers/cms/wix/ricos.ts'
import type { RicosNode } from '../../../../src/providers/cms/wix/types.ts'

/** Returns a document in short: `TYPE(children)`, texts in quotes with their decorations behind. */
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
      'TABLE(TABLE_ROW(TABLE_CELL(PARAGRAPH("A")) TABLE_CELL(PARAGRAPH("B"))) TABLE_ROW(TABLE_CELL(PARAGRAPH("1")) TABLE_CELL(PARAGRAPH("2"))))',
    ],
    [
      '<table><tr><td rowspan="2">Mon</td><td><p>9</p><ul><li>x</li></ul></td></tr><tr><td><img src="https://i.example/a.png">10</td></tr></table><p>After</p>',
      'TABLE(TABLE_ROW(TABLE_CELL(PARAGRAPH("Mon")) TABLE_CELL(PARAGRAPH("9") BULLETED_LIST(LIST_ITEM(PARAGRAPH("x"))))) ' +
        'TABLE_ROW(TABLE_CELL(PARAGRAPH()) TABLE_CELL(PARAGRAPH("10")))) IMAGE() PARAGRAPH("After")',
    ],
    ['<p>One<br>two</p><p> </p>', 'PARAGRAPH("One" "\\n" "two")'],
    [
      '<ul><li><h3>Head</h3><pre>a\nb</pre></li></ul><p><u>x</u><sup>2</sup></p>',
      'BULLETED_LIST(LIST_ITEM(PARAGRAPH("Head"+BOLD) PARAGRAPH("a\\nb"))) PARAGRAPH("x"+UNDERLINE "²")',
    ],
    ['<iframe src="https://www.youtube.com/embed/a1" title="How to knead"></iframe>', 'PARAGRAPH("How to knead"+LINK)'],
    ['', ''],
  ])('%s', async (html, document) => {
    expect(await convert(html)).toBe(document)
  })

  it('has the width of a table and its header', () => {
    const [table] = htmlToRicos('<table><tr><th>A</th><th>B</th></tr><tr><th>C</th><td>1</td></tr></table>').nodes
    expect(table?.tableData).toEqual({
      dimensions: { colsWidthRatio: [120, 120], rowsHeight: [47, 47], colsMinWidth: [120, 120] },
      rowHeader: true,
      columnHeader: true,
    })
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
