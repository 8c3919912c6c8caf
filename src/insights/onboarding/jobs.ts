import { onboardJob } from '../../accounts/projects/onboard-job.ts'
import { defineJob, type JobDefinition } from '../../platform/jobs/define.ts'
import type { KeywordMeans } from './discover.ts'
import { abandonOnboarding, runOnboarding } from './onboard.ts'

/** The job that finds keywords for a project and plans its first month. */
export const onboardingJobs = (keywords: KeywordMeans): JobDefinition[] => [
  defineJob(
    onboardJob,
    (ctx, p) => runOnboarding(ctx, keywords, p.project_id),
    (ctx, p) => abandonOnboarding(ctx, p.project_id),
  ),
]
