import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { findChromium } from '../../local/browser/chromium.ts'
import { newAccount } from '../support/client.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { startTestStack, type TestStack, targetOf } from '../support/stack.ts'
import { startTestSite, type TestSite } from './site.ts'

let stack: TestStack
let site: TestSite
beforeAll(async () => {
  site = await startTestSite()
  stack = await startTestStack({ browser: { executable: findChromium() } })
})
afterAll(async () => {
  await stack.close()
  await site.close()
})

it('a screenshot through the API is a real one, hosted here', async () => {
  const api = await newAccount(targetOf(stack))
  const { status, body } = await api.post('/screenshots', { url: `${site.url}/refusable`, name: 'Pedal & Spoke' })
  expect(status).toBe(202)
  const ended = async () => {
    const looked = await api.get(String(body.poll))
    return looked.status === 202 ? expect.fail('the screenshot is still being taken') : looked
  }
  // No more often than the rate of 30 a minute allows.
  const answer = await vi.waitFor(ended, { timeout: PATIENCE_MS, interval: 2_500 })
  expect(answer.status).toBe(200)
  expect(answer.body).toMatchObject({ status: 'ready', width: 1280, height: 800 })
  expect(answer.body).not.toHaveProperty('sandbox')
  const image = await fetch(String(answer.body.image_url))
  expect(image.status).toBe(200)
  expect((await image.arrayBuffer()).byteLength).toBeGreaterThan(5_000)
})
