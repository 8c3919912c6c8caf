import type { Mailer } from '../people/mail.ts'
import type { MailSettings } from '../runtime/env.ts'
import type { Outbound } from '../runtime/outbound.ts'
import { cloudflareMail, type EmailBinding } from './cloudflare-mail/index.ts'
import { resend } from './resend/index.ts'

/** Returns the mailer that the settings choose; undefined if the operator has not set up mail. */
export const mailerOf = (settings: MailSettings, outbound: Outbound, binding: unknown): Mailer | undefined => {
  if (!settings.isSetUp) return undefined
  return settings.provider === 'cloudflare'
    ? cloudflareMail(binding as EmailBinding | undefined, settings.from)
    : resend(settings, outbound)
}
