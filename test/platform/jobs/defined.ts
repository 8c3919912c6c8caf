import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../../local/root.ts'
import type { Job } from '../../../src/platform/jobs/job.ts'

type AnyJob = Pick<Job<never>, 'name' | 'whenClosed'>

const isJob = (value: unknown): value is AnyJob =>
  typeof value === 'object' && value !== null && 'whenClosed' in value && 'keyOf' in value

const jobsIn = async (file: string): Promise<{ name: string; endsWhenClosed: boolean }[]> =>
  Object.values((await import(join(ROOT, file))) as object)
    .filter(isJob)
    .map(({ name, whenClosed }) => ({ name, endsWhenClosed: whenClosed === 'ends' }))

const files = globSync('src/**/*.ts', { cwd: ROOT }).filter((file) =>
  readFileSync(join(ROOT, file), 'utf8').includes('= defineJob({'),
)

/** Jobs that `src` defines, by name. */
export const DEFINED_JOBS: readonly { name: string; endsWhenClosed: boolean }[] = (await Promise.all(files.map(jobsIn)))
  .flat()
  .sort((a, b) => (a.name < b.name ? -1 : 1))
