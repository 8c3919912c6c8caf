import * as z from 'zod/mini'
import { EVENT_KINDS } from '../../../schema/values/events.ts'
import { pagingParams } from '../../platform/db/paging.ts'
import type { Operations } from '../../platform/http/operation.ts'
import { clearable, fetchableUrl, id, list, MAX_ID, means, text } from '../../platform/lib/fields.ts'

/** Returns a kind of events: a first part of types, or a type; undefined if it is neither. */
const kindOf = (given: string): string | undefined =>
  /^[a-z_]+(\.[a-z_]+)?$/.test(given) && EVENT_KINDS.some((kind) => kind === given.split('.')[0]) ? given : undefined

const kinds = () =>
  list(kindOf, `must be types such as \`article.publish\`, or their first parts: ${EVENT_KINDS.join(', ')}`)

const URL_MEANS = 'Public https address that receives the events.'
const KINDS_MEAN =
  'Sends only these events: types such as `article.publish`, or first parts such as `article`. `[]`: all.'
const DESCRIPTION_MEANS = 'Purpose of the endpoint, in words for people.'

/** Body of `POST /event-endpoints`. */
export const CreateEndpoint = z.object({
  url: means(URL_MEANS, fetchableUrl()),
  kinds: means(KINDS_MEAN, z.optional(kinds()), 'all events'),
  project_id: means('Sends only events of this project.', z.optional(id()), 'all projects of the account'),
  description: means(DESCRIPTION_MEANS, z.optional(text(200)), 'empty'),
})

/** Body of `PUT /event-endpoints/:id`. */
const ChangeEndpoint = z.object({
  url: means(URL_MEANS, z.optional(fetchableUrl())),
  kinds: means(KINDS_MEAN, z.optional(kinds())),
  project_id: means(
    'Sends only events of this project. `0`: all projects.',
    z.optional(clearable(z.int().check(z.gte(0), z.lte(MAX_ID)), 0)),
  ),
  description: means(DESCRIPTION_MEANS, z.optional(clearable(text(200), ''))),
})

/** Body of `POST /event-endpoints/:id/replay`. */
const Replay = z.object({
  after: means(
    'Sends the events behind this one again: `after` of `GET /events`, or the ID of an event. `0`: all kept events.',
    z.int().check(z.gte(0), z.lte(MAX_ID)),
  ),
})

const ListAttempts = z.object(pagingParams())

export type CreateEndpointInput = z.infer<typeof CreateEndpoint>
export type ChangeEndpointInput = z.infer<typeof ChangeEndpoint>
export type ReplayInput = z.infer<typeof Replay>
export type ListAttemptsInput = z.infer<typeof ListAttempts>

/** Endpoints to which events are sent. */
export const eventOperations = {
  list: {
    id: 'event_endpoints.list',
    method: 'GET',
    path: '/event-endpoints',
    perMinute: 30,
    scope: 'read',
    summary: 'Lists the endpoints that receive events, without their secrets.',
    errors: [],
  },
  create: {
    id: 'event_endpoints.create',
    method: 'POST',
    path: '/event-endpoints',
    perMinute: 10,
    scope: 'write',
    summary:
      'Adds an endpoint that receives new events by POST, signed by Standard Webhooks. `signing_secret` is returned once. An account has at most ten.',
    success: [201],
    json: CreateEndpoint,
    errors: ['forbidden_url', 'not_found', 'forbidden', 'endpoint_limit'],
  },
  get: {
    id: 'event_endpoints.get',
    method: 'GET',
    path: '/event-endpoints/:id',
    perMinute: 30,
    scope: 'read',
    summary: 'Returns an endpoint, without its secret.',
    errors: ['not_found', 'forbidden'],
  },
  change: {
    id: 'event_endpoints.update',
    method: 'PUT',
    path: '/event-endpoints/:id',
    perMinute: 10,
    scope: 'write',
    summary: 'Changes the address, the description, or which events an endpoint receives.',
    json: ChangeEndpoint,
    errors: ['forbidden_url', 'no_fields', 'not_found', 'forbidden'],
  },
  remove: {
    id: 'event_endpoints.delete',
    method: 'DELETE',
    path: '/event-endpoints/:id',
    perMinute: 10,
    scope: 'write',
    summary: 'Deletes an endpoint. Nothing more is sent to it.',
    errors: ['not_found', 'forbidden'],
  },
  test: {
    id: 'event_endpoints.test',
    method: 'POST',
    path: '/event-endpoints/:id/test',
    perMinute: 10,
    scope: 'write',
    summary: 'Sends a test event at once and returns what the endpoint answered. Its type is `endpoint.test`.',
    errors: ['not_found', 'forbidden'],
  },
  rotate: {
    id: 'event_endpoints.rotate_secret',
    method: 'POST',
    path: '/event-endpoints/:id/rotate-secret',
    perMinute: 10,
    scope: 'write',
    summary: 'Makes a new signing secret, returned once. For 24 hours, events are signed with both secrets.',
    errors: ['not_found', 'forbidden', 'edit_conflict'],
  },
  replay: {
    id: 'event_endpoints.replay',
    method: 'POST',
    path: '/event-endpoints/:id/replay',
    perMinute: 10,
    scope: 'write',
    summary: 'Sends events of the last 30 days again, from a cursor on. They have the same IDs as before.',
    json: Replay,
    errors: ['not_found', 'forbidden'],
  },
  resume: {
    id: 'event_endpoints.resume',
    method: 'POST',
    path: '/event-endpoints/:id/resume',
    perMinute: 10,
    scope: 'write',
    summary: 'Resumes a paused endpoint, and tries a failing one again now. Events since its last success follow.',
    errors: ['not_found', 'forbidden'],
  },
  attempts: {
    id: 'event_endpoints.attempts',
    method: 'GET',
    path: '/event-endpoints/:id/attempts',
    perMinute: 30,
    scope: 'read',
    summary: 'Lists the attempts of the last 30 days to send events to an endpoint, newest first.',
    query: ListAttempts,
    errors: ['not_found', 'forbidden'],
  },
} as const satisfies Operations
