import { DeployFault } from '../fault.ts'
import type { Settings } from '../settings.ts'
import type { Findings } from './findings.ts'

const NOBODY = 'set MAIL_FROM and MAIL_API_KEY, or MAIL_PROVIDER=cloudflare'

/** Returns the reason for which the settings send no mail; undefined if they do. */
export const whyNoMail = ({
  MAIL_PROVIDER: provider,
  MAIL_FROM: from,
  MAIL_API_KEY: key,
}: Settings): string | undefined => {
  if (provider === 'cloudflare')
    return from ? undefined : 'set MAIL_FROM to an address of a domain in the Cloudflare account'
  if (!from && !key) return NOBODY
  if (!from) return 'MAIL_API_KEY is set and MAIL_FROM is not'
  return key ? undefined : 'MAIL_FROM is set and MAIL_API_KEY is not'
}

/**
 * Returns the mail provider as a fact, or a warning that nobody can sign up. Throws a DeployFault if the provider is
 * unknown.
 */
export const mailFindings = (settings: Settings): Findings => {
  const provider = settings.MAIL_PROVIDER ?? 'resend'
  if (provider !== 'resend' && provider !== 'cloudflare')
    throw new DeployFault(`MAIL_PROVIDER is ${JSON.stringify(provider)}.`, 'It is resend or cloudflare.')
  const why = whyNoMail(settings)
  if (why) return { facts: [], warnings: [`nobody can sign up: ${why}`] }
  const name = provider === 'cloudflare' ? "Cloudflare's Email Service (beta)" : 'Resend'
  const isBlind = provider === 'resend' && !settings.MAIL_WEBHOOK_SECRET
  return {
    facts: [`Mail        ${name}, from ${settings.MAIL_FROM}`],
    warnings: isBlind
      ? [
          'nobody learns that mails to a person do not arrive: set MAIL_WEBHOOK_SECRET (deploy.md, "Mails that do not arrive")',
        ]
      : [],
  }
}
