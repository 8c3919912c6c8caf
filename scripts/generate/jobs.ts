import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../local/root.ts'
import type { PlacedJob } from '../../src/platform/jobs/job.ts'

const isJob = (value: unknown): value is PlacedJob =>
  typeof value === 'object' && value !== null && 'worker' in value && 'keyOf' in value

const jobsIn = async (file: string): Promise<PlacedJob[]> =>
  Object.values((await import(join(ROOT, file))) as object)
    .filter(isJob)
    .map(({ name, worker, pace }) => ({ name, worker, ...(pace ? { pace } : {}) }))

const files = globSync('src/**/*.ts', { cwd: ROOT }).filter((file) =>
  readFileSync(join(ROOT, file), 'utf8').includes('= defineJob({'),
)

/** Jobs that `src` defines, by name. */
export const DEFINED_JOBS: readonly PlacedJob[] = (await Promise.all(files.map(jobsIn)))
  .flat()
  .sort((a, b) => (a.name < b.name ? -1 : 1))
