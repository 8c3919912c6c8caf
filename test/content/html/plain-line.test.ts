import { describe, expect, it } from 'vitest'
import { plainLine } from '../../../src/content/html/plain-line.ts'
import { cpuMs } from '../../support/cpu-time.ts'

describe('signs that are part of words stay', () => {
  it.each([
    'c# course',
    'F# and C++',
    'We are #1 in sheds',
    'What __init__ does',
    'What __init__ and __main__ do',
    'Use snake_case_names',
    'The *args and **kwargs of a call',
    '5 * 3 * 2 = 30',
    'It is 2*3*4',
    'a < b and b > c',
    'The <h2> tag explained',
    '~5 sheds, ~10 doors',
    'Tips & tricks',
    'A/B [draft]',
    'See https://a.example/x_y_z?q=%20a',
    '$5 – $10',
    '#sheds #oak',
  ])('%j', (line) => expect(plainLine(line)).toBe(line))
})

describe('marks are removed', () => {
  it.each([
    ['# Oak sheds', 'Oak sheds'],
    ['## Oak sheds ##', 'Oak sheds'],
    ['## C#', 'C#'],
    ['**Oak** sheds', 'Oak sheds'],
    ['__Oak sheds__ last', 'Oak sheds last'],
    ['*Oak* and _pine_', 'Oak and pine'],
    ['`npm start` runs', 'npm start runs'],
    ['Use `__init__`', 'Use __init__'],
    ['<b>Oak</b> sheds', 'Oak sheds'],
    ['<h2 id="a">Oak</h2>', 'Oak'],
    ['Oak<br>sheds', 'Oak sheds'],
    ['[Oak](https://a.example) sheds', 'Oak sheds'],
    ['Oak &amp; Co', 'Oak & Co'],
    ['1\\. Oak', '1. Oak'],
    ['~~Oak~~ Pine', 'Oak Pine'],
    ['款式**“耐用性”**高', '款式“耐用性”高'],
    [' Oak \n sheds ', 'Oak sheds'],
  ])('%j is %j', (line, plain) => expect(plainLine(line)).toBe(plain))
})

it('reads any line in bounded time', () => {
  for (const part of ['*a', '_', '**', '[', '<a ', '`', '# ', '~~']) {
    const startedAt = cpuMs()
    plainLine(part.repeat(20_000))
    expect(cpuMs() - startedAt, part).toBeLessThan(3_000)
  }
})
