import { defineJob, type JobDefinition } from '../jobs/define.ts'
import { abandonOnboarding, runOnboarding } from './onboard.ts'
import { onboardJob } from './onboard-job.ts'
import type { KeywordSource } from './port.ts'

/** The job that finds keywords for a project and plans its first month. */
export const onboardingJobs = (keywords: KeywordSource): JobDefinition[] => [
  defineJob(
    onboardJob,
    (ctx, p) => runOnboarding(ctx, keywords, p.project_id),
    (ctx, p) => abandonOnboarding(ctx, p.project_id),
  ),
]
