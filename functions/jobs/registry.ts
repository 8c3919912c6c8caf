import { exchangeJobs } from '../../src/exchange/jobs.ts'
import { type Registry, registryOf } from '../../src/jobs/define.ts'
import { publishingJobs } from '../../src/publishing/jobs.ts'
import type { TargetFactory } from '../../src/publishing/target/publish-target.ts'
import { siteJobs } from '../../src/site/jobs.ts'
import { writingJobs } from '../../src/writing/jobs.ts'
import type { Means } from '../../src/writing/step.ts'

/** The jobs of publishing, sites, the exchange and writing. All others are in `functions/background`. */
export const registry = (targets: TargetFactory, means: Means): Registry =>
  registryOf([...publishingJobs(targets), ...siteJobs(), ...exchangeJobs(), ...writingJobs(means)])
