import { exchangeJobs } from '../../src/content/exchange/jobs.ts'
import { siteJobs } from '../../src/content/site/jobs.ts'
import type { Writer } from '../../src/content/writing/port.ts'
import { effectJobs } from '../../src/insights/effects/jobs.ts'
import { searchJobs } from '../../src/insights/search/jobs.ts'
import type { SearchConsole } from '../../src/insights/search/port.ts'
import { suggestionJobs } from '../../src/insights/suggestions/jobs.ts'
import type { MainContent } from '../../src/insights/suggestions/live-page.ts'
import { visibilityJobs } from '../../src/insights/visibility/jobs.ts'
import type { AnswerEngines } from '../../src/insights/visibility/port.ts'
import { type Registry, registryOf } from '../../src/platform/jobs/define.ts'

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
