import { describe, expect, it } from 'vitest'
import { type JobDeps, registry } from '../../../functions/jobs/registry.ts'
import { DEFINED_JOBS } from './defined.ts'

const nothing = {} as never
const deps: JobDeps = { targets: nothing, writing: nothing, services: nothing, insights: nothing }

describe('each job that is defined', () => {
  it('is found', () => expect(DEFINED_JOBS.length).toBeGreaterThan(20))

  it('has a name of its own', () =>
    expect(new Set(DEFINED_JOBS.map(({ name }) => name)).size).toBe(DEFINED_JOBS.length))

  it.each(DEFINED_JOBS)('$name has a handler in the jobs Worker', ({ name }) => {
    expect(registry(deps).get(name)).toMatchObject({ name })
  })
})
