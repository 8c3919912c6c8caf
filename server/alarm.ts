import { type Finding, findingsText } from './doctor.ts'
import { mailServer } from './mail.ts'
import type { ServerSettings } from './settings.ts'

/** Sends a mail to the operator. Throws if it was not taken. */
export type Send = (subject: string, text: string) => Promise<unknown>

const RESEND_MS = 10_000

/** Returns how to mail the operator; undefined if no mail is set up. */
export const alarmMail = ({
  SMTP_URL: smtp,
  MAIL_API_KEY: key,
  MAIL_FROM: from,
  OWNER_EMAIL: owner,
  ALARM_EMAIL: to = owner,
}: ServerSettings): Send | undefined => {
  if (!from) return undefined
  if (smtp) return (subject, text) => mailServer(smtp).sendMail({ from, to, subject, text })
  if (!key) return undefined
  return async (subject, text) => {
    const answer = await fetch('https://api.resend.com/emails', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ from, to: [to], subject, text }),
      signal: AbortSignal.timeout(RESEND_MS),
    })
    if (!answer.ok) throw new Error(`Resend answered ${answer.status}`)
  }
}

/**
 * Returns a function that hears the doctor's findings, and mails when a part was not well twice in a row, and when all are
 * well again. Once is not enough: a part that starts again is away for a moment.
 *
 * A mail that was not taken is tried with the next findings. Nothing is mailed about mail itself.
 */
export const createAlarm = (send: Send, publicUrl: string): ((findings: readonly Finding[]) => Promise<void>) => {
  let before: ReadonlySet<string> = new Set()
  let told: ReadonlySet<string> = new Set()
  return async (findings) => {
    const ill = new Set(findings.flatMap(({ name, isWell }) => (isWell || name === 'mail' ? [] : [name])))
    const lasting = new Set([...ill].filter((name) => before.has(name)))
    before = ill
    const news = [...lasting].filter((name) => !told.has(name))
    const isOver = told.size > 0 && ill.size === 0
    if (news.length > 0) await send(`${publicUrl}: ${news.join(', ')} not well`, findingsText(findings))
    if (isOver) await send(`${publicUrl}: all parts are well again`, findingsText(findings))
    told = isOver ? new Set() : new Set([...told, ...lasting])
  }
}
