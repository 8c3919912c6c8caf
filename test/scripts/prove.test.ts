import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../../local/root.ts'
import { withRow } from '../../scripts/prove/page.ts'
import { PARTS } from '../../scripts/prove/parts.ts'

const row = (name: string, figure: string) => ({
  name,
  claim: 'It holds.',
  figure,
  command: `npm run prove -- ${name}`,
  day: '2026-11-29',
  machine: '2 cores',
  commit: '0a1b2c3',
})

const namesOf = (page: string): (string | undefined)[] => [...page.matchAll(/^\| (\w+) \|/gm)].map(([, name]) => name)

describe('the page of proofs', () => {
  it('has one row a part, in the order of the parts, and the newest figure', () => {
    const names = ['one', 'two', 'three']
    let page = ''
    for (const [name, figure] of [
      ['three', '3 held'],
      ['one', '1 held'],
      ['three', '30 held'],
    ] as const)
      page = withRow(page, names, row(name, figure))
    expect(namesOf(page)).toEqual(['Part', 'one', 'three'])
    expect(page).toContain('| three | It holds. | 30 held |')
    expect(page).not.toContain('| 3 held |')
  })

  it('loses the row of a part that is no longer known', () => {
    const before = withRow('', ['old', 'new'], row('old', '1 held'))
    expect(namesOf(withRow(before, ['new'], row('new', '2 held')))).toEqual(['Part', 'new'])
  })

  it('keeps a figure with a line or a bar in it in one cell', () => {
    const page = withRow('', ['one', 'two'], row('one', 'a | b\nc'))
    expect(withRow(page, ['one', 'two'], row('two', '2 held'))).toContain('| a \\| b c |')
  })
})

describe('the parts of the proof', () => {
  it('run files that exist', () => {
    const files = Object.values(PARTS).flatMap(({ command }) => command.filter((word) => /\.(sh|ts|mjs)$/.test(word)))
    expect(files.length).toBeGreaterThan(Object.keys(PARTS).length)
    for (const file of files) expect(existsSync(join(ROOT, file)), file).toBe(true)
  })

  it.each([
    [
      'policies',
      '21 sequences held (seed 20261126)\n1073 steps held\n90 bursts held\n',
      '21 sequences held, 1073 steps held, 90 bursts held',
    ],
    ['requests', '      Tests  117 passed (117)\n', '117 passed: one an operation'],
    ['faults', '      Tests  12 passed | 2 skipped (14)\n', '12 passed'],
    [
      'bench',
      'part    what            value  goal        how\nwaits   list            1      ≤ 1   pass  x\nweight  page: first     8.1 ×  ≤ 8   MISS  y\n\nMissed:\nweight  page: first     8.1 ×  ≤ 8   MISS  y\n',
      '1 limits met; missed: page: first',
    ],
  ])('read the figure of %s from its output', (name, output, figure) => {
    expect(PARTS[name]?.figure(output)).toBe(figure)
  })
})
