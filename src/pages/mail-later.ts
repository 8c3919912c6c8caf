import { waitUntil } from 'cloudflare:workers'
import type { Mail, SendMail } from '../people/mail.ts'
import { errorFields, type Log } from '../runtime/log.ts'
import type { Front } from './front.tsx'

type MailLater = (mail: Mail) => void

/** What pages are made from that send mails. */
export type MailingFront = Front & { mailLater: MailLater }

/** Sends mails after the answer. */
export const mailLater =
  (send: SendMail, log: Log): MailLater =>
  (mail) =>
    waitUntil(send(mail).catch((error: unknown) => log('error', 'mail.failed', errorFields(error))))
