import * as z from 'zod/mini'
import { CHANGE_SET_STATES, CHANGE_STATES } from '../../../schema/values/changes.ts'
import { awaitingAnswer } from '../../accounts/approvals/answers.ts'
import {
  type AnswersOf,
  articleId,
  body,
  count,
  id,
  instant,
  means,
  message,
  projectId,
  selfExplanatory,
} from '../../platform/http/answers.ts'
import type { changesOperations } from './operations.ts'

const counts = {
  waiting: means('Articles that are not sent yet.', count()),
  sent: means('Articles whose change the site has.', count()),
  refused: means('Articles whose change was refused.', count()),
  left_out: means('Articles that somebody changed since, so that they are left out.', count()),
  reverted: means('Articles that have their earlier text and fields again.', count()),
}

const set = {
  id: means('ID of the change set.', id()),
  project_id: projectId(),
  name: selfExplanatory(z.string()),
  status: means(
    '`draft`: nothing was sent. `releasing`, `reverting`: in progress. `stopped`: it ended at an article that was refused, for the reason in `error`; the same call goes on from there.',
    z.enum(CHANGE_SET_STATES),
  ),
  approved: means('True if a person approved the set, or released it. This covers its revert.', z.boolean()),
  error: means('Reason why it stopped. Null if it did not.', z.nullable(z.string())),
  counts: means('Number of articles by state.', z.strictObject(counts)),
  page: means('Page on which people see the set and its differences.', z.string()),
  created_at: selfExplanatory(instant()),
  updated_at: means('Time of the last progress.', instant()),
}

const change = z.strictObject({
  article_id: articleId(),
  title: means('Title of the article now.', z.string()),
  url: means('Public URL. Null if none is known.', z.nullable(z.string())),
  status: means(
    '`waiting`, `again`: to be sent. `sending`, `reverting`: in progress. `sent`: the site has it. `refused`, `left_out`: for the reason in `error`. `reverted`: the site has the earlier version again.',
    z.enum(CHANGE_STATES),
  ),
  base_revision: means('Revision of the article that the change was made of.', count()),
  error: means('Reason why it was refused or left out. Null if it was not.', z.nullable(z.string())),
  fields: means('Names of the changed fields.', z.array(z.string())),
  difference: means(
    'The changed blocks of the text as HTML, added words in `ins` and removed ones in `del`. Null if the text stays.',
    z.nullable(z.string()),
  ),
  before: means('Earlier values of the other changed fields.', z.record(z.string(), z.unknown())),
  after: means('New values of these fields.', z.record(z.string(), z.unknown())),
})

const started = body({
  status: means('The set is being worked on.', z.enum(['releasing', 'reverting'])),
  change_set_id: means('ID of the change set.', id()),
  message: message(),
})

/** Answers of the operations on change sets. */
export const changesAnswers = {
  create: {
    201: body({
      status: means('The set was made, and nothing was sent.', z.literal('draft')),
      change_set_id: means('ID of the change set.', id()),
      changes: means('Number of articles.', count()),
      unchanged: means('Articles whose values stay the same. They are not in the set.', z.array(id())),
      warnings: means(
        'Articles whose text changes the preview of a kept block, which is left out. Absent if there are none.',
        z.optional(z.array(z.string())),
      ),
      page: means('Page on which people see the set and its differences.', z.string()),
      message: message(),
    }),
  },
  list: { 200: body({ change_sets: means('Change sets, newest first.', z.array(z.strictObject(set))) }) },
  show: {
    200: body({
      change_set: means(
        'The change set.',
        z.strictObject({ ...set, changes: means('Changes in the order of their release.', z.array(change)) }),
      ),
    }),
  },
  release: { 202: z.union([started, body(awaitingAnswer)]) },
  revert: { 202: z.union([started, body(awaitingAnswer)]) },
} satisfies AnswersOf<typeof changesOperations>
