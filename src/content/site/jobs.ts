import { scanJob } from '../../accounts/projects/scan-job.ts'
import { defineJob, type JobDefinition } from '../../platform/jobs/define.ts'
import { ScanProgress } from './progress.ts'
import { abandonScan, scanSite } from './scan.ts'

/** The job that scans a project's site. */
export const siteJobs = (): JobDefinition[] => [
  defineJob({ name: scanJob.name, payload: ScanProgress }, scanSite, abandonScan),
]
