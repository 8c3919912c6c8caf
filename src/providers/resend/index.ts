import type { Mailer } from '../../people/mail.ts'
import type { Deps } from '../../runtime/ctx.ts'

export type ResendSettings = { apiUrl: string; apiKey: string; from: string }

const TIMEOUT_MS = 8_000
/** A Worker may work this long after its answer (30 s); the last try begins early enough to end within it. */
const LAST_TRY_AFTER_MS = 20_000
const WAITS_MS = [500, 1_500, 4_000, 8_000]

type Failure = { status: number; code: string | undefined; retryAfterMs: number }

/** True if Resend may take the same mail later. A second request with the key of one that is still running is 409. */
const isPassing = ({ status, code }: Failure): boolean =>
  status === 0 ||
  status === 408 ||
  status >= 500 ||
  (status === 429 && !/quota/.test(code ?? '')) ||
  (status === 409 && code === 'concurrent_idempotent_requests')

/** Returns the name Resend gives an error (https://resend.com/docs/api-reference/errors), or Cloudflare's number before it. */
const codeIn = (body: string): string | undefined => {
  try {
    const { name } = JSON.parse(body) as { name?: unknown }
    return typeof name === 'string' ? name.slice(0, 100) : undefined
  } catch {
    return /^error code: \d+/.exec(body)?.[0]
  }
}

/**
 * Sends mails by Resend (`POST /emails`). A mail is tried again after 429, 5xx and no answer, with one Idempotency-Key, so that it
 * arrives once. A mail that was not taken leaves a line `mail.failed`.
 */
export const resend = (
  { apiUrl, apiKey, from }: ResendSettings,
  { outbound, log, newId, now, wait, settings }: Pick<Deps, 'outbound' | 'log' | 'newId' | 'now' | 'wait' | 'settings'>,
): Mailer => {
  const attempt = async (body: string, key: string): Promise<Failure | undefined> => {
    const answer = await outbound({
      url: `${apiUrl}/emails`,
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', 'idempotency-key': key },
      body,
      timeoutMs: TIMEOUT_MS,
      maxBytes: 10_000,
    })
    if (answer.kind !== 'answered') return { status: 0, code: answer.kind, retryAfterMs: 0 }
    if (answer.status >= 200 && answer.status < 300) return undefined
    const retryAfterMs = (Number(answer.headers.get('retry-after')) || 0) * 1_000
    return { status: answer.status, code: codeIn(answer.body), retryAfterMs }
  }
  const isSetUp = apiKey !== '' && from !== ''
  return {
    isSetUp,
    send: async ({ to, subject, text }) => {
      if (!isSetUp) return log('info', 'mail.not_set_up')
      const key = newId()
      const body = JSON.stringify({ from, to: [to], subject, text })
      const startedAt = now().getTime()
      for (let tries = 0; ; tries += 1) {
        const failure = await attempt(body, key)
        if (!failure) return
        const { status, code, retryAfterMs } = failure
        const waitMs = Math.max(WAITS_MS[tries] ?? Number.POSITIVE_INFINITY, retryAfterMs) / settings.retryTimeScale
        if (!isPassing(failure) || now().getTime() - startedAt + waitMs > LAST_TRY_AFTER_MS)
          return log('error', 'mail.failed', { status, code, tries: tries + 1 })
        await wait(waitMs)
      }
    },
  }
}
