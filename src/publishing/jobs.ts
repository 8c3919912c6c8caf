import * as z from 'zod/mini'
import { defineJob, type JobDefinition } from '../jobs/define.ts'
import { id } from '../lib/fields.ts'
import { deliverWaiting } from './deliver.ts'
import { publishDue } from './due.ts'
import type { TargetFactory } from './port.ts'
import { checkReceipt } from './receipt.ts'

/** The jobs of publishing: a delivery that waits, an article whose date has come, the look at the live page. */
export const publishingJobs = (targets: TargetFactory): JobDefinition[] => [
  defineJob('publishing.deliver', z.object({ delivery_id: id() }), (ctx, p) =>
    deliverWaiting(ctx, targets, p.delivery_id),
  ),
  defineJob('publishing.publish_due', z.object({ article_id: id(), live: z.boolean() }), (ctx, p) =>
    publishDue(ctx, targets, p.article_id, p.live),
  ),
  defineJob('publishing.receipt', z.object({ article_id: id() }), (ctx, p) => checkReceipt(ctx, p.article_id)),
]
