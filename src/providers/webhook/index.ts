import { fromBase64, hmacSha256 } from '../../lib/crypto.ts'
import type {
  Connection,
  DeliveredArticle,
  PublishOutcome,
  PublishRequest,
  PublishTarget,
} from '../../publishing/port.ts'
import type { Outbound } from '../../runtime/outbound.ts'
import { deliveryBody, readAnswer } from './transform.ts'

/** How long a receiver may take, ms (interface, Events). */
const TIMEOUT_MS = 30_000
const MAX_ANSWER_BYTES = 64 * 1024

export type WebhookMeans = { outbound: Outbound; serviceName: string; now: () => Date }

/** Headers of one attempt: the token three ways, the delivery's key, and a Standard Webhooks signature over `id.timestamp.body`. */
const headersOf = async (
  connection: Connection,
  means: WebhookMeans,
  key: string,
  body: string,
): Promise<Record<string, string>> => {
  const token = connection.secrets.access_token ?? ''
  const timestamp = Math.floor(means.now().getTime() / 1000)
  const signingKey = fromBase64((connection.secrets.signing_secret ?? '').replace(/^whsec_/, ''))
  return {
    'Content-Type': 'application/json',
    Authorization: `Bearer ${token}`,
    'X-API-Key': token,
    'x-automation-apikey': token,
    'User-Agent': `${means.serviceName}-Publisher/1.0`,
    'Idempotency-Key': key,
    'webhook-id': key,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${await hmacSha256(signingKey, `${key}.${timestamp}.${body}`)}`,
  }
}

const MIN_SECRET = 4

/** An outcome in which a receiver that echoes its request gives no secret away: it is shown to readers and stored. */
const withoutSecrets = (outcome: PublishOutcome, secrets: Connection['secrets']): PublishOutcome => {
  const hide = (text: string): string =>
    Object.values(secrets)
      .filter((secret) => secret.length >= MIN_SECRET)
      .reduce((shown, secret) => withoutOne(shown, secret), text)
  return {
    ...outcome,
    ...(outcome.excerpt === undefined ? {} : { excerpt: hide(outcome.excerpt) }),
    ...('reason' in outcome ? { reason: hide(outcome.reason) } : {}),
  }
}

/** A text without a secret, and without the beginning of one where the text was cut in its midst. */
const withoutOne = (text: string, secret: string): string => {
  const shown = text.replaceAll(secret, HIDDEN)
  for (let length = secret.length - 1; length >= MIN_SECRET; length -= 1)
    if (shown.endsWith(secret.slice(0, length))) return shown.slice(0, -length) + HIDDEN
  return shown
}

const HIDDEN = '[hidden]'
const FORBIDDEN = 'The address is not a public one, so nothing was sent.'

const send = async (
  connection: Connection,
  means: WebhookMeans,
  request: PublishRequest,
  isTest = false,
): Promise<PublishOutcome> => {
  const body = deliveryBody(request, means.now(), isTest)
  const answer = await means.outbound({
    url: connection.url,
    method: 'POST',
    headers: await headersOf(connection, means, request.key, body),
    body,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_ANSWER_BYTES,
  })
  if (answer.kind === 'forbidden') return { kind: 'refused', reason: FORBIDDEN, retryable: false }
  if (answer.kind === 'answered')
    return withoutSecrets(readAnswer(answer, request.event, means.now()), connection.secrets)
  const reason =
    answer.reason === 'timeout'
      ? `The receiver did not answer within ${TIMEOUT_MS / 1000} s.`
      : 'The connection to the receiver failed.'
  return { kind: 'refused', reason, retryable: true }
}

/** The sample a connection test sends: marked `test: true`, a draft no receiver should keep. */
const sample = (connection: Connection, now: Date): DeliveredArticle => ({
  id: `test-${connection.id}`,
  title: 'Test delivery',
  slug: 'test-delivery',
  content_html: '<p>This is a test delivery. It carries no article.</p>',
  content_markdown: 'This is a test delivery. It carries no article.',
  meta_description: 'A test of the webhook connection.',
  created_at: now.toISOString(),
  updated_at: now.toISOString(),
  image_url: '',
  alt_text: '',
  tags: [],
  category: '',
  author: '',
  status: 'Draft',
})

/**
 * A webhook receiver of the customer's own, as the interface's Events section describes it. It cannot be asked whether it
 * has an article, so there is no `find`: a lost answer is retried under the same Idempotency-Key.
 */
export const webhookTarget = (connection: Connection, means: WebhookMeans): PublishTarget => ({
  deliver: (request) => send(connection, means, request),
  probe: () => {
    const now = means.now()
    const key = `test-${connection.id}-${now.getTime()}`
    const request: PublishRequest = {
      key,
      event: 'publish_articles',
      article: sample(connection, now),
      origin: 'test',
      firstSentAt: now.toISOString(),
      updateOnly: false,
      hostImages: false,
    }
    return send(connection, means, request, true)
  },
})
