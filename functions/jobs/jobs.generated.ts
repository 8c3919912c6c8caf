// Written by `npm run generate` from the jobs that are defined in src. Do not edit.
import type { PlacedJob } from '../../src/platform/jobs/job.ts'

export const JOBS: readonly PlacedJob[] = []
