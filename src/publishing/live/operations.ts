import * as z from 'zod/mini'
import { isPlanning, NOT_OPEN, PLANNING, READER_FIELDS, UpdateArticle } from '../../content/articles/operations.ts'
import type { Operations } from '../../platform/http/operation.ts'
import { fetchableUrl, id, means } from '../../platform/lib/fields.ts'

/** Body of `POST /articles/:id/rollback`. Without a version the latest kept one is put back. */
export const RollbackArticle = z.object({
  version_id: means('ID of the kept version of the post to restore.', z.optional(id()), 'the latest kept version'),
})

/** Body of `POST /articles/:id/sync`: any edits. Without edits the saved article is sent. */
export const SyncArticle = z.object(READER_FIELDS)

/** Body of `POST /articles/:id/address`: the post's public address. */
export const AddressArticle = z.object({ url: means('Public URL of the post.', fetchableUrl()) })

export type SyncArticleInput = z.infer<typeof SyncArticle>
export type RollbackArticleInput = z.infer<typeof RollbackArticle>

/** Body of `PUT /articles/:id`: any fields. `sync` also sends the changes of a published article. */
export const EditArticle = z.object({
  ...UpdateArticle.shape,
  sync: means(
    'True: also changes a published article, and sends the change to its target.',
    z.optional(z.boolean()),
    '`false`',
  ),
})

/** Body of a restore. `sync` also sends the version of a published article. */
const RestoreArticle = z.object({
  sync: means(
    'True: also restores a published article, and sends it to its target.',
    z.optional(z.boolean()),
    '`false`',
  ),
})

export type EditArticleInput = z.infer<typeof EditArticle>
export type RestoreArticleInput = z.infer<typeof RestoreArticle>

/** Errors of operations that send a published article. */
const NOT_SENT = [
  'no_cms_integration',
  'empty_content',
  'sync_in_progress',
  'sync_failed',
  'unsupported_for_sync',
  'changed_at_site',
  'cms_rejected',
  'provider_unavailable',
  'policy',
  'project_archived',
] as const

/** Errors of operations that change an article and may send it. */
const NOT_CHANGED = [...NOT_OPEN, ...NOT_SENT]

/** Operations that change articles, including live ones. */
export const editingOperations = {
  update: {
    id: 'articles.update',
    method: 'PUT',
    path: '/articles/:id',
    perMinute: 10,
    costs: [
      {
        unit: 'article_credits',
        amount: null,
        note: 'no credit; the writer uses 1 for a planned article that is not claimed, see `will_be_written`',
      },
    ],
    scope: 'draft',
    scopeReason:
      'changing an article on its way out needs `write`: one that is planned, being sent or retried, or before an approval',
    wider: {
      scope: 'write',
      when: `${PLANNING}, or sending it to the site with sync,`,
      needs: (body) => isPlanning(body) || body.sync === true,
    },
    summary: 'Changes the fields that you send of a Draft or Planned article. With `sync`, also of a published one.',
    success: [200, 202],
    json: EditArticle,
    etag: true,
    ifMatch: true,
    errors: NOT_CHANGED,
  },
  restore: {
    id: 'articles.restore',
    method: 'POST',
    path: '/articles/:id/revisions/:revision/restore',
    perMinute: 10,
    scope: 'draft',
    scopeReason:
      'changing an article on its way out needs `write`: one that is planned, being sent or retried, or before an approval',
    wider: { scope: 'write', when: 'Sending a version to the site with sync', needs: ({ sync }) => sync === true },
    summary:
      'Restores an earlier version of an article. With `sync`, also of a published article, and sends it to the site.',
    success: [200, 202],
    json: RestoreArticle,
    bodyOptional: true,
    etag: true,
    errors: NOT_CHANGED,
  },
  sync: {
    id: 'articles.sync',
    method: 'POST',
    path: '/articles/:id/sync',
    perMinute: 10,
    typicalSeconds: 5,
    isShared: true,
    scope: 'write',
    summary:
      'Saves edits of a published article and sends them to the target as an update. The update is sent only once.',
    success: [200, 202],
    json: SyncArticle,
    bodyOptional: true,
    etag: true,
    ifMatch: true,
    errors: ['not_found', 'forbidden', 'not_published', ...NOT_SENT],
  },
} as const satisfies Operations
