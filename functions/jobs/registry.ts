import { exchangeJobs } from '../../src/exchange/jobs.ts'
import { type Registry, registryOf } from '../../src/jobs/define.ts'
import { publishingJobs } from '../../src/publishing/jobs.ts'
import { receiptJob } from '../../src/publishing/send/receipt-job.ts'
import type { TargetFactory } from '../../src/publishing/target/publish-target.ts'
import { siteJobs } from '../../src/site/jobs.ts'
import { writingJobs } from '../../src/writing/jobs.ts'
import type { Means } from '../../src/writing/step.ts'

/** Looks at live pages take a moment each, and come in numbers. */
export const WOKEN_TOGETHER: ReadonlySet<string> = new Set([receiptJob.name])

/** The jobs of publishing, sites, the exchange and writing. All others are in `functions/background`. */
export const registry = (targets: TargetFactory, means: Means): Registry =>
  registryOf([...publishingJobs(targets), ...siteJobs(), ...exchangeJobs(), ...writingJobs(means)])
