import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bodyOf } from '../../../../src/providers/cms/git/body.ts'
import { dateLike, setKey, splitFile } from '../../../../src/providers/cms/git/front-matter.ts'
import { mergeLines } from '../../../../src/providers/cms/git/merge.ts'

const lines = fc.array(fc.constantFrom('', 'a', 'b', 'c', 'd'), { maxLength: 12 })

describe('a merge of lines', () => {
  it('takes the other version if one side changed nothing, and a change that both made once', () => {
    void fc.assert(
      fc.property(lines, lines, (base, next) => {
        expect(mergeLines(base, base, next)).toEqual({ lines: next })
        expect(mergeLines(base, next, base)).toEqual({ lines: next })
        expect(mergeLines(base, next, next)).toEqual({ lines: next })
      }),
    )
  })

  it('keeps both of two changes of different lines', () => {
    void fc.assert(
      fc.property(
        fc.record({
          at: fc.integer({ min: 0, max: 8 }),
          gap: fc.integer({ min: 2, max: 5 }),
          mine: lines,
          theirs: lines,
        }),
        ({ at, gap, mine, theirs }) => {
          const base = Array.from({ length: 16 }, (_, n) => `line ${n}`)
          const other = at + gap
          const marked = (side: string, all: string[]) => all.map((line) => `${side} ${line}`)
          const [left, right] = [marked('theirs', theirs), marked('mine', mine)]
          const merged = mergeLines(base, base.toSpliced(at, 1, ...left), base.toSpliced(other, 1, ...right))
          expect(merged).toEqual({ lines: base.toSpliced(other, 1, ...right).toSpliced(at, 1, ...left) })
        },
      ),
    )
  })

  it('quotes the lines that both changed', () => {
    expect(mergeLines(['a', 'b', 'c'], ['a', 'x', 'c'], ['a', 'y', 'c'])).toEqual({
      conflict: { theirs: 'x', ours: 'y' },
    })
    expect(mergeLines(['a', 'b', 'c'], ['a', 'c'], ['a', 'y', 'c'])).toEqual({ conflict: { theirs: '', ours: 'y' } })
    expect(mergeLines(['a'], ['a', 'x'], ['a', 'y'])).toEqual({ conflict: { theirs: 'x', ours: 'y' } })
  })

  it('ends soon for long texts without a common line', () => {
    const many = (word: string) => Array.from({ length: 20_000 }, (_, n) => `${word} ${n}`)
    expect(mergeLines(many('a'), many('b'), many('a'))).toEqual({ lines: many('b') })
  })
})

const YAML = `# Above
layout:   post   # wide
title: "Old: one"   # short
tags:
  - a
  - 'b'
cats: [ x,  y ]
desc: >-
  folded
  text
empty:
id: 007
when: 2026-01-05T10:00:00+02:00
`

describe('front matter', () => {
  it.each<[string, Parameters<typeof setKey>[2], [string, string]]>([
    ['title', 'New "q" # x', ['title: "Old: one"   # short', 'title: "New \\"q\\" # x"   # short']],
    ['tags', ['a', 'c: d'], ["  - 'b'", '  - "c: d"']],
    ['tags', [], ["tags:\n  - a\n  - 'b'", 'tags: []']],
    ['cats', ['x', 'z, q'], ['cats: [ x,  y ]', 'cats: [x, "z, q"]']],
    ['desc', 'short', ['desc: >-\n  folded\n  text', 'desc: short']],
    ['empty', 'yes', ['empty:', 'empty: "yes"']],
    ['layout', undefined, ['layout:   post   # wide\n', '']],
    ['tags', undefined, ["tags:\n  - a\n  - 'b'\n", '']],
    ['when', { as: '2026-02-05' }, ['2026-01-05T10:00:00+02:00', '2026-02-05']],
    ['new', 'plain words', ['+02:00\n', '+02:00\nnew: plain words\n']],
  ])('changes %s to %j and nothing else', (key, value, [from, to]) => {
    expect(setKey(YAML, key, value)).toBe(YAML.replace(from, () => to))
    const windows = (text: string) => text.replaceAll('\n', '\r\n')
    expect(setKey(windows(YAML), key, value)).toBe(windows(YAML.replace(from, () => to)))
  })

  it.each([
    'yes',
    'null',
    '12',
    '2026-01-05',
    '10:30',
    '- a',
    'a: b',
    '',
    "it's",
    '#1',
    '@x',
    '{x}',
    'Ünï 🎉',
    '\u2028',
    'a\nb',
    '~',
    '*a',
  ])('writes %j so that it is read as the same text', (text) => {
    for (const key of ['title', 'empty', 'layout', 'fresh']) expect(setKey(YAML, key, text)).toBeTypeOf('string')
  })

  it('is not touched if it cannot be read', () => {
    expect(setKey('a: 1\na: 2\n', 'b', 'x')).toEqual({ problem: expect.stringContaining('DUPLICATE_KEY') })
    expect(setKey('a: "b\n', 'b', 'x')).toHaveProperty('problem')
    expect(setKey('- a\n', 'b', 'x')).toHaveProperty('problem')
    expect(setKey('a: &x 1\nb: *x\n', 'a', 'y')).toHaveProperty('problem')
    expect(splitFile('+++\ntitle = "A"\n+++\n')).toHaveProperty('problem')
    expect(splitFile('no front matter')).toHaveProperty('problem')
  })

  it.each([
    ['2026-01-05', '2026-11-02'],
    ['2026/01/05', '2026/11/02'],
    ['Jul 08 2022', 'Nov 02 2026'],
    ['July 8, 2022', 'November 2, 2026'],
    ['2020-01-01 00:00:00 +0000', '2026-11-02 23:02:03 +0000'],
    ['2020-01-01T00:00:00.000Z', '2026-11-02T23:02:03.000Z'],
    ['2020-01-01T00:00:00+02:00', '2026-11-03T01:02:03+02:00'],
    ['2020-01-01 00:00', '2026-11-02 23:02'],
    ['soon', '2026-11-02T23:02:03.000Z'],
  ])('has dates in the form of %s', (example, expected) => {
    expect(dateLike(example, '2026-11-02T23:02:03Z')).toBe(expected)
  })
})

it.each([
  ['<p>a &lt; b, I &lt;3 {x}<br>import it</p>', 'a \\< b, I \\<3 \\{x\\}  \n&#105;mport it'],
  ['<p>import x</p><pre><code>import {x} &lt;3</code></pre>', '&#105;mport x\n\n```\nimport {x} <3\n```'],
  ['<p><code>{a}</code> and {b} <code>`{c}</code></p>', '`{a}` and \\{b\\} `` `{c} ``'],
  ['<table><tr><th>h</th></tr><tr><td>a<br>{b}</td></tr></table>', '| h |\n| --- |\n| a<br />\\{b\\} |'],
])('writes %s for MDX', (html, markdown) => {
  expect(bodyOf(html, 'astro', 'a.mdx')).toBe(markdown)
})
