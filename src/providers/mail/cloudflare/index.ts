import type { MailAnswer, Mailer } from '../../../accounts/people/mail.ts'

type Address = { name: string; email: string }

/** Binding `send_email` of a Worker (https://developers.cloudflare.com/email-service/api/send-emails/workers-api/). */
export type EmailBinding = {
  send: (mail: {
    from: string | Address
    to: string
    subject: string
    text: string
    headers?: Readonly<Record<string, string>>
  }) => Promise<{ messageId: string }>
}

const TIMEOUT_MS = 15_000
const RATE_WAIT_MS = 10_000

/** Error codes that say the mail was not taken and never will be. */
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

/** `Galley <mail@example.com>` as the binding takes it. */
const senderOf = (from: string): string | Address => {
  const [, name = '', email] = /^\s*"?([^"<]*?)"?\s*<([^<>]+)>\s*$/.exec(from) ?? []
  return email === undefined || name === '' ? (email ?? from) : { name, email }
}

/** Returns the code of an error of the binding. Bindings may carry it in the message alone. */
const codeOf = (error: unknown): string => {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  if (typeof code === 'string') return code.slice(0, 100)
  return /\bE_[A-Z_]+/.exec(String(message))?.[0] ?? 'no_answer'
}

const answerTo = (error: unknown): MailAnswer => {
  const code = codeOf(error)
  if (REFUSALS.has(code)) return { kind: 'refused', code }
  return code === 'E_RATE_LIMIT_EXCEEDED' ? { kind: 'later', code, afterMs: RATE_WAIT_MS } : { kind: 'unknown', code }
}

/** Waits for work as long as the signal lets it. */
const within = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  await Promise.race([
    work,
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('no answer in time')))),
  ])

/**
 * Hands mails to Cloudflare's Email Service, in public beta since 16 April 2026. It has no idempotency key: an attempt without a
 * clear answer may have arrived.
 */
export const cloudflareMail = (binding: EmailBinding | undefined, from: string): Mailer => ({
  isIdempotent: false,
  send: async ({ to, subject, text, headers }) => {
    if (!binding) return { kind: 'refused', code: 'no_binding' }
    try {
      const sent = await within(
        binding.send({ from: senderOf(from), to, subject, text, ...(headers ? { headers } : {}) }),
        AbortSignal.timeout(TIMEOUT_MS),
      )
      return sent.messageId ? { kind: 'taken' } : { kind: 'unknown', code: 'no_message_id' }
    } catch (error) {
      return answerTo(error)
    }
  },
})
