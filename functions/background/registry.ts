import { crowdworkJobs } from '../../src/crowdwork/jobs.ts'
import type { Crowdwork } from '../../src/crowdwork/port.ts'
import { effectJobs } from '../../src/effects/jobs.ts'
import { type Registry, registryOf } from '../../src/jobs/define.ts'
import type { KeywordMeans } from '../../src/onboarding/discover.ts'
import { onboardingJobs } from '../../src/onboarding/jobs.ts'
import type { EndOutside } from '../../src/people/leaving/erase.ts'
import { leavingJobs } from '../../src/people/leaving/jobs.ts'
import type { SendMail } from '../../src/people/mail.ts'
import { screenshotJobs } from '../../src/screenshots/jobs.ts'
import type { Browser } from '../../src/screenshots/port.ts'
import { searchJobs } from '../../src/search/jobs.ts'
import type { SearchConsole } from '../../src/search/port.ts'
import { socialJobs } from '../../src/social/jobs.ts'
import type { Social } from '../../src/social/port.ts'
import type { PostWriter } from '../../src/social/writer-port.ts'
import { suggestionJobs } from '../../src/suggestions/jobs.ts'
import type { MainContent } from '../../src/suggestions/live-page.ts'
import { visibilityJobs } from '../../src/visibility/jobs.ts'
import type { AnswerEngines } from '../../src/visibility/port.ts'
import type { Writer } from '../../src/writing/port.ts'

type Means = {
  social: Social
  posts: PostWriter
  crowd: Crowdwork
  google: SearchConsole
  engines: AnswerEngines | undefined
  keywords: KeywordMeans
  writer: Writer
  browser: Browser
  send: SendMail
  endOutside: EndOutside
  mainContent: MainContent
}

/** The jobs of the domains that ask other services: each domain adds its own. */
export const registry = (means: Means): Registry => {
  const { social, crowd, google, engines, keywords, writer, posts, browser, mainContent } = means
  return registryOf([
    ...socialJobs(social, posts),
    ...crowdworkJobs(crowd),
    ...searchJobs(google),
    ...visibilityJobs(engines),
    ...onboardingJobs(keywords),
    ...suggestionJobs({ writer, mainContent }),
    ...effectJobs(),
    ...screenshotJobs(browser),
    ...leavingJobs(means),
  ])
}
