import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../../../local/root.ts'
import { ERASE_JOB } from '../../../src/accounts/people/leaving/tables.ts'
import type { Registry } from '../../../src/platform/jobs/define.ts'
import { LONG_RUNS } from '../../../src/platform/jobs/lease.ts'

const sources = globSync('src/**/*.ts', { cwd: ROOT }).map((file) => readFileSync(join(ROOT, file), 'utf8'))
const NAMES = sources
  .filter((text) => text.includes('declareJob({') || text.includes('defineJob({'))
  .flatMap((text) => [...text.matchAll(/name: '([a-z]+\.[a-z_]+)'/g)].map(([, name = '']) => name))
  .concat(ERASE_JOB)

type Registered = { registry: (...means: object[]) => Registry; elsewhere: (job: string) => string }

/** The Workers' own types are not those of a test. */
const registered = async (worker: string): Promise<Registered> =>
  (await import(join(ROOT, `functions/${worker}/registry.ts`))) as Registered

const jobs = await registered('jobs')
const registries: Record<string, Registry> = {
  JOBS: jobs.registry({}, {}),
  BACKGROUND: (await registered('background')).registry({}),
  WATCH: (await registered('watch')).registry({}),
}

describe('each job that is declared', () => {
  it('is found', () => expect(NAMES.length).toBeGreaterThan(20))

  it('is known by its name where its runs take long', () =>
    expect(NAMES).toEqual(expect.arrayContaining([...LONG_RUNS])))

  it.each(NAMES)('%s is run by one Worker, the one that is asked', (name) => {
    const runs = Object.entries(registries).flatMap(([worker, registry]) => (registry.get(name) ? [worker] : []))
    expect(runs).toEqual([registries.JOBS?.get(name) ? 'JOBS' : jobs.elsewhere(name)])
  })
})
