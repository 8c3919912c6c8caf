import * as z from 'zod/mini'
import { APPROVAL_KINDS, APPROVAL_STATUSES } from '../../../schema/values/approvals.ts'
import {
  type AnswersOf,
  body,
  id,
  instant,
  means,
  page,
  projectId,
  selfExplanatory,
} from '../../platform/http/answers.ts'
import type { approvalOperations } from './operations.ts'

/** Answer to a call that waits for a person's approval. */
export const awaitingAnswer = {
  status: means(
    '`awaiting_approval`: the change is saved. It goes out automatically after a person approves it at `approve_url`.',
    z.literal('awaiting_approval'),
  ),
  approval_id: means('ID of the approval, as listed by `GET /approvals`.', id()),
  article_id: means('ID of the article, as listed by `GET /articles`. Null if it concerns none.', z.nullable(id())),
  approve_url: means(
    'URL of the page on which a person approves it or sends it back. Show it to the user.',
    z.string(),
  ),
  expires_at: means('Time until which a person can approve it.', instant()),
  error: means('Reason for waiting, in one sentence.', z.string()),
}

const approval = {
  id: means('ID of the approval, the `:id` of `GET /approvals/:id`.', id()),
  project_id: projectId(),
  kind: means(
    'Kind of the work that needs approval. `publish`: an article. `sync`: a change of a live article. `suggestion`: a rewrite of a live article. `rollback`: an earlier version of a live article. `unpublish`: an adopted post to take down. `replay`: a repeated delivery. `social_post`: a social post. `comment_guide`: a rule that answers commenters. `review_reply`: a reply to a review. `crowdwork`: a campaign. `changes`: a set of changes of live articles, with its later revert.',
    z.enum(APPROVAL_KINDS),
  ),
  status: means(
    '`awaiting`: no decision yet. `approved`: goes out now or on its date. `used`: it went out. `returned`: `comment` describes what to change. `superseded`: the text or target changed, so a new approval is requested. `expired`: no decision in time. `failed`: approved, but the call failed; see `result`.',
    z.enum(APPROVAL_STATUSES),
  ),
  article_id: means(
    'ID of the article. Null if it is not about an article, or if the article was deleted.',
    z.nullable(id()),
  ),
  title: means('Title of what goes out. May be empty.', z.string()),
  target: means('Target that it is sent to.', z.string()),
  comment: means('Comment of the person. Null if there is none.', z.nullable(z.string())),
  requested_by: means('Requester of the approval: `key:7`, `job:…`.', z.string()),
  decided_by: means(
    'Email address of the person, or the name entered on a review page. Null before the decision.',
    z.nullable(z.string()),
  ),
  decided_at: means('Time of the decision. Null before it.', z.nullable(instant())),
  approve_url: means(
    'URL of the page on which a person approves it or sends it back. Show it to the user.',
    z.string(),
  ),
  created_at: selfExplanatory(instant()),
  expires_at: means('Time until which it can be approved, or until which approved content can go out.', instant()),
}

const version = z.strictObject({
  title: means('Title. Empty if it has none.', z.string()),
  body: means('Content; HTML if `format` is `html`.', z.string()),
  format: means('Format of `body`.', z.enum(['html', 'text'])),
  fields: means('Other content that goes out with it, by display names.', z.record(z.string(), z.string())),
})

/** Answer of the approved call after it has ended. Null before that, and for approvals without a call. */
const result = z.nullable(
  z.strictObject({
    status: means('HTTP status that the call would have returned.', z.int()),
    body: means('Response body, or the error with its `code`.', z.record(z.string(), z.unknown())),
  }),
)

/** Answers of the operations of approvals. */
export const approvalAnswers = {
  approvals: { 200: page({ approvals: means('Approvals, newest first.', z.array(z.strictObject(approval))) }) },
  approval: {
    200: body({
      approval: selfExplanatory(
        z.strictObject({
          ...approval,
          proposed: means('Exact content that goes out.', version),
          live: means('Content that readers see now. Null for new content.', z.nullable(version)),
          result: means(
            'Response of the approved call, after it ended. Null before that. Always null for articles and rewrites, which show their own state.',
            result,
          ),
        }),
      ),
    }),
  },
} satisfies AnswersOf<typeof approvalOperations>
