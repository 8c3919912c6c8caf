import { afterAll, beforeAll, expect, it } from 'vitest'
import { findChromium } from '../../local/browser/chromium.ts'
import { newAccount } from '../support/client.ts'
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

it('a screenshot asked for over the API is a real one, hosted here', async () => {
  const api = await newAccount(targetOf(stack))
  const { status, body } = await api.post('/screenshots', { url: `${site.url}/refusable`, name: 'Pedal & Spoke' })
  expect(status).toBe(202)
  let answer = await api.get(String(body.poll))
  for (let look = 0; answer.status === 202 && look < 25; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    answer = await api.get(String(body.poll))
  }
  expect(answer.status).toBe(200)
  expect(answer.body).toMatchObject({ status: 'ready', width: 1280, height: 800 })
  expect(answer.body).not.toHaveProperty('sandbox')
  const image = await fetch(String(answer.body.image_url))
  expect(image.status).toBe(200)
  expect((await image.arrayBuffer()).byteLength).toBeGreaterThan(5_000)
})
