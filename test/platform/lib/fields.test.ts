import { describe, expect, it } from 'vitest'
import { httpUrl, id, intParam, isoTime, label, list, rawText, text } from '../../../src/platform/lib/fields.ts'

type Schema = { safeParse: (value: unknown) => { success: boolean; data?: unknown } }

/** Returns the field's value for a given one; undefined if it refuses it. */
const read = (schema: unknown, value: unknown): unknown => {
  const result = (schema as Schema).safeParse(value)
  return result.success ? result.data : undefined
}

const FORBIDDEN = ['\u0000', 'a\u0008', '\u000b', '\u001f', '\u007f', '\ud800', 'x\udc00']

describe('text', () => {
  it('is trimmed, then measured', () => {
    expect(read(text(5, 1), '  abc \n')).toBe('abc')
    expect(read(text(3), ' abc ')).toBe('abc')
    expect(read(text(3), 'abcd')).toBeUndefined()
    expect(read(text(3, 1), ' \t ')).toBeUndefined()
    expect(read(text(3), '')).toBe('')
  })
  it.each(FORBIDDEN)('may not hold %j', (value) => {
    expect(read(text(10), `a${value}b`)).toBeUndefined()
    expect(read(rawText(10), `a${value}b`)).toBeUndefined()
  })
  it('may hold tabs, line ends and every script', () => {
    for (const value of ['a\tb\r\nc', 'é', '漢字', '🦊', '\u202eb']) expect(read(rawText(10), value)).toBe(value)
    expect(read(rawText(10), '  kept  ')).toBe('  kept  ')
  })
})

it('a label is found in any case and returned in its own spelling', () => {
  const schema = label(['Draft', 'How-To'])
  expect([' draft ', 'HOW-TO', 'how to', ''].map((v) => read(schema, v))).toEqual([
    'Draft',
    'How-To',
    undefined,
    undefined,
  ])
})

describe('a list', () => {
  it.each([
    [
      ['a', ' b ', '', 'a'],
      ['a', 'b'],
    ],
    ['a, b,,a', ['a', 'b']],
    ['a, too\nb\r\n\nc\rd', ['a', 'too', 'b', 'c', 'd']],
    ['', []],
    [[], []],
  ])('%j is %j', (given, entries) => expect(read(list(), given)).toEqual(entries))

  it.each([
    [7],
    [[7]],
    [['x', null]],
    [{}],
    [['x'.repeat(501)]],
    [['a\u0000']],
    [Array.from({ length: 201 }, (_, n) => `e${n}`)],
  ])('refuses %j', (given) => expect(read(list(), given)).toBeUndefined())

  it('normalizes entries, and removes duplicates', () => {
    const lower = list((value) => (value === 'bad' ? undefined : value.toLowerCase()))
    expect(read(lower, 'A,a,B')).toEqual(['a', 'b'])
    expect(read(lower, 'A,bad')).toBeUndefined()
    expect(
      read(
        list(),
        Array.from({ length: 200 }, (_, n) => `e${n}`),
      ),
    ).toHaveLength(200)
  })
})

it('an id is a positive 32-bit integer', () => {
  expect([1, 2_147_483_647].map((v) => read(id(), v))).toEqual([1, 2_147_483_647])
  for (const value of [0, -1, 1.5, 2_147_483_648, Number.NaN, Number.POSITIVE_INFINITY, '1', null, true])
    expect(read(id(), value)).toBeUndefined()
})

it('an integer of a query is digits within its bounds', () => {
  expect(['1', '007', '10'].map((v) => read(intParam(1, 10), v))).toEqual([1, 7, 10])
  for (const value of ['0', '11', '', ' 1', '1 ', '+1', '1.0', '1e1', '0x1', '१', '9'.repeat(20), 1, ['1']])
    expect(read(intParam(1, 10), value)).toBeUndefined()
})

it('the message for a too large number in a query names the maximum', () => {
  const faultOf = (schema: ReturnType<typeof intParam>, value: string) =>
    schema.safeParse(value).error?.issues.map(({ message }) => message)
  expect(faultOf(intParam(1), '2147483648')).toEqual(['must be an integer from 1 to 2147483647'])
  expect(faultOf(intParam(1), '0')).toEqual(['must be an integer of at least 1'])
  expect(faultOf(intParam(1), 'x')).toEqual(['must be an integer of at least 1'])
  expect(faultOf(intParam(1, 90), '91')).toEqual(['must be an integer from 1 to 90'])
})

it('an address is absolute http(s) without credentials, public or not', () => {
  expect(read(httpUrl(), ' https://a.example/b ')).toBe('https://a.example/b')
  expect(read(httpUrl(), 'http://10.0.0.1/')).toBe('http://10.0.0.1/')
  for (const value of [
    'a.example',
    'ftp://a.example',
    'https://u@a.example',
    `https://a.example/${'x'.repeat(2_000)}`,
    '',
    'https://a.example/b c',
    'https://a.example/b\tc',
    'https://a.exa\nmple/',
    'https://a.example/\u0085',
    'https://a.example/\u3000x',
  ])
    expect(read(httpUrl(), value)).toBeUndefined()
})

it('a time is ISO 8601', () => {
  expect(read(isoTime(), '2027-01-01')).toBe('2027-01-01')
  for (const value of ['', 'now', 1_700_000_000, null]) expect(read(isoTime(), value)).toBeUndefined()
})
