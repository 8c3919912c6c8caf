import { defineJob, type JobDefinition } from '../../platform/jobs/define.ts'
import { measureJob } from './job.ts'
import { measureChange } from './measure.ts'

/** The jobs of effects. A measurement that is given up is asked for again the next day. */
export const effectJobs = (): JobDefinition[] => [
  defineJob(
    measureJob,
    (ctx, { change_id: id }) => measureChange(ctx, id),
    async () => undefined,
  ),
]
