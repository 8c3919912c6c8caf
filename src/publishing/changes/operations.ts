import * as z from 'zod/mini'
import { READER_FIELDS } from '../../content/articles/operations.ts'
import { lengthOf } from '../../platform/db/paging.ts'
import type { Operations } from '../../platform/http/operation.ts'
import { id, means, text } from '../../platform/lib/fields.ts'

/** Most articles of one set. */
const MAX_CHANGES = 50

/** Length of the list of a site's change sets. */
export const SHOWN = { default: 20, max: 100 }

const Change = z.object({
  article_id: means('ID of a published article.', id()),
  ...READER_FIELDS,
})

/** Body of `POST /changes`. */
const MakeChanges = z.object({
  project_id: means('ID of the project of all articles.', id()),
  name: means('Name of the set for people: what it changes, and why.', text(200, 1)),
  changes: means(
    `Changes, one for each article, in the order of their release. At most ${MAX_CHANGES}.`,
    z.array(Change).check(z.minLength(1), z.maxLength(MAX_CHANGES)),
  ),
})

/** Body of `POST /changes/:id/release`. */
const ReleaseChanges = z.object({
  skip_refused: means(
    'True: leaves out articles that were refused before. Otherwise they are sent again.',
    z.optional(z.boolean()),
    '`false`',
  ),
})

const ListChanges = z.object({ limit: lengthOf(SHOWN) })

export type MakeChangesInput = z.infer<typeof MakeChanges>
export type ReleaseChangesInput = z.infer<typeof ReleaseChanges>
export type ListChangesInput = z.infer<typeof ListChanges>

/** Operations on sets of changes of published articles. */
export const changesOperations = {
  create: {
    id: 'changes.create',
    method: 'POST',
    path: '/changes',
    perMinute: 10,
    scope: 'draft',
    summary:
      'Makes a named set of changes of published articles. Nothing is changed or sent: the set is shown, approved and released as one.',
    success: [201],
    json: MakeChanges,
    errors: ['not_found', 'forbidden', 'not_published', 'empty_content', 'unsupported_for_sync', 'project_archived'],
  },
  list: {
    id: 'changes.list',
    method: 'GET',
    path: '/projects/:id/changes',
    perMinute: 30,
    scope: 'read',
    summary: 'Lists the change sets of a project, newest first.',
    query: ListChanges,
    errors: ['not_found', 'forbidden'],
  },
  show: {
    id: 'changes.show',
    method: 'GET',
    path: '/changes/:id',
    perMinute: 60,
    scope: 'read',
    summary: 'Returns a change set with the difference and the state of each article.',
    errors: ['not_found', 'forbidden'],
  },
  release: {
    id: 'changes.release',
    method: 'POST',
    path: '/changes/:id/release',
    perMinute: 10,
    scope: 'write',
    summary:
      'Releases a change set: sends its changes to the site in order, and stops at the first refusal. One approval covers the set and its revert. The same call goes on after a stop.',
    success: [202],
    json: ReleaseChanges,
    bodyOptional: true,
    errors: ['not_found', 'forbidden', 'invalid_transition', 'no_cms_integration', 'policy', 'project_archived'],
  },
  revert: {
    id: 'changes.revert',
    method: 'POST',
    path: '/changes/:id/revert',
    perMinute: 10,
    scope: 'write',
    summary:
      'Reverts a change set: each article gets the text and fields that it had. An article that somebody changed since is left out and named.',
    success: [202],
    errors: ['not_found', 'forbidden', 'invalid_transition', 'no_cms_integration', 'policy', 'project_archived'],
  },
} as const satisfies Operations
