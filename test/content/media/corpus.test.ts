import sharp from 'sharp'
import { beforeAll, expect, inject, it } from 'vitest'
import { type Api, newAccount } from '../../support/client.ts'
import { expectError } from '../../support/contract.ts'
import { manyKeys } from '../../support/keys.ts'
import { corpus, type Sample } from './corpus.ts'

const stack = inject('stack')

let api: Api
let samples: Sample[]

beforeAll(async () => {
  api = manyKeys(stack, await newAccount(stack))
  samples = await corpus()
}, 120_000)

it('has about two hundred files, each with a name of its own', () => {
  expect(samples.length).toBeGreaterThanOrEqual(190)
  expect(new Set(samples.map(({ name }) => name)).size).toBe(samples.length)
})

it('each gets the right answer over the wire, as base64, and is served as what it is', {
  timeout: 300_000,
}, async () => {
  for (const { name, bytes, served: kept = bytes, expected } of samples) {
    const answer = await api.post('/images', { image_base64: bytes.toString('base64') })
    if (typeof expected === 'string') {
      expect(answer.body.code, `${name}: ${answer.text.slice(0, 200)}`).toBe(expected)
      expectError(answer, expected)
      continue
    }
    const { type, width, height } = expected
    expect([answer.status, answer.body.width, answer.body.height], `${name}: ${answer.text}`).toEqual([
      201,
      width,
      height,
    ])
    const served = await fetch(String(answer.body.url))
    expect(served.headers.get('content-type'), name).toBe(type)
    expect(Buffer.from(await served.arrayBuffer()).equals(kept), name).toBe(true)
  }
})

it('the sizes are those an image library finds once it has turned the picture', { timeout: 120_000 }, async () => {
  let compared = 0
  for (const { name, bytes, expected } of samples) {
    if (typeof expected === 'string') continue
    const found = await sharp(bytes, { limitInputPixels: false })
      .metadata()
      .catch(() => undefined)
    if (!found) continue
    const turned = (found.orientation ?? 1) >= 5
    const size = turned ? [found.height, found.width] : [found.width, found.height]
    expect([expected.width, expected.height], name).toEqual(size)
    compared += 1
  }
  expect(compared).toBeGreaterThan(60)
})
