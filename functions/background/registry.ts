import { crowdworkJobs } from '../../src/crowdwork/jobs.ts'
import type { Crowdwork } from '../../src/crowdwork/port.ts'
import { type Registry, registryOf } from '../../src/jobs/define.ts'
import type { KeywordMeans } from '../../src/onboarding/discover.ts'
import { onboardingJobs } from '../../src/onboarding/jobs.ts'
import type { EndOutside } from '../../src/people/leaving/erase.ts'
import { leavingJobs } from '../../src/people/leaving/jobs.ts'
import type { Mailer } from '../../src/people/mail.ts'
import { mailJobs } from '../../src/people/send-mail.ts'
import { screenshotJobs } from '../../src/screenshots/jobs.ts'
import type { Browser } from '../../src/screenshots/port.ts'
import { socialJobs } from '../../src/social/jobs.ts'
import type { Social } from '../../src/social/port.ts'
import type { PostWriter } from '../../src/social/writer-port.ts'
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
