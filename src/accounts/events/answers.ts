import * as z from 'zod/mini'
import { ENDPOINT_STATUSES } from '../../../schema/values/events.ts'
import {
  type AnswersOf,
  body,
  count,
  id,
  instant,
  means,
  message,
  page,
  selfExplanatory,
} from '../../platform/http/answers.ts'
import type { eventOperations } from './operations.ts'

const endpointId = () => means('ID of the endpoint, the `:id` in paths.', id())

const endpoint = z.strictObject({
  id: endpointId(),
  url: selfExplanatory(z.string()),
  description: selfExplanatory(z.string()),
  kinds: means('Types or first parts of types that it receives. Empty: all.', z.array(z.string())),
  project_id: means('Receives only events of this project. Null: of all.', z.nullable(id())),
  status: means(
    '`paused`: nothing is sent until `POST /event-endpoints/:id/resume`, because attempts failed for three days or the endpoint answered 410.',
    z.enum(ENDPOINT_STATUSES),
  ),
  failing_since: means(
    'Time of the first failed attempt since the last success. Null: none failed.',
    z.nullable(instant()),
  ),
  next_attempt_at: means('Time of the next attempt while attempts fail. Null otherwise.', z.nullable(instant())),
  last_sent_at: means('Time of the last accepted event. Null if there is none.', z.nullable(instant())),
  last_error: means('Why the last attempt failed. Null if it succeeded or there is none.', z.nullable(z.string())),
  created_at: selfExplanatory(instant()),
})

const secret = () =>
  means('Signing secret, `whsec_` and base64. It is only in this response: store it now.', z.string())
const shown = () => selfExplanatory(endpoint)

const changed = () => body({ event_endpoint: shown(), message: message() })

const attempt = z.strictObject({
  id: means('ID of the attempt. Send it as `before_id` for older ones.', id()),
  event_id: means('ID of the event, as in `GET /events`.', id()),
  type: means('Type of the event.', z.string()),
  at: selfExplanatory(instant()),
  status: means('`delivered`: the endpoint accepted the event.', z.enum(['delivered', 'failed'])),
  http_status: means('HTTP status of the answer. Null if none arrived.', z.nullable(z.int())),
  error: means('Why it failed. Null if it did not.', z.nullable(z.string())),
  duration_ms: means('Milliseconds until the answer.', count()),
})

/** Answers of the operations on event endpoints. */
export const eventAnswers = {
  list: {
    200: body({
      event_endpoints: means('Endpoints of the account, oldest first. At most ten.', z.array(endpoint)),
      count: means('Number of rows in this response.', count()),
    }),
  },
  create: { 201: body({ event_endpoint: shown(), signing_secret: secret(), message: message() }) },
  get: { 200: body({ event_endpoint: shown() }) },
  change: { 200: changed() },
  remove: {
    200: body({ id: endpointId(), deleted: selfExplanatory(z.literal(true)), message: message() }),
  },
  test: {
    200: body({
      id: endpointId(),
      status: means('`delivered`: the endpoint accepted the test event.', z.enum(['delivered', 'failed'])),
      http_status: means('HTTP status of the answer. Null if none arrived.', z.nullable(z.int())),
      error: means('Why it failed. Null if it did not.', z.nullable(z.string())),
      message: message(),
    }),
  },
  rotate: {
    200: body({
      id: endpointId(),
      signing_secret: secret(),
      previous_signs_until: means('Until then, the previous secret also signs.', instant()),
      message: message(),
    }),
  },
  replay: { 200: changed() },
  resume: { 200: changed() },
  attempts: { 200: page({ attempts: means('Attempts, newest first, kept for 30 days.', z.array(attempt)) }) },
} satisfies AnswersOf<typeof eventOperations>
