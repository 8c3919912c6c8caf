import { defineJob, type JobDefinition } from '../../platform/jobs/define.ts'
import { abandonWriting } from './give-up.ts'
import { continueWriting, type Means } from './step.ts'
import { writeJob } from './write-job.ts'

/** The job that writes one article, a step or several at a time. */
export const writingJobs = (means: Means): JobDefinition[] => [
  defineJob(
    writeJob,
    (ctx, { article_id }) => continueWriting(ctx, means, article_id),
    (ctx, { article_id }) => abandonWriting(ctx, article_id),
  ),
]
