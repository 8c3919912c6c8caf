import { describe, expect, it } from 'vitest'
import { foreignJson } from '../../src/lib/foreign-json.ts'

describe('JSON of another service', () => {
  it.each([
    ['a null character', String.raw`{"id": "7\u0000"}`, { id: '7\uFFFD' }],
    ['any other control character', String.raw`["\u001f\u000B\u007f"]`, ['\uFFFD\uFFFD\uFFFD']],
    ['halves of a pair', String.raw`["\ud83d", "\uDE00x\uD83D"]`, ['\uFFFD', '\uFFFDx\uFFFD']],
    ['one in a name', String.raw`{"a\u0000": 1}`, { 'a\uFFFD': 1 }],
    ['one after a quotation mark and a backslash', String.raw`["\"\\\u0000"]`, ['"\\\uFFFD']],
  ])('has a replacement for %s', (_what, text, value) => {
    expect(foreignJson(text)).toEqual(value)
  })

  it.each([
    ['pairs', String.raw`["\ud83d\ude00 \uD83D\uDE00"]`],
    ['tabs, line ends and letters', String.raw`["\u0009\u000a\u000D\u00e9\u0020\u4e2d"]`],
    ['a written escape', String.raw`["\\u0000 \\\\ud83d"]`],
    ['what has no escape', '{"a": [1, null, "é😀"]}'],
  ])('keeps %s', (_what, text) => {
    expect(foreignJson(text)).toEqual(JSON.parse(text))
  })

  it.each(['', '{', '{"a": "\\u00"}', '<p>'])('is undefined for %j', (text) => {
    expect(foreignJson(text)).toBeUndefined()
  })
})
