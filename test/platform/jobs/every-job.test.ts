import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../../../local/root.ts'
import { DEFINED_JOBS } from '../../../scripts/generate/jobs.ts'
import type { Registry } from '../../../src/platform/jobs/job.ts'

/** The Workers' own types are not those of a test. */
const registryIn = async (worker: string): Promise<Registry> =>
  (
    (await import(join(ROOT, `functions/${worker}/registry.ts`))) as { registry: (...access: object[]) => Registry }
  ).registry({}, {})

const REGISTRIES = {
  jobs: await registryIn('jobs'),
  background: await registryIn('background'),
  watch: await registryIn('watch'),
}

describe('each job that is defined', () => {
  it('is found', () => expect(DEFINED_JOBS.length).toBeGreaterThan(20))

  it('has a name of its own', () =>
    expect(new Set(DEFINED_JOBS.map(({ name }) => name)).size).toBe(DEFINED_JOBS.length))

  it.each(DEFINED_JOBS)('$name is run by one Worker, $worker', ({ name, worker }) => {
    expect(Object.entries(REGISTRIES).flatMap(([folder, registry]) => (registry.get(name) ? [folder] : []))).toEqual([
      worker,
    ])
  })
})
