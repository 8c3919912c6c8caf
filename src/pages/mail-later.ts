import { waitUntil } from 'cloudflare:workers'
import type { Mailer } from '../people/mail.ts'
import type { MailingFront } from './front.tsx'

/** Returns the part of a front that sends mails. */
export const mailing = ({ isSetUp, send }: Mailer): Pick<MailingFront, 'mailLater' | 'sendsMail'> => ({
  mailLater: (mail) => waitUntil(send(mail)),
  sendsMail: isSetUp,
})
