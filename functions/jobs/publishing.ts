import { followApproval } from '../../src/accounts/approvals/follow.ts'
import { approvedJob, followJob } from '../../src/accounts/approvals/jobs.ts'
import { batchJob } from '../../src/content/articles/batches/job.ts'
import { continueBatch, giveUpBatch } from '../../src/content/articles/batches/run.ts'
import { abandonWriting } from '../../src/content/writing/finish.ts'
import { writeJob } from '../../src/content/writing/jobs.ts'
import { continueWriting, type WritingDeps } from '../../src/content/writing/step.ts'
import { type Handler, handle } from '../../src/platform/jobs/job.ts'
import { continueAdoption, giveUpAdoption } from '../../src/publishing/adopt/run.ts'
import { continueChanges, giveUpChanges } from '../../src/publishing/changes/run.ts'
import { giveUpCopy, sendCopy } from '../../src/publishing/copies/run.ts'
import { tellJob } from '../../src/publishing/engines/job.ts'
import type { IndexNow } from '../../src/publishing/engines/port.ts'
import { tellEngines } from '../../src/publishing/engines/tell.ts'
import {
  adoptJob,
  changesJob,
  copyJob,
  deliverJob,
  liveChangeJob,
  moveSiteJob,
  publishDueJob,
  receiptJob,
  republishJob,
  trafficJob,
  wordsJob,
} from '../../src/publishing/jobs.ts'
import { giveUpLiveChange, lookUpLiveChange } from '../../src/publishing/live/look-up.ts'
import { checkReceipt, failReceipt } from '../../src/publishing/live/receipt.ts'
import { continueMove, giveUpMove } from '../../src/publishing/move/run.ts'
import { followDecision, giveUpApproved, sendApproved } from '../../src/publishing/send/approved.ts'
import { giveUpDue, publishDue, republish } from '../../src/publishing/send/clock.ts'
import { deliverWaiting, giveUpDelivery } from '../../src/publishing/send/deliver.ts'
import type { ReceiptSigner } from '../../src/publishing/signed/keys.ts'
import { indexWords } from '../../src/publishing/statements/index-words.ts'
import type { TargetFactory } from '../../src/publishing/target/publish-target.ts'
import { readTraffic } from '../../src/publishing/traffic.ts'

type Uses = { writing: WritingDeps; indexNow: IndexNow; signer: ReceiptSigner | undefined }

/** Returns the jobs of publishing and writing. */
export const publishingJobs = (targets: TargetFactory, { writing, indexNow, signer }: Uses): Handler[] => [
  handle(deliverJob, {
    run: (ctx, { delivery_id }) => deliverWaiting(ctx, targets, delivery_id),
    gaveUp: (ctx, { delivery_id }, reason) => giveUpDelivery(ctx, delivery_id, reason),
  }),
  handle(copyJob, {
    run: (ctx, { copy_id }) => sendCopy(ctx, targets, copy_id),
    gaveUp: (ctx, { copy_id }, reason) => giveUpCopy(ctx, copy_id, reason),
  }),
  handle(adoptJob, {
    run: (ctx, { adoption_id }) => continueAdoption(ctx, targets, adoption_id),
    gaveUp: (ctx, { adoption_id }, reason) => giveUpAdoption(ctx, adoption_id, reason),
  }),
  handle(moveSiteJob, {
    run: (ctx, { move_id }) => continueMove(ctx, move_id),
    gaveUp: (ctx, { move_id }, reason) => giveUpMove(ctx, move_id, reason),
  }),
  handle(changesJob, {
    run: (ctx, { change_set_id }) => continueChanges(ctx, targets, change_set_id),
    gaveUp: (ctx, { change_set_id }, reason) => giveUpChanges(ctx, change_set_id, reason),
  }),
  handle(wordsJob, { run: indexWords }),
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
  handle(trafficJob, { run: (ctx, { integration_id }) => readTraffic(ctx, targets, integration_id) }),
  handle(receiptJob, {
    run: (ctx, job) => checkReceipt(ctx, targets, job, signer),
    gaveUp: (ctx, { article_id }, reason) => failReceipt(ctx, article_id, reason),
  }),
  handle(tellJob, { run: (ctx, { project_id }) => tellEngines(ctx, targets, indexNow, project_id) }),
  handle(batchJob, {
    run: (ctx, { batch_id }) => continueBatch(ctx, batch_id),
    gaveUp: (ctx, { batch_id }, reason) => giveUpBatch(ctx, batch_id, reason),
  }),
  handle(writeJob, {
    run: (ctx, { article_id }) => continueWriting(ctx, writing, article_id),
    gaveUp: (ctx, { article_id }, reason) => abandonWriting(ctx, article_id, reason),
  }),
]
