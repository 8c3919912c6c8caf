import { followApproval } from '../../src/accounts/approvals/follow.ts'
import { approvedJob, followJob } from '../../src/accounts/approvals/jobs.ts'
import { abandonWriting } from '../../src/content/writing/finish.ts'
import { writeJob } from '../../src/content/writing/jobs.ts'
import { continueWriting, type WritingDeps } from '../../src/content/writing/step.ts'
import { type Handler, handle } from '../../src/platform/jobs/job.ts'
import { continueAdoption, giveUpAdoption } from '../../src/publishing/adopt/run.ts'
import {
  adoptJob,
  deliverJob,
  liveChangeJob,
  publishDueJob,
  receiptJob,
  republishJob,
} from '../../src/publishing/jobs.ts'
import { giveUpLiveChange, lookUpLiveChange } from '../../src/publishing/live/look-up.ts'
import { checkReceipt, failReceipt } from '../../src/publishing/live/receipt.ts'
import { followDecision, giveUpApproved, sendApproved } from '../../src/publishing/send/approved.ts'
import { giveUpDue, publishDue, republish } from '../../src/publishing/send/clock.ts'
import { deliverWaiting, giveUpDelivery } from '../../src/publishing/send/deliver.ts'
import type { TargetFactory } from '../../src/publishing/target/publish-target.ts'

/** Returns the jobs of publishing and writing. */
export const publishingJobs = (targets: TargetFactory, deps: WritingDeps): Handler[] => [
  handle(deliverJob, {
    run: (ctx, { delivery_id }) => deliverWaiting(ctx, targets, delivery_id),
    gaveUp: (ctx, { delivery_id }, reason) => giveUpDelivery(ctx, delivery_id, reason),
  }),
  handle(adoptJob, {
    run: (ctx, { adoption_id }) => continueAdoption(ctx, targets, adoption_id),
    gaveUp: (ctx, { adoption_id }, reason) => giveUpAdoption(ctx, adoption_id, reason),
  }),
  handle(followJob, { run: (ctx, { approval_id }) => followApproval(ctx, followDecision, approval_id) }),
  handle(approvedJob, {
    run: (ctx, { approval_id }) => sendApproved(ctx, targets, approval_id),
    gaveUp: (ctx, { approval_id }, reason) => giveUpApproved(ctx, approval_id, reason),
  }),
  handle(publishDueJob, {
    run: (ctx, { article_id, live }) => publishDue(ctx, targets, article_id, live),
    gaveUp: (ctx, { article_id }, reason) => giveUpDue(ctx, article_id, reason),
  }),
  handle(republishJob, { run: (ctx, { article_id, live }) => republish(ctx, targets, article_id, live) }),
  handle(liveChangeJob, {
    run: (ctx, { article_id, token }) => lookUpLiveChange(ctx, targets, article_id, token),
    gaveUp: (ctx, { article_id, token }, reason) => giveUpLiveChange(ctx, article_id, token, reason),
  }),
  handle(receiptJob, {
    run: (ctx, job) => checkReceipt(ctx, job),
    gaveUp: (ctx, { article_id }, reason) => failReceipt(ctx, article_id, reason),
  }),
  handle(writeJob, {
    run: (ctx, { article_id }) => continueWriting(ctx, deps, article_id),
    gaveUp: (ctx, { article_id }, reason) => abandonWriting(ctx, article_id, reason),
  }),
]
