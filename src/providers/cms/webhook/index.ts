import * as z from 'zod/mini'
import type { MainContent } from '../../../insights/suggestions/live-edits.ts'
import { newSigningSecret } from '../../../platform/lib/crypto.ts'
import { headerToken, noBlanks, text } from '../../../platform/lib/fields.ts'
import { hideSecrets } from '../../../platform/lib/foreign-answers.ts'
import { signatureHeaders } from '../../../platform/lib/webhook-signature.ts'
import { type Outbound, unsentReason } from '../../../platform/runtime/outbound.ts'
import type {
  Connection,
  ConnectionForm,
  PublishOutcome,
  PublishRequest,
  PublishTarget,
  Rehearsal,
} from '../../../publishing/target/publish-target.ts'
import { readAnswer } from './answer.ts'
import { deliveryBody, type Test } from './delivery.ts'
import { madeUp } from './made-up.ts'
import { readPage } from './page.ts'
import { refuseAdopted, unknownPost } from './unknown-post.ts'

const Fields = z.object({ url: text(2_000, 1).check(noBlanks()), access_token: headerToken(1_000) })

/** Connection form of a webhook receiver: its address and the token that it expects. The form creates the signing secret (Standard Webhooks). */
export const webhookForm: ConnectionForm = {
  fields: Fields,
  connection: (given) => {
    const { url, access_token: token } = Fields.parse(given)
    const name = URL.canParse(url) ? new URL(url).host : url
    return { url, urlField: 'url', name, secrets: { access_token: token, signing_secret: newSigningSecret() } }
  },
}

/** Time limit of a receiver, ms (interface, Events). */
const TIMEOUT_MS = 30_000
const MAX_ANSWER_BYTES = 1024 * 1024

/** `mainContent`: absent where no post is adopted. */
export type WebhookDeps = {
  outbound: Outbound
  serviceName: string
  now: () => Date
  mainContent?: MainContent | undefined
}

/**
 * Returns the headers of one attempt: the token in three forms, the delivery's key, and a signature over `id.timestamp.body` (Standard
 * Webhooks).
 */
const headersOf = async (
  connection: Connection,
  deps: WebhookDeps,
  key: string,
  body: string,
): Promise<Record<string, string>> => {
  const token = connection.secrets.access_token ?? ''
  return {
    'Content-Type': 'application/json',
    Authorization: `Bearer ${token}`,
    'X-API-Key': token,
    'x-automation-apikey': token,
    'User-Agent': `${deps.serviceName}-Publisher/1.0`,
    'Idempotency-Key': key,
    ...(await signatureHeaders(connection.secrets, deps.now(), key, body)),
  }
}

/** Returns an outcome without secrets, because it is shown to readers and stored, and a receiver may echo its request. */
const withoutSecrets = (outcome: PublishOutcome, secrets: Connection['secrets']): PublishOutcome => {
  const hide = (text: string): string => hideSecrets(text, Object.values(secrets))
  return {
    ...outcome,
    ...(outcome.excerpt === undefined ? {} : { excerpt: hide(outcome.excerpt) }),
    ...('reason' in outcome ? { reason: hide(outcome.reason) } : {}),
    ...('notes' in outcome && outcome.notes ? { notes: outcome.notes.map(hide) } : {}),
  }
}

const SAME_ID =
  'The article was detached and goes out under the same id. A receiver that knows posts by it may have changed the post it has instead of making another.'

const FORBIDDEN = 'The address is not a public one, so nothing was sent.'

const send = async (
  connection: Connection,
  deps: WebhookDeps,
  request: PublishRequest,
  test: Test = {},
  timeoutMs: number = TIMEOUT_MS,
): Promise<PublishOutcome> => {
  const body = deliveryBody(request, deps.now(), test)
  const answer = await deps.outbound({
    url: connection.url,
    method: 'POST',
    headers: await headersOf(connection, deps, request.key, body),
    body,
    timeoutMs,
    maxBytes: MAX_ANSWER_BYTES,
  })
  if (answer.kind === 'forbidden') return { kind: 'refused', reason: FORBIDDEN, retryable: false }
  if (answer.kind === 'unsent') return { kind: 'refused', reason: unsentReason(answer), retryable: true }
  if (answer.kind === 'answered')
    return withoutSecrets(
      readAnswer(
        answer,
        { ...request, hasArticles: !test.isEmpty, sentBytes: new TextEncoder().encode(body).byteLength },
        deps.now(),
      ),
      connection.secrets,
    )
  const reason =
    answer.reason === 'timeout'
      ? `The receiver did not answer within ${timeoutMs / 1000} s.`
      : 'The connection to the receiver failed.'
  return { kind: 'refused', reason, retryable: true }
}

/**
 * Returns a test event with a sample article, last changed at `at`. The event is marked `test: true`, so no receiver should keep the
 * article.
 */
const testOf = (connection: Connection, key: string, at: Date): PublishRequest =>
  madeUp(
    { key, event: 'publish_articles', origin: 'test' },
    { id: `test-${connection.id}`, title: 'Test delivery', slug: 'test-delivery' },
    {
      text: 'This is a test delivery. It carries no article.',
      description: 'A test of the webhook connection.',
      at,
    },
  )

/** Time limits of the events of a check, ms. A person waits for the result. */
const CHECK_TIMEOUT_MS = { good: 10_000, other: 5_000 }
const LATE_MS = 10 * 60_000
const OLDER_MS = 60 * 60_000

/** Sends the events of a receiver check: the valid one first, the others only if it was answered. */
const rehearse = async (connection: Connection, deps: WebhookDeps): Promise<Rehearsal> => {
  const now = deps.now()
  const keyOf = (name: string) => `test-${connection.id}-${now.getTime()}-${name}`
  const before = (ms: number) => new Date(now.getTime() - ms)
  const other = (name: string, at: Date, from = connection, by = deps) =>
    send(from, by, testOf(connection, keyOf(name), at), { isTest: true }, CHECK_TIMEOUT_MS.other)
  const good = await send(
    connection,
    deps,
    testOf(connection, keyOf('good'), now),
    { isTest: true },
    CHECK_TIMEOUT_MS.good,
  )
  if (good.httpStatus === undefined) return { good }
  const { previous_signing_secret: _, ...secrets } = connection.secrets
  const forger = { ...connection, secrets: { ...secrets, signing_secret: newSigningSecret() } }
  const reordered = async () => {
    await other('newer', now)
    return await other('older', before(OLDER_MS))
  }
  const [duplicate, last, late, forged] = await Promise.all([
    other('good', now),
    reordered(),
    other('late', before(LATE_MS), connection, { ...deps, now: () => before(LATE_MS) }),
    other('forged', now, forger),
  ])
  return { good, duplicate, reordered: last, late, forged }
}

const ASK_TIMEOUT_MS = 10_000
/** Statuses after which the same request may have another answer: a token to mend, or a receiver that is busy. */
const PASSING: ReadonlySet<number> = new Set([401, 403, 408, 425, 429])

/** Sends an update of a post that does not exist. Returns the status of the answer; null if it says nothing. */
const askUnknown = async (connection: Connection, deps: WebhookDeps): Promise<number | null> => {
  const id = `unknown-${crypto.randomUUID()}`
  const { httpStatus: status } = await send(connection, deps, unknownPost(id, deps.now()), {}, ASK_TIMEOUT_MS)
  return status === undefined || status >= 500 || PASSING.has(status) ? null : status
}

/**
 * Returns the target for a customer's own webhook receiver (interface, Events).
 *
 * A receiver cannot be asked if it has an article, so there is no `find`. A lost answer is retried under the same Idempotency-Key.
 */
export const webhookTarget = (connection: Connection, { mainContent, ...deps }: WebhookDeps): PublishTarget => ({
  deliver: async (request, keeping) => {
    const ask = () => askUnknown(connection, deps)
    const refusal = request.isAdopted && (await refuseAdopted(connection.id, request, keeping, ask))
    if (refusal) return refusal
    const outcome = await send(connection, deps, request)
    const isMadeAgain = request.generation > 0 && request.event === 'publish_articles'
    return outcome.kind === 'accepted' && isMadeAgain
      ? { ...outcome, notes: [...(outcome.notes ?? []), SAME_ID] }
      : outcome
  },
  probe: ({ sample: withSample = false, timeoutMs } = {}) => {
    const now = deps.now()
    const key = `test-${connection.id}-${now.getTime()}`
    return send(connection, deps, testOf(connection, key, now), { isTest: true, isEmpty: !withSample }, timeoutMs)
  },
  rehearse: () => rehearse(connection, deps),
  ...(mainContent ? { readPage: (url: string) => readPage({ ...deps, mainContent }, url) } : {}),
})
