import { exchangeJobs } from '../../src/exchange/jobs.ts'
import type { Registry } from '../../src/jobs/executor.ts'
import { siteKeywords } from '../../src/providers/site-keywords/index.ts'
import { publishingJobs } from '../../src/publishing/jobs.ts'
import type { TargetFactory } from '../../src/publishing/port.ts'
import { researchJobs } from '../../src/research/jobs.ts'
import { writingJobs } from '../../src/writing/jobs.ts'
import type { Writer } from '../../src/writing/port.ts'

/** Every job of the service by name. */
export const registry = (targets: TargetFactory, writer: Writer): Registry =>
  new Map(
    [...publishingJobs(targets), ...researchJobs(siteKeywords()), ...exchangeJobs(), ...writingJobs(writer)].map(
      (job) => [job.name, job],
    ),
  )
