import * as z from 'zod/mini'
import { declareJob } from '../jobs/declare.ts'
import { id } from '../lib/fields.ts'

/** The scan of a project's site, as a new project asks for it. What it does stands in `src/site`. */
export const scanJob = declareJob({
  name: 'research.scan',
  payload: z.object({ project_id: id() }),
  key: 'scan',
  id: 'project_id',
})
