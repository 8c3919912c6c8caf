import { describe, expect, it } from 'vitest'
import { foreignJson, jsonWithin } from '../../../src/platform/lib/foreign-answers.ts'
import { cpuMs } from '../../support/cpu-time.ts'

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

describe('JSON around which something was written', () => {
  const json = { success: false, list: ['a "]" }', {}] }
  const text = JSON.stringify(json)
  it.each([
    ['nothing', text],
    ['a byte order mark', `\ufeff${text}`],
    ['a notice of PHP', `<br />\n<b>Notice</b>: Undefined index [x] in {closure}() "on" line 3<br />\n${text}`],
    ['words behind it', `${text}\n<!-- 23 queries -->`],
    ['smaller JSON', `debug: {"a":1}\n${text} ["x"]`],
    ['a whole page', `<html><script>x={"a":1}</script></html>${text}`],
  ])('is found with %s', (_what, given) => {
    expect(jsonWithin(given)?.json).toEqual(json)
  })

  it.each([
    '',
    'ok',
    '<html><script type="application/ld+json">{"a":1}</script></html>',
    `<script>${text}`,
    '{"a": 1',
    `{"data": ${text}`,
    `[[[ {"open": ${text}`,
  ])('is not there in %j', (given) => {
    expect(jsonWithin(given)).toBeUndefined()
  })

  it('is found quickly in any text', () => {
    const begun = cpuMs()
    jsonWithin('{"'.repeat(500_000))
    jsonWithin('[['.repeat(500_000))
    expect(cpuMs() - begun).toBeLessThan(2_000)
  })
})
