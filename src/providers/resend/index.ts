import type { SendMail } from '../../people/mail.ts'

export type ResendSettings = { apiUrl: string; apiKey: string; from: string }

const TIMEOUT_MS = 10_000

/** Mails by Resend (`POST /emails`). Throws with the status when one is not taken. */
export const resend =
  ({ apiUrl, apiKey, from }: ResendSettings): SendMail =>
  async ({ to, subject, text }) => {
    const response = await fetch(`${apiUrl}/emails`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ from, to: [to], subject, text }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await response.body?.cancel()
    if (!response.ok) throw new Error(`the mail service answered ${response.status}`)
  }
