import * as z from 'zod/mini'
import { CHANGE_KINDS } from '../../../schema/values/effects.ts'
import { OPPORTUNITY_TYPES, SUGGESTION_STATES } from '../../../schema/values/suggestions.ts'
import { thresholdNote } from '../../accounts/projects/rules.ts'
import { pagingParams } from '../../platform/db/paging.ts'
import type { Operations } from '../../platform/http/operation.ts'
import { id, intParam, label, labels, means, text } from '../../platform/lib/fields.ts'

const ListSuggestions = z.object({
  project_id: means('ID of the project, as listed by `GET /projects`.', intParam(1)),
  status: means(
    'Returns only suggestions with these statuses, separated by commas.',
    z.optional(labels(SUGGESTION_STATES)),
    'all',
  ),
  type: means(
    'Returns only suggestions of these types, separated by commas.',
    z.optional(labels(OPPORTUNITY_TYPES)),
    'all',
  ),
  ...pagingParams({ default: 100, max: 500 }),
})

const ListEffects = z.object({
  project_id: means('ID of the project, as listed by `GET /projects`.', intParam(1)),
  kind: means(
    'Returns only changes of this kind. `rewrite`: published suggestions. `sync`: other updates. `rollback`: restored earlier versions.',
    z.optional(label(CHANGE_KINDS)),
    'all',
  ),
  ...pagingParams({ default: 100, max: 500 }),
})

const RunSuggestions = z.object({
  project_id: means('ID of the project, in the body or in the query.', z.optional(id())),
})
const RunSuggestionsQuery = z.object({
  project_id: means('ID of the project, in the body or in the query.', z.optional(intParam(1))),
})

const MAX_WORDS = 2_000

const RejectSuggestion = z.object({
  reason: means('Reason, for people who read it later.', z.optional(text(MAX_WORDS)), 'none'),
})
const RegenerateSuggestion = z.object({
  feedback: means('Changes that the rewrite should make.', z.optional(text(MAX_WORDS)), 'none'),
})

export type ListEffectsInput = z.infer<typeof ListEffects>
export type ListSuggestionsInput = z.infer<typeof ListSuggestions>

const ACTION_ERRORS = ['not_found', 'forbidden', 'invalid_transition', 'project_archived'] as const

/** Errors for a suggestion that another call may be publishing. */
const READY_ERRORS = [...ACTION_ERRORS, 'sync_in_progress'] as const

/** Endpoints of content-optimisation suggestions. */
export const suggestionOperations = {
  list: {
    id: 'suggestions.list',
    method: 'GET',
    path: '/suggestions',
    perMinute: 30,
    scope: 'read',
    summary: 'Lists suggestions to improve the articles of a project, newest first, with counts by status.',
    query: ListSuggestions,
    errors: ['not_found', 'forbidden'],
  },
  run: {
    id: 'suggestions.run',
    method: 'POST',
    path: '/suggestions/run',
    perMinute: 3,
    isShared: true,
    scope: 'draft',
    scopeReason: 'it changes no article',
    summary: 'Analyzes the search data of a project and suggests articles to improve, like the weekly run.',
    query: RunSuggestionsQuery,
    json: RunSuggestions,
    bodyOptional: true,
    noteOn: thresholdNote,
    errors: ['not_found', 'forbidden'],
  },
  effects: {
    id: 'suggestions.effects',
    method: 'GET',
    path: '/suggestions/effects',
    perMinute: 30,
    scope: 'read',
    summary:
      'Returns the effect of published rewrites, syncs and rollbacks on the clicks of their pages: a summary and each change, newest first.',
    query: ListEffects,
    errors: ['not_found', 'forbidden'],
  },
  get: {
    id: 'suggestions.get',
    method: 'GET',
    path: '/suggestions/:id',
    perMinute: 30,
    scope: 'read',
    summary: 'Returns a suggestion, with the proposed change if it is ready.',
    errors: ['not_found', 'forbidden'],
  },
  diff: {
    id: 'suggestions.diff',
    method: 'GET',
    path: '/suggestions/:id/diff',
    perMinute: 30,
    scope: 'read',
    summary: 'Returns the article before and after the proposed change, and the difference as HTML.',
    errors: ['not_found', 'forbidden'],
  },
  approve: {
    id: 'suggestions.approve',
    method: 'POST',
    path: '/suggestions/:id/approve',
    perMinute: 10,
    typicalSeconds: 60,
    isShared: true,
    scope: 'write',
    summary: 'Approves a pending suggestion and starts the rewrite. Poll the suggestion until it is ready.',
    success: [200],
    errors: ACTION_ERRORS,
  },
  reject: {
    id: 'suggestions.reject',
    method: 'POST',
    path: '/suggestions/:id/reject',
    perMinute: 10,
    scope: 'write',
    scopeReason: 'it decides for a person',
    summary: 'Rejects a suggestion that is not published.',
    json: RejectSuggestion,
    bodyOptional: true,
    errors: READY_ERRORS,
  },
  publish: {
    id: 'suggestions.publish',
    method: 'POST',
    path: '/suggestions/:id/publish',
    perMinute: 5,
    typicalSeconds: 5,
    isShared: true,
    scope: 'write',
    summary:
      'Publishes a ready rewrite as an update of the live article. Returns 409 if the article was changed since.',
    success: [200, 202],
    errors: [
      ...READY_ERRORS,
      'changed_since_staged',
      'changed_meanwhile',
      'not_published',
      'no_cms_integration',
      'sync_failed',
      'policy',
    ],
  },
  regenerate: {
    id: 'suggestions.regenerate',
    method: 'POST',
    path: '/suggestions/:id/regenerate',
    perMinute: 10,
    typicalSeconds: 60,
    isShared: true,
    scope: 'write',
    summary: 'Requests another rewrite, with feedback to the writer. Not on the free plan.',
    success: [202],
    json: RegenerateSuggestion,
    bodyOptional: true,
    errors: [...READY_ERRORS, 'plan_required'],
  },
} as const satisfies Operations
