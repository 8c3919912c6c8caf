import type { EndOutside } from '../../src/accounts/people/leaving/erase.ts'
import { leavingJobs } from '../../src/accounts/people/leaving/jobs.ts'
import type { Mailer } from '../../src/accounts/people/mail.ts'
import { mailJobs } from '../../src/accounts/people/send-mail.ts'
import type { KeywordMeans } from '../../src/insights/onboarding/discover.ts'
import { onboardingJobs } from '../../src/insights/onboarding/jobs.ts'
import { screenshotJobs } from '../../src/insights/screenshots/jobs.ts'
import type { Browser } from '../../src/insights/screenshots/port.ts'
import { type Registry, registryOf } from '../../src/platform/jobs/define.ts'
import { crowdworkJobs } from '../../src/reach/crowdwork/jobs.ts'
import type { Crowdwork } from '../../src/reach/crowdwork/port.ts'
import { socialJobs } from '../../src/reach/social/jobs.ts'
import type { Social } from '../../src/reach/social/port.ts'
import type { PostWriter } from '../../src/reach/social/writer-port.ts'
import { checkJobs, type checksOf } from './checks.ts'

type Means = {
  social: Social
  posts: PostWriter
  crowd: Crowdwork
  keywords: KeywordMeans
  browser: Browser
  mailer: Mailer | undefined
  checks: ReturnType<typeof checksOf>
  endOutside: EndOutside
}

/** The jobs of people's accounts and of the domains that do things elsewhere: each domain adds its own. */
export const registry = (means: Means): Registry => {
  const { social, crowd, keywords, posts, browser } = means
  return registryOf([
    ...socialJobs(social, posts),
    ...crowdworkJobs(crowd),
    ...onboardingJobs(keywords),
    ...screenshotJobs(browser),
    ...leavingJobs(means.endOutside),
    ...mailJobs(means.mailer),
    ...checkJobs(means.checks),
  ])
}
