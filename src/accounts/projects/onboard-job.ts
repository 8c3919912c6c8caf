import * as z from 'zod/mini'
import { declareJob } from '../../platform/jobs/declare.ts'
import { id } from '../../platform/lib/fields.ts'

/** Finds keywords for a project and plans its first month. What it does stands in `src/insights/onboarding`. */
export const onboardJob = declareJob({
  name: 'research.onboard',
  payload: z.object({ project_id: id() }),
  key: 'onboard',
  id: 'project_id',
})
