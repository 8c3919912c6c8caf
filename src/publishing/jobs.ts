import * as z from 'zod/mini'
import { defineJob, type JobDefinition } from '../jobs/define.ts'
import { id, isoTime } from '../lib/fields.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { deliverWaiting } from './deliver.ts'
import { publishDue } from './due.ts'
import { failDue } from './due-statements.ts'
import type { TargetFactory } from './port.ts'
import { checkReceipt } from './receipt.ts'
import { freeRollback } from './rollback.ts'
import { abandonDelivery } from './statements.ts'

const GAVE_UP = 'It could not be sent although it was tried many times, for a reason on our side. Publish it again.'

const giveUpDelivery = async (ctx: Ctx, payload: { delivery_id: number }): Promise<void> => {
  await ctx.write(abandonDelivery(ctx, payload.delivery_id, GAVE_UP))
}

const giveUpDue = async (ctx: Ctx, payload: { article_id: number }): Promise<void> => {
  await ctx.write(failDue(ctx, payload.article_id, GAVE_UP))
}

/** The jobs of publishing: a delivery that waits, an article whose date has come, the look at the live page. */
export const publishingJobs = (targets: TargetFactory): JobDefinition[] => [
  defineJob(
    'publishing.deliver',
    z.object({ delivery_id: id() }),
    (ctx, p) => deliverWaiting(ctx, targets, p.delivery_id),
    giveUpDelivery,
  ),
  defineJob(
    'publishing.publish_due',
    z.object({ article_id: id(), live: z.boolean() }),
    (ctx, p) => publishDue(ctx, targets, p.article_id, p.live),
    giveUpDue,
  ),
  defineJob('publishing.rollback_lost', z.object({ article_id: id(), lease: isoTime() }), (ctx, p) =>
    freeRollback(ctx, p.article_id, new Date(p.lease)),
  ),
  defineJob('publishing.receipt', z.object({ article_id: id() }), (ctx, p) => checkReceipt(ctx, p.article_id)),
]
