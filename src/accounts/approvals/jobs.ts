import * as z from 'zod/mini'
import { defineJob } from '../../platform/jobs/job.ts'
import { id } from '../../platform/lib/fields.ts'

const payload = z.object({ approval_id: id() })

/** Sends the approved content of an article. Asks again if its content or target has changed since the approval. */
export const approvedJob = defineJob({
  name: 'publishing.approved',
  whenClosed: 'ends',
  payload,
  key: 'approved',
  id: 'approval_id',
})

/** Carries out an approved call of a social network, a business profile or the crowdwork provider. */
export const callJob = defineJob({
  name: 'approvals.call',
  whenClosed: 'ends',
  payload,
  key: 'approved_call',
  id: 'approval_id',
})

/** Mails people about an approval, reminds a second owner after a day, and expires the approval when its time is over. */
export const followJob = defineJob({
  name: 'approvals.follow',
  whenClosed: { runs: 'it ends the question in time; nobody of a closed account is told' },
  payload,
  key: 'follow_approval',
  id: 'approval_id',
})
