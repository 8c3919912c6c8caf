import type { Mailer } from '../../../accounts/people/mail.ts'
import type { Outbound } from '../../../platform/runtime/outbound.ts'

export type ResendSettings = { apiUrl: string; apiKey: string; from: string }

const TIMEOUT_MS = 8_000

/** True if Resend may take the same mail later. A second request with the key of one that is still running is 409. */
const isPassing = (status: number, code: string): boolean =>
  status === 408 ||
  status >= 500 ||
  (status === 429 && !code.includes('quota')) ||
  (status === 409 && code === 'concurrent_idempotent_requests')

/** Returns the name Resend gives an error (https://resend.com/docs/api-reference/errors), or Cloudflare's number before it. */
const resendCode = (status: number, body: string): string => {
  const otherwise = `http_${status}`
  try {
    const { name } = JSON.parse(body) as { name?: unknown }
    return typeof name === 'string' ? name.slice(0, 100) : otherwise
  } catch {
    return /^error code: \d+/.exec(body)?.[0] ?? otherwise
  }
}

/** Sends mails by Resend (`POST /emails`), which accepts one mail for each `Idempotency-Key` within 24 hours. */
export const resend = ({ apiUrl, apiKey, from }: ResendSettings, outbound: Outbound): Mailer => ({
  isIdempotent: true,
  send: async ({ to, subject, text, headers }, key) => {
    const answer = await outbound({
      url: `${apiUrl}/emails`,
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ from, to: [to], subject, text, ...(headers ? { headers } : {}) }),
      timeoutMs: TIMEOUT_MS,
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
