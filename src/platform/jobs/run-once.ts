import { ApiError } from '../lib/errors.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { errorFields } from '../runtime/log.ts'
import type { JobDefinition, JobResult } from './define.ts'

/** What was thrown by a run, or by its last write: a failure that may pass. */
export const failureOf = (job: string, { log, run }: Pick<Ctx, 'log' | 'run'>, error: unknown): JobResult => {
  if (error instanceof ApiError) return { kind: 'again', reason: error.code }
  log('error', 'job.failed', { job, outbox_id: run?.id, ...errorFields(error) })
  return { kind: 'again', reason: 'internal' }
}

/** One run of a job. What it throws is a failure that may pass. */
export const runOnce = async (job: JobDefinition, ctx: Ctx, payload: unknown): Promise<JobResult> => {
  try {
    return await job.run(ctx, payload)
  } catch (error) {
    return failureOf(job.name, ctx, error)
  }
}
