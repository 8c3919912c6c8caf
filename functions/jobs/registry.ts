import { scanJob } from '../../src/accounts/projects/scan-job.ts'
import { writingJobs } from '../../src/content/writing/jobs.ts'
import type { Means } from '../../src/content/writing/step.ts'
import { type Registry, registryOf } from '../../src/platform/jobs/define.ts'
import { publishingJobs } from '../../src/publishing/jobs.ts'
import { receiptJob } from '../../src/publishing/send/receipt-job.ts'
import type { TargetFactory } from '../../src/publishing/target/publish-target.ts'

/** Looks at live pages take a moment each, and come in numbers. */
export const WOKEN_TOGETHER: ReadonlySet<string> = new Set([receiptJob.name])

/** Domains whose jobs are in `functions/watch`, and a job by its own name. */
const WATCHED: ReadonlySet<string> = new Set([
  'effects',
  'exchange',
  'search',
  'suggestions',
  'visibility',
  scanJob.name,
])

/** The Worker that runs a job which is not of this one. */
export const elsewhere = (job: string): 'WATCH' | 'BACKGROUND' =>
  WATCHED.has(job) || WATCHED.has(job.split('.', 1)[0] ?? '') ? 'WATCH' : 'BACKGROUND'

/** The jobs of publishing and writing. */
export const registry = (targets: TargetFactory, means: Means): Registry =>
  registryOf([...publishingJobs(targets), ...writingJobs(means)])
