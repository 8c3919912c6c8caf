import type { MailAnswer, Mailer } from '../accounts/people/mail.ts'
import type { Outbound } from '../platform/runtime/outbound.ts'
import type { MailSettings } from '../platform/runtime/provider-env.ts'

type Address = { name: string; email: string }

/** Binding `send_email` of a Worker (https://developers.cloudflare.com/email-service/api/send-emails/workers-api/). */
type EmailBinding = {
  send: (mail: {
    from: string | Address
    to: string
    subject: string
    text: string
    headers?: Readonly<Record<string, string>>
  }) => Promise<{ messageId: string }>
}

const CLOUDFLARE_TIMEOUT_MS = 15_000
const RATE_WAIT_MS = 10_000

/** Error codes of mails that were not accepted and never will be. */
const REFUSALS: ReadonlySet<string> = new Set([
  'E_VALIDATION_ERROR',
  'E_FIELD_MISSING',
  'E_TOO_MANY_RECIPIENTS',
  'E_CONTENT_TOO_LARGE',
  'E_SENDER_NOT_VERIFIED',
  'E_SENDER_DOMAIN_NOT_AVAILABLE',
  'E_RECIPIENT_NOT_ALLOWED',
  'E_RECIPIENT_SUPPRESSED',
  'E_DELIVERY_FAILED',
  'E_DAILY_LIMIT_EXCEEDED',
])

/** Codes of headers that are not allowed, too many or too long. */
const HEADER_REFUSAL = /^E_HEADERS?_/

/** Returns a sender such as `Galley <mail@example.com>` in the form that the binding takes. */
const senderOf = (from: string): string | Address => {
  const [, name = '', email] = /^\s*"?([^"<]*?)"?\s*<([^<>]+)>\s*$/.exec(from) ?? []
  return email === undefined || name === '' ? (email ?? from) : { name, email }
}

/** Returns the code of the binding's error. Some errors have it only in the message. */
const codeOf = (error: unknown): string => {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  if (typeof code === 'string') return code.slice(0, 100)
  return /\bE_[A-Z_]+/.exec(String(message))?.[0] ?? 'no_answer'
}

const answerTo = (error: unknown): MailAnswer => {
  const code = codeOf(error)
  if (REFUSALS.has(code) || HEADER_REFUSAL.test(code)) return { kind: 'refused', code }
  return code === 'E_RATE_LIMIT_EXCEEDED' ? { kind: 'later', code, afterMs: RATE_WAIT_MS } : { kind: 'unknown', code }
}

/** Returns the result of `work`. Throws if the signal aborts first. */
const within = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  await Promise.race([
    work,
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('no answer in time')))),
  ])

/**
 * Returns a mailer for Cloudflare's Email Service, in public beta since 16 April 2026.
 *
 * It has no idempotency key, so a mail without a clear answer may have arrived.
 */
const cloudflareMail = (binding: EmailBinding | undefined, from: string): Mailer => ({
  isIdempotent: false,
  send: async ({ to, subject, text, headers }) => {
    if (!binding) return { kind: 'refused', code: 'no_binding' }
    try {
      const sent = await within(
        binding.send({ from: senderOf(from), to, subject, text, ...(headers ? { headers } : {}) }),
        AbortSignal.timeout(CLOUDFLARE_TIMEOUT_MS),
      )
      return sent.messageId ? { kind: 'taken' } : { kind: 'unknown', code: 'no_message_id' }
    } catch (error) {
      return answerTo(error)
    }
  },
})

type ResendSettings = { apiUrl: string; apiKey: string; from: string }

const RESEND_TIMEOUT_MS = 8_000

/** True if Resend may accept the same mail later. It answers 409 while another request with the same key is running. */
const isPassing = (status: number, code: string): boolean =>
  status === 408 ||
  status >= 500 ||
  (status === 429 && !code.includes('quota')) ||
  (status === 409 && code === 'concurrent_idempotent_requests')

/**
 * Returns Resend's name of an error (https://resend.com/docs/api-reference/errors), or Cloudflare's error code if Resend was not reached.
 *
 * A wrong key is also a `validation_error`. Only its words distinguish it: its status is 401, or 400 if it does not look like a key.
 */
const resendCode = (status: number, body: string): string => {
  const otherwise = `http_${status}`
  try {
    const { name, message } = JSON.parse(body) as { name?: unknown; message?: unknown }
    if (name === 'validation_error' && /api key is invalid/i.test(String(message))) return 'invalid_api_key'
    return typeof name === 'string' ? name.slice(0, 100) : otherwise
  } catch {
    return /^error code: \d+/.exec(body)?.[0] ?? otherwise
  }
}

/** Returns a mailer for Resend (`POST /emails`), which sends one mail per `Idempotency-Key` within 24 hours. */
const resend = ({ apiUrl, apiKey, from }: ResendSettings, outbound: Outbound): Mailer => ({
  isIdempotent: true,
  send: async ({ to, subject, text, headers }, key) => {
    const answer = await outbound({
      url: `${apiUrl}/emails`,
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ from, to: [to], subject, text, ...(headers ? { headers } : {}) }),
      timeoutMs: RESEND_TIMEOUT_MS,
      maxBytes: 10_000,
    })
    if (answer.kind !== 'answered') return { kind: 'later', code: answer.kind, afterMs: 0 }
    const { status } = answer
    if (status >= 200 && status < 300) return { kind: 'taken' }
    const code = resendCode(status, answer.body)
    if (!isPassing(status, code)) return { kind: 'refused', status, code }
    return { kind: 'later', status, code, afterMs: (Number(answer.headers.get('retry-after')) || 0) * 1_000 }
  },
})

/** Returns the mailer from the settings; undefined if the operator has not set up mail. */
export const mailerOf = (settings: MailSettings, outbound: Outbound, binding: unknown): Mailer | undefined => {
  if (!settings.isSetUp) return undefined
  return settings.provider === 'cloudflare'
    ? cloudflareMail(binding as EmailBinding | undefined, settings.from)
    : resend(settings, outbound)
}
