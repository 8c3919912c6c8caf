import { expect, onTestFinished, test } from 'vitest'
import { everyMinute } from '../../../functions/jobs/crons.ts'
import { createMemoryStore } from '../../../local/redis/memory.ts'
import { startRedis } from '../../../local/redis/server.ts'
import type { Queue } from '../../../src/platform/jobs/queue.ts'
import { systemDeps } from '../../publishing/system.ts'
import type { Target } from '../../support/client.ts'

const NOWHERE = 'http://127.0.0.1:9'
const queue: Queue = { offer: async () => [], isGenuine: async () => false }

const target = { url: NOWHERE, neonUrl: NOWHERE, connectionString: 'postgresql://a:b@127.0.0.1/c' } as Target

/** Steps that delete old rows. */
const FORGETS = [
  'audit_log',
  'keyword_answers',
  'search_answers',
  'oauth_records',
  'outbox',
  'idempotency_records',
].map((what) => `forget_${what}`)

/** Returns the steps that fail in a minute whose database does not answer, in order. */
const failingSteps = async (at: string): Promise<string[]> => {
  const failed: string[] = []
  const deps = systemDeps(target, {
    log: (_, event, fields = {}) => void (event === 'cron.step_failed' && failed.push(String(fields.step))),
    noteChange: async () => {},
  })
  await expect(everyMinute(deps, queue, new Date(at))).rejects.toThrow(`the minute's steps failed: sweep, `)
  return failed
}

test('every step of the minute runs, whatever failed before it, and waiting work is offered first', async () => {
  const usual = await failingSteps('2026-11-22T10:16:00Z')
  expect(usual[0]).toBe('sweep')
  expect(usual).toEqual(expect.arrayContaining(['due', 'stranded', 'visibility', 'workload']))
  const hourly = await failingSteps('2026-11-22T10:17:00Z')
  expect(hourly[0]).toBe('sweep')
  expect(hourly).toEqual(expect.arrayContaining([...usual, 'reservations', ...FORGETS]))
  expect(hourly).not.toContain('models')
  expect(await failingSteps('2026-11-22T06:17:00Z')).toContain('models')
})

test('a late minute uses the actual time, so work that became due meanwhile is done', async () => {
  const store = createMemoryStore()
  const redis = await startRedis({ port: 0, token: 'token', store })
  onTestFinished(() => redis.close())
  const until = Date.parse('2026-11-22T10:16:20Z')
  await store.run(['SET', 'galley:changed', 'mark'])
  await store.run(['SET', 'galley:rest', `mark:${until}`])
  const told: string[] = []
  const deps = systemDeps(target, { log: (_, event) => void told.push(event), noteChange: async () => {} })
  const settings = { ...deps.settings, redisUrl: redis.url, redisToken: 'token', cronRestMinutes: 60 }
  const minuteAt = (ms: number) =>
    everyMinute({ ...deps, settings, now: () => new Date(ms) }, queue, new Date('2026-11-22T10:16:00Z'))
  await minuteAt(until - 1)
  expect(told).toEqual(['cron.rested'])
  await expect(minuteAt(until)).rejects.toThrow('steps failed')
})
