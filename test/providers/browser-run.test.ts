import { expect, it } from 'vitest'
import { refusalOf } from '../../src/providers/browser-run/connection.ts'

it.each([
  ['Browser time limit exceeded for today', 'Browser Run answered 429: Browser time limit exceeded for today.'],
  ['', 'Browser Run answered 429.'],
])('reports why there is no browser: %j', async (body, reason) => {
  expect(await refusalOf(new Response(body, { status: 429 }))).toBe(reason)
})
