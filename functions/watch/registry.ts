import { effectJobs } from '../../src/effects/jobs.ts'
import { exchangeJobs } from '../../src/exchange/jobs.ts'
import { type Registry, registryOf } from '../../src/jobs/define.ts'
import { searchJobs } from '../../src/search/jobs.ts'
import type { SearchConsole } from '../../src/search/port.ts'
import { siteJobs } from '../../src/site/jobs.ts'
import { suggestionJobs } from '../../src/suggestions/jobs.ts'
import type { MainContent } from '../../src/suggestions/live-page.ts'
import { visibilityJobs } from '../../src/visibility/jobs.ts'
import type { AnswerEngines } from '../../src/visibility/port.ts'
import type { Writer } from '../../src/writing/port.ts'

type Means = {
  google: SearchConsole
  engines: AnswerEngines | undefined
  writer: Writer
  mainContent: MainContent
}

/** The jobs that look at pages of sites, watch how articles do, and propose what to change. */
export const registry = ({ google, engines, writer, mainContent }: Means): Registry =>
  registryOf([
    ...searchJobs(google),
    ...visibilityJobs(engines),
    ...suggestionJobs({ writer, mainContent }),
    ...effectJobs(),
    ...siteJobs(),
    ...exchangeJobs(),
  ])
