import { defineJob, type JobDefinition } from '../../../platform/jobs/define.ts'
import { type EndOutside, eraseAccount } from './erase.ts'
import { giveUpExport, runExport } from './export.ts'
import { eraseJob, exportJob } from './job.ts'

/** The jobs that copy and erase accounts. */
export const leavingJobs = (endOutside: EndOutside): JobDefinition[] => [
  defineJob(
    eraseJob,
    (ctx, { account_id }) => eraseAccount(ctx, account_id, endOutside),
    async (ctx, { account_id }, reason) => ctx.log('error', 'account.not_erased', { account: account_id, reason }),
  ),
  defineJob(
    exportJob,
    (ctx, { export_id }) => runExport(ctx, export_id),
    (ctx, { export_id }) => giveUpExport(ctx, export_id),
  ),
]
