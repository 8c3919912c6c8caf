import { expect, it } from 'vitest'
import { htmlOfStored } from '../../../src/content/stored/show.ts'
import { spliceStored } from '../../../src/content/stored/splice.ts'
import {
  BLOCK,
  documentOf,
  item,
  link,
  list,
  type Node,
  nodesOf,
  paragraph,
  text,
} from '../../providers/cms/ghost/lexical.ts'

const CALLOUT = {
  type: 'callout',
  version: 1,
  calloutText: '<p>Mind the <b>rain</b>.</p>',
  calloutEmoji: '💡',
  backgroundColor: 'blue',
}
const SIGNUP = {
  type: 'signup',
  version: 1,
  header: 'Join',
  labels: ['a'],
  buttonColor: 'accent',
  visibility: { x: 1 },
}
const IMAGE = {
  type: 'image',
  version: 1,
  src: 'https://shed.example/content/images/a.png',
  width: 800,
  height: 600,
  title: '',
  alt: 'A shed',
  caption: '',
  cardWidth: 'wide',
  href: 'https://shed.example/large',
}

const NODES: Node[] = [
  paragraph(
    text('The '),
    link('https://oak.example/', text('old shed'), text(' of oak', 1)),
    text(' stood for '),
    text('thirty', 3),
    text(' years. '),
  ),
  { children: [text('Oak & elm')], ...BLOCK, type: 'extended-heading', tag: 'h2' },
  list(item(1, text('Oak lasts.')), item(2, text('Elm rots.')), item(3, list(item(1, text('In rain.'))))),
  CALLOUT,
  IMAGE,
  paragraph(),
  { type: 'codeblock', version: 1, code: 'a  <b>\n  c', language: 'js', caption: '' },
  { children: [text('Quoted'), { type: 'linebreak', version: 1 }, text('twice')], ...BLOCK, type: 'aside' },
  { type: 'paywall', version: 1 },
  SIGNUP,
  { type: 'horizontalrule', version: 1 },
  paragraph(text('It ends here, back\\slash and all.')),
]
const POST = documentOf(NODES)

const shown = (stored: string): string => htmlOfStored({ format: 'lexical', text: stored }) ?? ''

const splice = (html: string, { stored = POST, known = [shown(stored)] }: { stored?: string; known?: string[] } = {}) =>
  spliceStored({ format: 'lexical', text: stored, html, known })

const nodesAfter = (html: string, stored = POST): Node[] => {
  const result = splice(html, { stored })
  if (result.kind !== 'spliced') throw new Error(result.reason)
  return nodesOf(result.text)
}

const with_ = (at: number, node: Node): Node[] => NODES.map((one, n) => (n === at ? node : one))

it('shows text, pictures and code as HTML, and other cards as kept blocks', () => {
  const html = shown(POST)
  expect(html).toContain(
    '<p>The <a href="https://oak.example/">old shed<strong> of oak</strong></a> stood for <strong><em>thirty</em></strong> years.</p>',
  )
  expect(html).toContain('<h2>Oak &amp; elm</h2>')
  expect(html).toContain('<ul><li>Oak lasts.</li><li>Elm rots.<ul><li>In rain.</li></ul></li></ul>')
  expect(html).toContain('<img src="https://shed.example/content/images/a.png" alt="A shed">')
  expect(html).toContain('<code class="language-js">a  &lt;b&gt;\n  c</code>')
  expect(html.match(/data-label="[^"]*"/g)).toEqual([
    'data-label="Callout"',
    'data-label="Members-only divider"',
    'data-label="Sign-up"',
  ])
  expect(html).toContain('Mind the')
})

it('changes nothing of a text that the caller did not change', () => {
  expect(splice(shown(POST))).toEqual({ kind: 'spliced', text: POST })
})

it('changes one word, and no other byte', () => {
  const words: [string, string][] = [
    ['It ends here', 'It stops here'],
    ['stood for', 'lasted'],
    ['thirty', 'forty'],
    ['old shed', 'new shed'],
    ['Oak lasts', 'Oak stays'],
    ['In rain', 'In snow'],
    ['twice', 'once'],
    ['Oak &amp; elm', 'Oak &amp; ash'],
  ]
  for (const [before, after] of words) {
    const plain = (html: string) => html.replace('&amp;', '&')
    expect(splice(shown(POST).replace(before, after)), before).toEqual({
      kind: 'spliced',
      text: POST.replace(plain(before), plain(after)),
    })
  }
})

it('writes new formats and links into the text that is there', () => {
  expect(nodesAfter(shown(POST).replace('ends here', 'ends <strong>right</strong> here'))[11]).toEqual(
    paragraph(text('It ends '), text('right', 1), text(' here, back\\slash and all.')),
  )
  const [first] = nodesAfter(shown(POST).replace('https://oak.example/', 'https://elm.example/'))
  expect(first).toEqual(
    paragraph(
      text('The '),
      link('https://elm.example/', text('old shed'), text(' of oak', 1)),
      text(' stood for '),
      text('thirty', 3),
      text(' years. '),
    ),
  )
})

it('keeps the rest of a picture whose alternative text changes', () => {
  expect(nodesAfter(shown(POST).replace('alt="A shed"', 'alt="An old shed"'))).toEqual(
    with_(4, { ...IMAGE, alt: 'An old shed' }),
  )
})

it('makes paragraphs, headings, items and pictures that are new', () => {
  const html = shown(POST)
    .replace('<h2>', '<p>New <em>words</em>.</p>\n\n<h2>')
    .replace('<li>Elm', '<li>Ash bends.</li><li>Elm')
    .replace('<hr>', '<h3>Also</h3><figure><img src="https://x.example/b.png" alt="B"></figure><hr>')
  const after = nodesAfter(html)
  expect(after.map(({ type }) => type)).toEqual([
    ...['paragraph', 'paragraph', 'extended-heading', 'list', 'callout', 'image', 'paragraph', 'codeblock', 'aside'],
    ...['paywall', 'signup', 'extended-heading', 'image', 'horizontalrule', 'paragraph'],
  ])
  expect((after as { children: Node[] }[])[3]?.children.map(({ value }) => value)).toEqual([1, 2, 3, 4])
  expect(after.filter((node) => node.type === 'signup' || node.type === 'callout')).toEqual([CALLOUT, SIGNUP])
})

it('moves a card as a whole, and refuses a text without it', () => {
  const [figure = ''] = /<figure data-kept="[^"]*" data-label="Callout">[\s\S]*?<\/figure>/.exec(shown(POST)) ?? []
  const id = /data-kept="([^"]*)"/.exec(figure)?.[1]
  const without = shown(POST).replace(figure, '')
  expect(nodesAfter(`<figure data-kept="${id}"></figure>${without}`)[0]).toEqual(CALLOUT)
  expect(splice(without)).toMatchObject({ kind: 'refused', code: 'would_lose', parts: [{ id, label: 'Callout' }] })
  expect(nodesAfter(`<figure data-kept="${id}" data-remove></figure>${without}`)).not.toContainEqual(CALLOUT)
})

it('refuses a change over one that people made, and takes a text that has theirs', () => {
  const base = shown(POST)
  const theirs = POST.replace('Elm rots', 'Elm lasts')
  const ours = base.replace('It ends', 'It stops')
  expect(splice(ours, { stored: theirs, known: [base] })).toMatchObject({ kind: 'refused', code: 'changed_at_site' })
  const both = ours.replace('Elm rots', 'Elm lasts')
  expect(splice(both, { stored: theirs, known: [base] })).toEqual({
    kind: 'spliced',
    text: theirs.replace('It ends', 'It stops'),
  })
  const card = POST.replace('Join', 'Join us')
  expect(splice(ours, { stored: card, known: [base] })).toMatchObject({ kind: 'refused', code: 'changed_at_site' })
})

it('refuses what the editor has no block for, and a text that is none', () => {
  const html = `${shown(POST)}<table><tbody><tr><td>1</td></tr></tbody></table>`
  expect(splice(html)).toMatchObject({ kind: 'refused', code: 'not_possible', parts: [{ text: '1' }] })
  for (const stored of ['', 'null', '{"root":1}', '[]'])
    expect(spliceStored({ format: 'lexical', text: stored, html: '<p>x</p>', known: [] })).toMatchObject({
      kind: 'refused',
      code: 'not_possible',
    })
})

it('keeps a word whose letters have different looks, if another word changes', () => {
  const looks = (last: string) =>
    documentOf([paragraph(text('Oak l'), text('as', 0, { style: 'color:red' }), text(`ts. ${last}`))])
  expect(nodesAfter(shown(looks('Elm')).replace('Elm', 'Ash'), looks('Elm'))).toEqual(nodesOf(looks('Ash')))
})

it('keeps a block whole that has something which HTML cannot express', () => {
  const odd = [
    paragraph(text('Words'), { type: 'zwnj', text: '' }),
    paragraph(text('Small', 256)),
    { ...paragraph(text('x')), type: 'collapsible' },
  ]
  const stored = documentOf([...odd, paragraph(text('Plain'))])
  expect(shown(stored).match(/data-kept/g)).toHaveLength(3)
  expect(nodesAfter(shown(stored).replace('<p>Plain', '<p>Bare'), stored)).toEqual([...odd, paragraph(text('Bare'))])
})

/** Returns the same numbers between 0 and 1 for the same seed. */
const numbers = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}

it('changes one word of any text, and nothing else', () => {
  const random = numbers(11)
  const one = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
  const some = <T>(max: number, make: () => T): T[] => Array.from({ length: 1 + Math.floor(random() * max) }, make)
  const words = [' Oak lasts ', ' rots', ' a', ' & <b>', ' two  blanks', ' \u00a0hard', ' back\\slash', ' ']
  const run = () => text(one(words), one([0, 0, 0, 1, 2, 3, 16, 128]), random() < 0.1 ? { style: 'color:red' } : {})
  const inLine = (): Node =>
    random() < 0.2
      ? link(one(['https://a.example/', '#b']), ...some(2, run))
      : random() < 0.1
        ? { type: 'linebreak', version: 1 }
        : run()
  const line = () => some(4, inLine)
  const block = (): Node =>
    one([
      () => paragraph(...line()),
      () => paragraph(...line()),
      () => ({ ...paragraph(...line()), type: 'extended-heading', tag: 'h3' }),
      () => list(...some(3, () => item(1, ...line()))),
      () => one(NODES),
    ])()
  let changed = 0
  for (let n = 0; n < 500; n += 1) {
    const stored = documentOf(some(6, block))
    const html = shown(stored)
    expect(splice(html, { stored }), stored).toEqual({ kind: 'spliced', text: stored })
    const edited = html.replace(/\b(lasts|rots|hard|two|ends)\b(?![^<]*>)/, 'ZEBRA')
    if (edited === html) continue
    const result = splice(edited, { stored })
    if (result.kind !== 'spliced') continue
    changed += 1
    const word = /\b(lasts|rots|hard|two|ends)\b(?![^<]*>)/.exec(html)?.[1] ?? ''
    expect(stored.split(word).length, stored).toBe(result.text.split(word).length + 1)
    const at = result.text.indexOf('ZEBRA')
    expect(result.text.slice(0, at) + word + result.text.slice(at + 'ZEBRA'.length), stored).toBe(stored)
  }
  expect(changed).toBeGreaterThan(200)
})

it('compares at most 1,000 changes of a list, so that a longer one costs what its length does', () => {
  const own = (n: number) => list(...Array.from({ length: n }, (_, at) => item(at + 1, text(`own ${at}`, 0, { x: 1 }))))
  const wanted = (n: number) => `<ul>${Array.from({ length: n }, (_, at) => `<li>new ${at}</li>`).join('')}</ul>`
  const kept = (n: number) => (JSON.stringify(nodesAfter(wanted(n), documentOf([own(n)]))).match(/"x":1/g) ?? []).length
  expect([kept(400), kept(600)]).toEqual([400, 0])
})
