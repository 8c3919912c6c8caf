import { defineJob, type JobDefinition } from '../platform/jobs/define.ts'
import type { Ctx } from '../platform/runtime/ctx.ts'
import { deliverJob } from './deliveries/job.ts'
import { publishDueJob, republishJob } from './due/job.ts'
import { failDue } from './due/statements.ts'
import { lostRollbackJob, lostUnpublishJob } from './live/lost-jobs.ts'
import { checkReceipt, failReceipt } from './live/receipt.ts'
import { freeRollback } from './live/rollback.ts'
import { freeUnpublish } from './live/unpublish.ts'
import { deliverWaiting } from './send/deliver.ts'
import { abandonDelivery } from './send/end-statements.ts'
import { publishDue } from './send/publish-due.ts'
import { receiptJob } from './send/receipt-job.ts'
import { republish } from './send/republish.ts'
import type { TargetFactory } from './target/publish-target.ts'

const GAVE_UP = 'It could not be sent although it was tried many times, for a reason on our side. Publish it again.'

const giveUpDelivery = async (ctx: Ctx, payload: { delivery_id: number }): Promise<void> => {
  await ctx.write(abandonDelivery(ctx, payload.delivery_id, GAVE_UP))
}

const giveUpDue = async (ctx: Ctx, payload: { article_id: number }): Promise<void> => {
  await ctx.write(failDue(ctx, payload.article_id, GAVE_UP))
}

/** The jobs of publishing: a delivery that waits, an article whose date has come, a lost rollback or unpublishing, the look at the live page. */
export const publishingJobs = (targets: TargetFactory): JobDefinition[] => [
  defineJob(deliverJob, (ctx, { delivery_id }) => deliverWaiting(ctx, targets, delivery_id), giveUpDelivery),
  defineJob(publishDueJob, (ctx, { article_id, live }) => publishDue(ctx, targets, article_id, live), giveUpDue),
  defineJob(
    republishJob,
    (ctx, { article_id, live }) => republish(ctx, targets, article_id, live),
    // The article shows since before why it is not published.
    async () => {},
  ),
  defineJob(
    lostRollbackJob,
    (ctx, { article_id, lease }) => freeRollback(ctx, article_id, new Date(lease)),
    async (ctx, { article_id, lease }) => void (await freeRollback(ctx, article_id, new Date(lease))),
  ),
  defineJob(
    lostUnpublishJob,
    (ctx, { article_id, lease }) => freeUnpublish(ctx, article_id, new Date(lease)),
    async (ctx, { article_id, lease }) => void (await freeUnpublish(ctx, article_id, new Date(lease))),
  ),
  defineJob(
    receiptJob,
    (ctx, { article_id }) => checkReceipt(ctx, article_id),
    (ctx, { article_id }) => failReceipt(ctx, article_id),
  ),
]
