import * as z from 'zod/mini'
import { defineJob, type JobDefinition } from '../jobs/define.ts'
import { id } from '../lib/fields.ts'
import { abandonOnboarding, runOnboarding } from './onboard.ts'
import type { KeywordSource } from './port.ts'
import { ScanProgress } from './progress.ts'
import { abandonScan, scanSite } from './scan.ts'

/** The jobs of research: the scan of a project's site, and its onboarding. */
export const researchJobs = (keywords: KeywordSource): JobDefinition[] => [
  defineJob('research.scan', ScanProgress, scanSite, abandonScan),
  defineJob(
    'research.onboard',
    z.object({ project_id: id() }),
    (ctx, p) => runOnboarding(ctx, keywords, p.project_id),
    (ctx, p) => abandonOnboarding(ctx, p.project_id),
  ),
]
