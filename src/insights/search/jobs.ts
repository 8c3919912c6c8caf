import { defineJob, type JobDefinition } from '../../platform/jobs/define.ts'
import type { SearchConsole } from './port.ts'
import { syncSearch } from './sync.ts'
import { syncJob } from './sync-job.ts'

/** The job that keeps search history. Given up, it is asked for again the next day. */
export const searchJobs = (google: SearchConsole): JobDefinition[] => [
  defineJob(
    syncJob,
    (ctx, progress) => syncSearch(ctx, google, progress),
    async () => {},
  ),
]
