import { oneLine } from './letter.ts'
import { PATHS } from './paths.ts'

/** Mail of plain text. `headers` has further header fields, by name. */
export type Mail = { to: string; subject: string; text: string; headers?: Readonly<Record<string, string>> }

/**
 * Answer of the provider to one attempt.
 * - `taken`: it accepted the mail.
 * - `refused`: it will never accept this mail.
 * - `later`: it did not accept the mail, but may accept it in another attempt.
 * - `unknown`: it may have accepted the mail, but its answer does not show it.
 */
export type MailAnswer =
  | { kind: 'taken' }
  | { kind: 'refused'; status?: number; code: string }
  | { kind: 'later'; status?: number; code: string; afterMs: number }
  | { kind: 'unknown'; code: string }

/** Mail provider. */
export type Mailer = {
  /** True if the provider sends a mail once, even if it gets the mail several times with the same key. */
  isIdempotent: boolean
  /** Makes one attempt. Never throws. */
  send: (mail: Mail, key: string) => Promise<MailAnswer>
}

const closing = (service: string): string =>
  `\n\nIf you did not ask for this, ignore this mail: nothing happens without the link.\n\n${service}`

/** Mails to people. Each has one link, to a page with a button. */
export const MAILS = {
  signIn: (service: string, to: string, link: string): Mail => ({
    to,
    subject: `Sign in to ${service}`,
    text: `Open this link and press the button to sign in. It works once, within 15 minutes.\n\n${link}${closing(service)}`,
  }),
  verify: (service: string, to: string, link: string): Mail => ({
    to,
    subject: `Confirm your address for ${service}`,
    text: `Open this link, choose a password and press the button to confirm your address. It works once, within an hour.\n\n${link}${closing(service)}`,
  }),
  reset: (service: string, to: string, link: string): Mail => ({
    to,
    subject: `A new password for ${service}`,
    text: `Open this link to choose a new password. It works once, within an hour; you will be signed out everywhere.\n\n${link}${closing(service)}`,
  }),
  invitation: (service: string, to: string, { link, by, as }: { link: string; by: string; as: string }): Mail => ({
    to,
    subject: `Invitation to an account at ${service}`,
    text: `${oneLine(by)} invites you to work in their account at ${service}, as ${as}. Open this link, sign in or create an account with this address, and accept. It works once, within seven days.\n\n${link}${closing(service)}`,
  }),
  deletion: (
    service: string,
    to: string,
    about: { kind: 'account' | 'site'; name: string; by: string; eraseAt: Date; link: string },
  ): Mail => ({
    to,
    subject: `The ${about.kind} ${oneLine(about.name)} at ${service} will be deleted`,
    text: `${oneLine(about.by)} asked to delete the ${about.kind} ${oneLine(about.name)}. It is ${about.kind === 'account' ? 'closed' : 'archived'} now, and all its data is erased on ${about.eraseAt.toISOString().slice(0, 10)}. Until then, an owner can cancel the deletion here:\n\n${about.link}\n\n${service}`,
  }),
  exported: (service: string, to: string, { link, until }: { link: string; until: Date }): Mail => ({
    to,
    subject: `The copy of your account at ${service} is ready`,
    text: `Download it here until ${until.toISOString().slice(0, 10)}. You must be signed in as an owner of the account.\n\n${link}\n\n${service}`,
  }),
  newAddress: (service: string, to: string, { link, from }: { link: string; from: string }): Mail => ({
    to,
    subject: `Confirm your new address for ${service}`,
    text: `Sign in, open this link and press the button. After that you sign in with this address instead of ${from}. The link works once, within an hour.\n\n${link}${closing(service)}`,
  }),
  takenAddress: (service: string, to: string, link: string): Mail => ({
    to,
    subject: `You have an account at ${service}`,
    text: `Somebody tried to change the address of another account to yours. Nothing was changed, because you have an account with it. Sign in here:\n\n${link}${closing(service)}`,
  }),
  addressAsked: (service: string, to: string, { link, wanted }: { link: string; wanted: string }): Mail => ({
    to,
    subject: `Somebody asked to change your address at ${service}`,
    text: `Somebody who is signed in as you asked to change your address to ${wanted}. It changes when the link in the mail to that address is used. If that was not you, choose a new password now. That signs everybody else out and removes your passkeys:\n\n${link}\n\n${service}`,
  }),
  security: (service: string, to: string, { what, link }: { what: string; link: string }): Mail => ({
    to,
    subject: `${what} at ${service}`,
    text: `${what}. If that was you, ignore this mail. If not, choose a new password now. That signs everybody else out and removes your passkeys:\n\n${link}\n\n${service}`,
  }),
  known: (service: string, to: string, link: string): Mail => ({
    to,
    subject: `You have an account at ${service}`,
    text: `Somebody tried to create an account with your address, but you already have one. Sign in here:\n\n${link}${closing(service)}`,
  }),
}

/** Returns the link of a mail to a page, with its token and the page to open afterwards. */
export const mailedLink = (
  publicUrl: string,
  path: string,
  { token, next = PATHS.home }: { token: string; next?: string | undefined },
): string => {
  const query = new URLSearchParams(next === PATHS.home ? { token } : { token, next })
  return `${publicUrl}${path}?${query}`
}
