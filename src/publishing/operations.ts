import type { Operations } from '../http/operation.ts'
import { RollbackArticle } from './live/schemas.ts'
import { ListDeliveries, ReplayDelivery } from './read/schemas.ts'

/** What keeps a live post from being changed at its target. */
const NOT_LIVE = [
  'invalid_id',
  'not_published',
  'no_cms_integration',
  'unsupported_for_sync',
  'not_found',
  'forbidden',
  'sync_in_progress',
] as const

/** Publishing articles, and what became of that. */
export const publishingOperations = {
  publish: {
    id: 'articles.publish',
    method: 'POST',
    path: '/articles/:id/publish',
    perMinute: 5,
    isShared: true,
    scope: 'write',
    summary: 'Publishes an article to the connected target, once.',
    success: [200, 202],
    errors: [
      'invalid_id',
      'no_cms_integration',
      'empty_content',
      'not_found',
      'forbidden',
      'already_being_written',
      'publish_in_progress',
      'project_archived',
    ],
  },
  unpublish: {
    id: 'articles.unpublish',
    method: 'POST',
    path: '/articles/:id/unpublish',
    perMinute: 10,
    scope: 'write',
    summary:
      'Takes a published article down: a draft at the site and here, which is published again in the same place.',
    errors: [...NOT_LIVE, 'unpublish_failed', 'project_archived'],
  },
  rollback: {
    id: 'articles.rollback',
    method: 'POST',
    path: '/articles/:id/rollback',
    perMinute: 10,
    isShared: true,
    scope: 'write',
    summary: 'Puts back what the CMS showed before the last change made there.',
    json: RollbackArticle,
    bodyOptional: true,
    errors: [...NOT_LIVE, 'nothing_to_roll_back', 'rollback_failed', 'project_archived'],
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
    summary: 'One delivery with its attempts.',
    errors: ['invalid_id', 'not_found', 'forbidden'],
  },
  replay: {
    id: 'deliveries.replay',
    method: 'POST',
    path: '/webhook-deliveries/:id/replay',
    perMinute: 10,
    isShared: true,
    scope: 'write',
    summary:
      'Sends a finished delivery again with the same key and content; where the article is not published, publishes it as it stands now.',
    success: [201],
    json: ReplayDelivery,
    bodyOptional: true,
    errors: [
      'invalid_id',
      'no_cms_integration',
      'empty_content',
      'not_found',
      'forbidden',
      'delivery_in_progress',
      'superseded',
      'publish_in_progress',
      'already_being_written',
      'project_archived',
    ],
  },
} as const satisfies Operations
