import { defineJob, type JobDefinition } from '../jobs/define.ts'
import { ScanProgress } from './progress.ts'
import { abandonScan, scanSite } from './scan.ts'

/** The jobs of research: the scan of a project's site. */
export const researchJobs = (): JobDefinition[] => [defineJob('research.scan', ScanProgress, scanSite, abandonScan)]
