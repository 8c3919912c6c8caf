import * as z from 'zod/mini'
import { APPROVAL_KINDS, APPROVAL_STATUSES } from '../../../schema/values/approvals.ts'
import { type AnswersOf, body, id, instant, page } from '../../platform/http/answers.ts'
import type { approvalOperations } from './operations.ts'

/** Answer to a call that waits for a person's approval. */
export const awaitingAnswer = {
  status: z.literal('awaiting_approval'),
  approval_id: id(),
  article_id: z.nullable(id()),
  approve_url: z.string(),
  expires_at: instant(),
  error: z.string(),
}

const approval = {
  id: id(),
  project_id: id(),
  kind: z.enum(APPROVAL_KINDS),
  status: z.enum(APPROVAL_STATUSES),
  article_id: z.nullable(id()),
  title: z.string(),
  target: z.string(),
  comment: z.nullable(z.string()),
  requested_by: z.string(),
  decided_by: z.nullable(z.string()),
  decided_at: z.nullable(instant()),
  approve_url: z.string(),
  created_at: instant(),
  expires_at: instant(),
}

const version = z.strictObject({
  title: z.string(),
  body: z.string(),
  format: z.enum(['html', 'text']),
  fields: z.record(z.string(), z.string()),
})

/** Answer of the approved call after it has ended. Null before that, and for approvals without a call. */
const result = z.nullable(z.strictObject({ status: z.int(), body: z.record(z.string(), z.unknown()) }))

/** Answers of the operations of approvals. */
export const approvalAnswers = {
  approvals: { 200: page({ approvals: z.array(z.strictObject(approval)) }) },
  approval: {
    200: body({ approval: z.strictObject({ ...approval, proposed: version, live: z.nullable(version), result }) }),
  },
} satisfies AnswersOf<typeof approvalOperations>
