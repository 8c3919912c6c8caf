import { expect, test } from 'vitest'
import { readFont, testShaper } from './engine.ts'

test('a font that could not be read is read again for the next title, and then kept', async () => {
  let reads = 0
  const shaper = await testShaper(async (name) => {
    reads += 1
    if (reads === 1) throw new Error('the assets are away')
    return await readFont(name)
  })
  await expect(shaper.covers('latin', 'a')).rejects.toThrow('the assets are away')
  expect(await shaper.covers('latin', 'a')).toBe(true)
  expect(await shaper.covers('latin', 'b')).toBe(true)
  expect(reads).toBe(2)
})

test('a title does not wait for the font of another request, which may have ended', async () => {
  let reads = 0
  const shaper = await testShaper(async (name) => {
    reads += 1
    if (reads === 1) await new Promise(() => {})
    return await readFont(name)
  })
  void shaper.covers('latin', 'a')
  expect(await shaper.covers('latin', 'a')).toBe(true)
  expect(reads).toBe(2)
})
