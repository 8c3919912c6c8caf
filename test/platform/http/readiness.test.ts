import { afterEach, expect, it, vi } from 'vitest'
import { rememberedReadiness } from '../../../src/platform/http/readiness.ts'
import type { Deps } from '../../../src/platform/runtime/ctx.ts'

afterEach(() => vi.unstubAllGlobals())

/** Returns readiness under a manual clock. Its database answers on command, its Redis at once. */
const opened = () => {
  let clock = Date.UTC(2027, 0, 5)
  const waiting: (() => void)[] = []
  vi.stubGlobal('fetch', async () => Response.json({ result: 'PONG' }))
  const execute = () =>
    new Promise((resolve) =>
      waiting.push(() => resolve({ rows: [{ dead: 0, overdue_s: 0, writable: true }], rowCount: 1 })),
    )
  const settings = { redisUrl: 'https://redis.example', redisToken: 'token' }
  const deps = { db: { execute }, settings, now: () => new Date(clock) } as unknown as Deps
  return {
    ask: rememberedReadiness(deps),
    asked: () => waiting.length,
    answer: () => {
      for (const one of waiting.splice(0)) one()
    },
    pass: (ms: number) => (clock += ms),
  }
}

it('is checked once a second; other callers get the last result', async () => {
  const { ask, asked, answer, pass } = opened()
  const first = ask()
  answer()
  expect(await first).toMatchObject({ ready: true, jobs: { dead: 0, overdue_s: 0 } })
  pass(999)
  expect(await ask()).toEqual(await first)
  expect(asked()).toBe(0)
  pass(1)
  const later = ask()
  expect(await Promise.all(Array.from({ length: 20 }, ask))).toEqual(Array(20).fill(await first))
  expect(asked()).toBe(1)
  pass(500)
  answer()
  expect(await later).toMatchObject({ ready: true })
  pass(499)
  await ask()
  expect(asked()).toBe(0)
})
