import type { Mailer } from '../accounts/people/mail.ts'
import type { MailSettings } from '../platform/runtime/env.ts'
import type { Outbound } from '../platform/runtime/outbound.ts'
import { cloudflareMail, type EmailBinding } from './mail/cloudflare/index.ts'
import { resend } from './mail/resend/index.ts'

/** Returns the mailer that the settings choose; undefined if the operator has not set up mail. */
export const mailerOf = (settings: MailSettings, outbound: Outbound, binding: unknown): Mailer | undefined => {
  if (!settings.isSetUp) return undefined
  return settings.provider === 'cloudflare'
    ? cloudflareMail(binding as EmailBinding | undefined, settings.from)
    : resend(settings, outbound)
}
