import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../../../local/root.ts'
import { handle, type Registry, registryOf } from '../../../src/platform/jobs/job.ts'
import { ok } from '../../../src/platform/jobs/provider-ask.ts'
import type { Ctx } from '../../../src/platform/runtime/ctx.ts'
import { DEFINED_JOBS } from './defined.ts'

type Module = { registry: (deps: Record<string, object>) => Registry }

// The Worker's own types are not those of a test.
const { registry } = (await import(join(ROOT, 'functions/jobs/registry.ts'))) as Module
const deps = { targets: {}, writing: {}, services: {}, insights: {} }

describe('each job that is defined', () => {
  it('is found', () => expect(DEFINED_JOBS.length).toBeGreaterThan(20))

  it('has a name of its own', () =>
    expect(new Set(DEFINED_JOBS.map(({ name }) => name)).size).toBe(DEFINED_JOBS.length))

  it.each(DEFINED_JOBS)('$name has a handler in the jobs Worker', ({ name }) => {
    expect(registry(deps).get(name)).toMatchObject({ name })
  })
})

it('a job with two handlers is refused, since only one of them would run', () => {
  const handler = handle(DEFINED_JOBS[0] as never, { run: async () => ({ kind: 'done' }) })
  expect(registryOf([handler]).get(handler.name)).toBe(handler)
  expect(() => registryOf([handler, { ...handler }])).toThrow('A job has two handlers.')
})

it('rows that a run enqueued are offered when it ends', async () => {
  let woken = 0
  const ctx = {
    now: () => new Date(),
    defer: () => {},
    wakeQueue: async () => {
      woken += 1
    },
  } as unknown as Ctx
  const services = { checks: { neon: async () => ok('answers') } }
  const run = registry({ ...deps, services }).get('providers.check')?.run
  expect(await run?.(ctx, { check: 'one', provider: 'neon' })).toEqual({ kind: 'settled' })
  expect(woken).toBe(1)
})
