import { exchangeJobs } from '../../src/exchange/jobs.ts'
import type { Registry } from '../../src/jobs/executor.ts'
import { onboardingJobs } from '../../src/onboarding/jobs.ts'
import { siteKeywords } from '../../src/providers/site-keywords/index.ts'
import { publishingJobs } from '../../src/publishing/jobs.ts'
import type { TargetFactory } from '../../src/publishing/target/publish-target.ts'
import { siteJobs } from '../../src/site/jobs.ts'
import { writingJobs } from '../../src/writing/jobs.ts'
import type { Writer } from '../../src/writing/port.ts'

/** Every job of the service by name. */
export const registry = (targets: TargetFactory, writer: Writer): Registry =>
  new Map(
    [
      ...publishingJobs(targets),
      ...siteJobs(),
      ...onboardingJobs(siteKeywords()),
      ...exchangeJobs(),
      ...writingJobs(writer),
    ].map((job) => [job.name, job]),
  )
