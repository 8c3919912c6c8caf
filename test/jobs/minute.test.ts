import { expect, test } from 'vitest'
import { everyMinute } from '../../functions/jobs/crons.ts'
import type { Queue } from '../../src/jobs/queue.ts'
import { systemDeps } from '../publishing/system.ts'
import type { Target } from '../support/client.ts'

const NOWHERE = 'http://127.0.0.1:9'
const queue: Queue = { offer: async () => [], isGenuine: async () => false }

/** The steps that fail in a minute whose database does not answer, in order. */
const failingSteps = async (at: string): Promise<string[]> => {
  const failed: string[] = []
  const target = { url: NOWHERE, neonUrl: NOWHERE, connectionString: 'postgresql://a:b@127.0.0.1/c' } as Target
  const deps = systemDeps(target, {
    log: (_, event, fields = {}) => void (event === 'cron.step_failed' && failed.push(String(fields.step))),
    noteChange: async () => {},
  })
  await expect(everyMinute(deps, queue, new Date(at))).rejects.toThrow(`the minute's steps failed: sweep, `)
  return failed
}

test('every step of the minute is tried whatever failed before it, and waiting work is offered first', async () => {
  const usual = await failingSteps('2026-11-22T10:16:00Z')
  expect(usual[0]).toBe('sweep')
  expect(usual).toEqual(expect.arrayContaining(['due', 'stranded', 'visibility', 'workload']))
  const hourly = await failingSteps('2026-11-22T10:17:00Z')
  expect(hourly[0]).toBe('sweep')
  expect(hourly).toEqual(expect.arrayContaining([...usual, 'reservations', 'forget_expired']))
})
