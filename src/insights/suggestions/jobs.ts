import { defineJob, type JobDefinition } from '../../platform/jobs/define.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { rewriteJob, weeklyJob } from './declared-jobs.ts'
import { abandonRewrite, type RewriteMeans, rewriteSuggestion } from './rewrite.ts'
import { runWeekly } from './run.ts'

/** The jobs of suggestions. */
export const suggestionJobs = (means: RewriteMeans): JobDefinition[] => [
  defineJob(
    rewriteJob,
    (ctx, { suggestion_id: id }) => rewriteSuggestion(ctx, means, id),
    (ctx, { suggestion_id: id }, reason) => abandonRewrite(ctx, id, reason),
  ),
  defineJob(
    weeklyJob,
    async (ctx, { project_id: id }) => {
      try {
        await runWeekly(ctx, id)
      } catch (error) {
        // A project that was archived or deleted meanwhile needs no suggestions.
        if (!(error instanceof ApiError && error.code === 'not_found')) throw error
      }
      return { kind: 'done' }
    },
    async () => undefined,
  ),
]
