import { defineJob, type JobDefinition } from '../jobs/define.ts'
import { scanJob } from '../projects/scan-job.ts'
import { ScanProgress } from './progress.ts'
import { abandonScan, scanSite } from './scan.ts'

/** The job that scans a project's site. */
export const siteJobs = (): JobDefinition[] => [
  defineJob({ name: scanJob.name, payload: ScanProgress }, scanSite, abandonScan),
]
