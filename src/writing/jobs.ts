import * as z from 'zod/mini'
import { defineJob, type JobDefinition } from '../jobs/define.ts'
import { id } from '../lib/fields.ts'
import { abandonWriting } from './give-up.ts'
import type { Writer } from './port.ts'
import { continueWriting } from './step.ts'

/** The job that writes one article, a step or several at a time. */
export const writingJobs = (writer: Writer): JobDefinition[] => [
  defineJob(
    'writing.step',
    z.object({ article_id: id() }),
    (ctx, { article_id }) => continueWriting(ctx, writer, article_id),
    (ctx, { article_id }) => abandonWriting(ctx, article_id),
  ),
]
