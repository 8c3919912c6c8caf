import * as z from 'zod/mini'
import { ENGINES } from '../../../schema/values/visibility.ts'
import { declareJob } from '../../jobs/declare.ts'
import { id } from '../../lib/fields.ts'

const Asking = z.object({ scan_id: id(), engine: z.enum(ENGINES) })
export type Asking = z.infer<typeof Asking>

/** Asks one engine all questions of a scan. */
export const askJob = declareJob({ name: 'visibility.ask', payload: Asking, key: 'visibility_ask', id: 'scan_id' })

/** Starts the weekly scan of a project. */
export const weeklyJob = declareJob({
  name: 'visibility.weekly',
  payload: z.object({ project_id: id() }),
  key: 'visibility_weekly',
  id: 'project_id',
})
