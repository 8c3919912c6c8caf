import type { Operation } from '../http/operation.ts'
import { CreateArticle, ListArticles, UpdateArticle } from './schemas.ts'

/** Endpoints of the articles Worker. */
export const articleOperations = {
  list: {
    id: 'articles.list',
    method: 'GET',
    path: '/articles',
    perMinute: 30,
    scope: 'read',
    group: 'articles',
    summary: 'Lists articles, newest first.',
    query: ListArticles,
    errors: ['not_found', 'forbidden'],
  },
  create: {
    id: 'articles.create',
    method: 'POST',
    path: '/articles',
    perMinute: 10,
    scope: 'write',
    group: 'articles',
    summary: 'Saves a new article as Draft or Planned.',
    json: CreateArticle,
    errors: ['not_found', 'forbidden', 'edit_conflict'],
  },
  get: {
    id: 'articles.get',
    method: 'GET',
    path: '/articles/:id',
    perMinute: 30,
    scope: 'read',
    group: 'articles',
    summary: 'One article with its content.',
    errors: ['invalid_id', 'not_found', 'forbidden'],
  },
  update: {
    id: 'articles.update',
    method: 'PUT',
    path: '/articles/:id',
    perMinute: 10,
    scope: 'write',
    group: 'articles',
    summary: 'Changes the sent fields of a Draft or Planned article.',
    json: UpdateArticle,
    errors: ['invalid_id', 'no_fields', 'published_article', 'not_found', 'forbidden', 'already_being_written', 'publish_in_progress', 'edit_conflict'],
  },
  remove: {
    id: 'articles.delete',
    method: 'DELETE',
    path: '/articles/:id',
    perMinute: 10,
    scope: 'write',
    group: 'articles',
    summary: 'Removes a Draft or Planned article.',
    errors: ['invalid_id', 'published_article', 'not_found', 'forbidden', 'already_being_written', 'publish_in_progress', 'edit_conflict'],
  },
} as const satisfies Record<string, Operation>
