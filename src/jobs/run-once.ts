import { ApiError } from '../lib/errors.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { errorFields } from '../runtime/log.ts'
import type { JobDefinition, JobResult } from './define.ts'

/** One run of a job. What it throws is a failure that may pass. */
export const runOnce = async (job: JobDefinition, ctx: Ctx, payload: unknown): Promise<JobResult> => {
  try {
    return await job.run(ctx, payload)
  } catch (error) {
    if (error instanceof ApiError) return { kind: 'again', reason: error.code }
    ctx.log('error', 'job.failed', { job: job.name, outbox_id: ctx.run?.id, ...errorFields(error) })
    return { kind: 'again', reason: 'internal' }
  }
}
