import * as z from 'zod/mini'
import { defineJob } from '../../platform/jobs/job.ts'
import { id } from '../../platform/lib/fields.ts'
import { ScanProgress } from './scan-progress.ts'

/** Finds keywords for a project and plans its first month. `src/insights/onboarding` does it. */
export const onboardJob = defineJob({
  name: 'research.onboard',
  worker: 'background',
  payload: z.object({ project_id: id() }),
  key: 'onboard',
  id: 'project_id',
})

/** Scans a project's site. `src/content/site` does it. */
export const scanJob = defineJob({
  name: 'research.scan',
  worker: 'watch',
  payload: ScanProgress,
  key: 'scan',
  id: 'project_id',
})

/** Publishes a social post, now or at its date, or looks it up if its outcome is unknown. `src/reach/social` does it. */
export const postJob = defineJob({
  name: 'social.post',
  worker: 'background',
  payload: z.object({ post_id: id() }),
  key: 'social_post',
  id: 'post_id',
})

/** State of a project whose scan waits to begin. */
export const SCAN_ASKED = { siteScanState: 'pending', siteScanError: null } as const

/** The turns of a scan that begins again start here, so that a run of the one before saves nothing any more. */
export const firstTurn = (random: number): number => 1 + Math.floor(random * 1_000_000_000)
