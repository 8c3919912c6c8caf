import { expect, it } from 'vitest'
import { boundaryOf, formParts } from '../../../src/platform/http/upload-body.ts'
import type { ApiError } from '../../../src/platform/lib/errors.ts'

const form = (...parts: string[]): string => `${parts.map((part) => `--b0\r\n${part}\r\n`).join('')}--b0--\r\n`
const field = (name: string, value: string): string => `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`
const file = (name: string, value: string): string =>
  `Content-Disposition: form-data; name="${name}"; filename="a b.mp4"\r\nContent-Type: video/mp4\r\n\r\n${value}`

async function* cut(text: string, step: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text, 'latin1')
  for (let at = 0; at < bytes.length; at += step) yield bytes.subarray(at, at + step)
}

const read = async (text: string, step = text.length, boundary = 'b0') => {
  const parts: { name: string; filename: string | undefined; text: string }[] = []
  for await (const { name, filename, body } of formParts(cut(text, step), boundary)) {
    let all = ''
    for await (const chunk of body) all += Buffer.from(chunk).toString('latin1')
    parts.push({ name, filename, text: all })
  }
  return parts
}

it('reads the parts of a form, however its bytes are cut', async () => {
  const binary = '\r\n--b\r\n-\r\n--b1\xff\x00\r\r\n'
  const text = `a preamble\r\n${form(field('project_id', '12'), file('file', binary), field('empty', ''))}and what follows`
  for (const step of [1, 2, 3, 5, 11, text.length])
    expect(await read(text, step)).toEqual([
      { name: 'project_id', filename: undefined, text: '12' },
      { name: 'file', filename: 'a b.mp4', text: binary },
      { name: 'empty', filename: undefined, text: '' },
    ])
})

it('finds its boundary, and takes names with and without quotes', async () => {
  expect(boundaryOf('multipart/form-data; boundary=b0')).toBe('b0')
  expect(boundaryOf('Multipart/Form-Data; charset=utf-8; boundary="b 0"')).toBe('b 0')
  expect(boundaryOf('application/json')).toBeUndefined()
  expect(boundaryOf('multipart/mixed; boundary=b0')).toBeUndefined()
  expect(await read(form('content-disposition: form-data; name=plain\r\n\r\nx'))).toMatchObject([{ name: 'plain' }])
  expect(await read(form('Content-Disposition: form-data; name="a\\"b"\r\n\r\nx'))).toMatchObject([{ name: 'a"b' }])
})

it.each([
  ['without an end', form(field('a', 'x')).replace('--b0--', ''), 'b0', /last boundary/],
  ['without a boundary', form(field('a', 'x')), '', /no boundary/],
  ['of another boundary', form(field('a', 'x')), 'other', /last boundary/],
  ['whose part has no name', form('Content-Type: text/plain\r\n\r\nx'), 'b0', /no name/],
  ['whose part has an endless head', form(`X: ${'x'.repeat(9_000)}`), 'b0', /too long/],
  ['of very many parts', form(...Array.from({ length: 101 }, (_, n) => field(`f${n}`, ''))), 'b0', /more than 100/],
])('refuses a form %s', async (_, text, boundary, reason) => {
  const error = await read(text, 1_000, boundary).catch((thrown: ApiError) => thrown)
  expect(error).toMatchObject({ code: 'invalid_input', message: expect.stringMatching(reason) })
})
