import * as z from 'zod/mini'
import { DELIVERY_STATUSES } from '../../schema/values/publishing.ts'
import { pagingParams } from '../platform/db/paging.ts'
import type { Operations } from '../platform/http/operation.ts'
import { id, intParam, isoTime, label, means, text } from '../platform/lib/fields.ts'
import { AddressArticle, RollbackArticle } from './live/operations.ts'

const ListDeliveries = z.object({
  ...pagingParams(),
  project_id: means('Returns only deliveries of this project.', z.optional(intParam(1)), 'all projects of the account'),
  article_id: means('Returns only deliveries of this article.', z.optional(intParam(1)), 'all'),
  status: means('Returns only deliveries with this status.', z.optional(label(DELIVERY_STATUSES)), 'all'),
})

/** Body of `POST /webhook-deliveries/:id/replay`. `force` sends content even if readers see newer content. */
const ReplayDelivery = z.object({
  force: means('True: sends the content even if readers see newer content.', z.optional(z.boolean()), '`false`'),
})

export type ReplayDeliveryInput = z.infer<typeof ReplayDelivery>
export type ListDeliveriesInput = z.infer<typeof ListDeliveries>

/** Query of `GET /articles/:id/receipt.json`. */
const SignedReceipt = z.object({
  revision: means('Returns the last receipt of this revision.', z.optional(intParam(1)), 'the newest receipt'),
})

/** Errors of operations that change a live post at its target. */
const NOT_LIVE = [
  'not_published',
  'no_cms_integration',
  'unsupported_for_sync',
  'not_found',
  'forbidden',
  'sync_in_progress',
] as const

/** Operations that publish articles and show their deliveries. */
export const publishingOperations = {
  publish: {
    id: 'articles.publish',
    method: 'POST',
    path: '/articles/:id/publish',
    perMinute: 5,
    typicalSeconds: 5,
    isShared: true,
    scope: 'write',
    summary: 'Publishes an article to the connected target, once.',
    success: [200, 202],
    errors: [
      'no_cms_integration',
      'empty_content',
      'not_found',
      'forbidden',
      'already_being_written',
      'publish_in_progress',
      'policy',
      'project_archived',
    ],
  },
  unpublish: {
    id: 'articles.unpublish',
    method: 'POST',
    path: '/articles/:id/unpublish',
    perMinute: 10,
    typicalSeconds: 5,
    scope: 'write',
    summary:
      'Takes a published article down. It becomes a draft at the site and in this service, and can be published again as the same post.',
    success: [200, 202],
    errors: [...NOT_LIVE, 'unpublish_failed', 'policy', 'project_archived'],
  },
  copies: {
    id: 'articles.copies',
    method: 'POST',
    path: '/articles/:id/copies',
    perMinute: 10,
    scope: 'write',
    summary: 'Sends missing and failed copies of an article to the followers.',
    errors: ['not_found', 'forbidden', 'project_archived'],
  },
  detach: {
    id: 'articles.detach',
    method: 'POST',
    path: '/articles/:id/detach',
    perMinute: 10,
    scope: 'write',
    summary: 'Detaches a published article from its post. The post stays at the site, and the article becomes a draft.',
    errors: ['not_published', 'not_found', 'forbidden', 'sync_in_progress'],
  },
  address: {
    id: 'articles.address',
    method: 'POST',
    path: '/articles/:id/address',
    perMinute: 10,
    scope: 'write',
    summary: 'Sets the public URL of a published article, if the URL is unknown or no longer shows the article.',
    json: AddressArticle,
    errors: ['forbidden_url', 'not_published', 'not_found', 'forbidden', 'sync_in_progress'],
  },
  rollback: {
    id: 'articles.rollback',
    method: 'POST',
    path: '/articles/:id/rollback',
    perMinute: 10,
    typicalSeconds: 5,
    isShared: true,
    scope: 'write',
    summary: 'Restores the version of the post that the CMS showed before the service’s last change.',
    success: [200, 202],
    json: RollbackArticle,
    bodyOptional: true,
    errors: [...NOT_LIVE, 'nothing_to_roll_back', 'rollback_failed', 'policy', 'project_archived'],
  },
  signedReceipt: {
    id: 'articles.receipt',
    method: 'GET',
    path: '/articles/:id/receipt.json',
    perMinute: 30,
    scope: 'read',
    summary:
      'Returns the signed receipt of a published article: which text went to which address, under which policy and approval, and what readers saw. Anybody can check it without an account.',
    query: SignedReceipt,
    errors: ['not_found', 'forbidden'],
  },
  deliveries: {
    id: 'deliveries.list',
    method: 'GET',
    path: '/webhook-deliveries',
    perMinute: 30,
    scope: 'read',
    summary: 'Lists deliveries, newest first.',
    query: ListDeliveries,
    errors: ['not_found', 'forbidden'],
  },
  delivery: {
    id: 'deliveries.get',
    method: 'GET',
    path: '/webhook-deliveries/:id',
    perMinute: 30,
    scope: 'read',
    summary: 'Returns a delivery with its attempts.',
    errors: ['not_found', 'forbidden'],
  },
  replay: {
    id: 'deliveries.replay',
    method: 'POST',
    path: '/webhook-deliveries/:id/replay',
    perMinute: 10,
    typicalSeconds: 5,
    isShared: true,
    scope: 'write',
    summary:
      'Sends a finished delivery again with the same key and content. If the article is not published, publishes its current version instead.',
    success: [201, 202],
    json: ReplayDelivery,
    bodyOptional: true,
    errors: [
      'no_cms_integration',
      'unsupported_for_sync',
      'empty_content',
      'not_found',
      'forbidden',
      'delivery_in_progress',
      'superseded',
      'publish_in_progress',
      'already_being_written',
      'policy',
      'project_archived',
    ],
  },
} as const satisfies Operations

/** Body of `POST /undo`. */
const Undo = z.object({
  key_id: means(
    'ID of the key whose changes are undone, as in `actor` of the audit log: your own key. With the scope `admin`: any key of the account.',
    z.optional(id()),
    'the key of the call',
  ),
  request_id: means(
    'ID of the request whose changes are undone: `X-Request-Id` of its response, or `request_id` in the audit log.',
    z.optional(text(100, 1)),
  ),
  since: means(
    'Undoes only changes at or after this time. Without an offset it is UTC. Required unless `request_id` is sent.',
    z.optional(isoTime()),
    'all changes of the request',
  ),
  dry_run: means(
    'True: only reports what would happen to each change, and changes nothing.',
    z.optional(z.boolean()),
    '`false`',
  ),
  before_id: means(
    'Includes only changes older than this entry: `before_id` of the previous response.',
    z.optional(id()),
    'starts with the newest',
  ),
  limit: means('Maximum number of rows. Values above 50 are reduced to 50.', z.optional(z.int().check(z.gte(1))), '20'),
})

export type UndoInput = z.infer<typeof Undo>

/** Operation that undoes changes of a key or a request. */
export const undoOperations = {
  undo: {
    id: 'undo',
    method: 'POST',
    path: '/undo',
    perMinute: 10,
    scope: 'write',
    scopeReason: 'a key undoes its own changes; with `admin`, those of any key of the account',
    summary:
      'Undoes changes of a key or a request where possible, newest first, and reports the result for each. Send `dry_run: true` first.',
    json: Undo,
    errors: ['not_found', 'forbidden', 'edit_conflict'],
  },
} as const satisfies Operations
