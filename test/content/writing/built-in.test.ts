import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainText } from '../../../src/content/html/references.ts'
import { type Assembled, assemble } from '../../../src/content/writing/assemble.ts'
import type { Outline, WritingBrief } from '../../../src/content/writing/port.ts'
import { builtInWriter } from '../../../src/providers/models/built-in-writer/index.ts'
import { briefWith } from './briefs.ts'

type Article = Assembled & { outline: Outline }

/** Writes an article from notes as the job does. */
const write = async (notes: string, changes: Partial<WritingBrief> = {}): Promise<Article | string> => {
  const writer = builtInWriter()
  const brief = briefWith(changes)
  const planned = await writer.outline({ brief, notes })
  if (planned.kind === 'refused') return planned.reason
  const outline = planned.value
  const sections: string[] = []
  for (const index of outline.sections.keys()) {
    const section = await writer.section({ brief, notes, outline, index, written: sections })
    if (section.kind === 'done') sections.push(section.value)
  }
  return { ...assemble(brief, notes, outline, { sections }), outline }
}

const written = async (notes: string, changes: Partial<WritingBrief> = {}): Promise<Article> => {
  const article = await write(notes, changes)
  if (typeof article === 'string') throw new Error(article)
  return article
}

const MARKDOWN = `# Garden sheds that last

Choosing **garden sheds** takes thought.

## Wood

Cedar, "the king of woods", lasts 20 years ([source](https://wood.example/cedar)).

### Pine

Pine is cheap. See [our rival](https://rival.example/x).

## Prices

| Wood | Price |
|---|---|
| Pine | 300 |
| Cedar | 900 |

1. Measure the plot.
2. Ask the council.`

describe('the built-in writer', () => {
  it('keeps the order notes have: title, sections, tables, numbered lists, sources', async () => {
    const { title, html, cut } = await written(MARKDOWN)
    expect(title).toBe('Garden sheds that last')
    expect(html).toContain('<p>Choosing <strong>garden sheds</strong> takes thought.</p>')
    expect(html).toMatch(/<h2 id="[^"]*wood">.*<h3 id="pine">Pine<\/h3>.*<h2 id="prices">Prices<\/h2><table>/s)
    expect(html).toContain('<a href="https://wood.example/cedar">source</a>')
    expect(html).toContain('See our rival.')
    expect(html).not.toContain('rival.example')
    expect(html).toContain('<ol><li>Measure the plot.</li><li>Ask the council.</li></ol>')
    expect(cut).toEqual([])
  })

  it('reads HTML notes, without scripts, classes and frames', async () => {
    const { title, html } = await written(
      '<div class="x"><h1>Garden sheds</h1><p style="color:red">Oak <b>lasts</b>.</p><script>alert(1)</script><p>Pine does not.</p><img src="https://oak.example/a.jpg" alt="A shed"></div>',
    )
    expect(title).toBe('Garden sheds')
    expect(html).toContain('Oak <b>lasts</b>.')
    expect(html).toContain('<img src="https://oak.example/a.jpg" alt="A shed">')
    expect(html).not.toMatch(/script|alert|style|class=/)
  })

  it('brings bare points together by topic under headings of their own words', async () => {
    const { html } = await written(
      '- Sheds need a level base\n- Cedar lasts 20 years\n- Pine costs 300 euro\n- Treat pine every 2 years\n- A base of slabs drains well',
    )
    expect(html).toMatch(/<li>Sheds need a level base<\/li><li>A base of slabs drains well<\/li>/)
    expect(html.match(/<h2/g)?.length).toBeGreaterThan(1)
    expect(html.match(/<li>/g)).toHaveLength(5)
  })

  it('gathers questions with their answers at the end', async () => {
    const { html } = await written(
      'Sheds are useful.\n\nHow long do they last?\nTwenty years.\n\nMore on sheds here.\n\nDo I need a permit?\nAsk the council.',
    )
    expect(html).toMatch(
      /<h2 id="faq">FAQ<\/h2><h3 id="how-long-do-they-last">How long do they last\?<\/h3><p>Twenty years\.<\/p><h3/,
    )
    expect(html.indexOf('More on sheds')).toBeLessThan(html.indexOf('FAQ'))
  })

  it('makes a short article from one line, and none without notes', async () => {
    expect((await written('Oak lasts.')).html).toBe(
      '<h2 id="garden-sheds">Garden sheds</h2><p><strong>Garden sheds:</strong> Oak lasts.</p>',
    )
    const silent = { business: { ...briefWith().business, description: '' } }
    expect(await write('', silent)).toMatch(/nothing to write/i)
    expect((await written('')).html).toContain('We build garden sheds in Utrecht.')
  })

  it('adds no English to another language', async () => {
    const { html } = await written('Un cobertizo necesita una base firme. La madera dura 20 años.', {
      language: 'Spanish',
      keyword: 'cobertizos',
      title: 'cobertizos',
      internalLinks: [{ url: 'https://oak.example/techos', anchor: 'Techos' }],
      callToAction: { intensity: 'Soft', url: 'https://oak.example' },
    })
    expect(html).toContain(
      '<p>Relacionado: <a href="https://oak.example/techos">Techos</a></p><p>Más de <a href="https://oak.example">',
    )
    const thai = await written('บ้านสวนต้องมีฐานที่มั่นคง', {
      language: 'Thai',
      keyword: 'บ้านสวน',
      title: 'บ้านสวน',
      internalLinks: [{ url: 'https://oak.example/x', anchor: 'หลังคา' }],
    })
    expect(plainText(thai.html.replace(/<[^>]*>/g, ' '))).not.toMatch(/[a-z]/i)
  })

  it('leaves out sentences with a phrase the project bans', async () => {
    const { html } = await written('Oak lasts. It is a game changer for all. Pine does not.', {
      bannedPhrases: ['game changer'],
    })
    expect(html).toContain('Oak lasts. Pine does not.')
  })

  it('returns the same text for the same notes', async () => {
    expect(await written(MARKDOWN)).toEqual(await written(MARKDOWN))
  })

  it('never writes what its own facts check would cut, and loses no sentence', async () => {
    const sentence = fc.constantFrom(
      'Cedar lasts 20 years.',
      '"Paint early," says Jan Smit.',
      'It costs 1,200.50 euro (see https://a.example/x).',
      'Why paint at all?',
      'And it dries in twelve hours.',
      'Use 3 coats, e.g. of oil.',
      'Pine is soft – “like butter”, they say.',
      'In 2024 we built 40 sheds.',
      '**Felt** rots after 5–7 years.',
      'The base drains.',
    )
    const line = fc.oneof(
      sentence,
      sentence.map((s) => `- ${s}`),
      sentence.map((s) => `> ${s}`),
      fc.constantFrom('## Wood', 'Prices:', ''),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 14 }), async (lines) => {
        const article = await write(lines.join('\n\n'), { business: { ...briefWith().business, description: '' } })
        if (typeof article === 'string') return
        expect(article.cut).toEqual([])
        const said = plainText(article.html.replace(/<[^>]*>/g, ''))
        for (const given of lines) {
          const words = given.replace(/^(- |> )/, '').replaceAll('*', '')
          if (/[.?]$/.test(words)) expect(said).toContain(words)
        }
      }),
      { numRuns: 150 },
    )
  })
})

it('marks of a model’s sources in the notes do not reach the article', async () => {
  const notes = '## Wood【4:1†source】\n\nOak lasts 20 years citeturn0search0. Pine is soft [1]. Write `a[1]`.'
  const { html } = await written(notes)
  expect(html).toContain('Oak lasts 20 years. Pine is soft. Write <code>a[1]</code>.')
  expect(html).toMatch(/Wood<\/h2>/)
})
