import type { NoticeChoice, NoticeKind, ToldKind } from '../../../schema/values/notices.ts'
import { instantOf, wallTime } from '../../platform/lib/time.ts'
import { foreign } from '../people/letter.ts'
import type { Mail } from '../people/mail.ts'
import { HELP, PATHS } from '../people/paths.ts'

/** Choices of a person who has not chosen. */
export const DEFAULTS: Record<NoticeKind, NoticeChoice> = {
  publication_failed: 'at_once',
  approval_wanted: 'at_once',
  rewrite_ready: 'daily',
  connection_lapsed: 'at_once',
  credits_low: 'daily',
}

/** An account with at most this many article credits is running low. */
export const FEW_CREDITS = 3

const DAY_MS = 86_400_000
const MORNING = '08:00'

/** Returns the next 08:00 in a zone, at least `days` days after today. */
export const nextMorning = (now: Date, timezone: string, days = 0): Date => {
  const on = (ms: number) => instantOf(wallTime(new Date(ms), timezone).slice(0, 10), timezone, MORNING)
  const first = on(now.getTime() + days * DAY_MS)
  return first > now ? first : on(now.getTime() + (days + 1) * DAY_MS)
}

/** Notice in a mail. `title` is the name of its subject. `isChange` is true if the article is live and a change of it failed. */
export type Told = { kind: ToldKind; title: string; path: string; isChange?: boolean }

const SENTENCES: Record<ToldKind, (title: string, isChange: boolean) => string> = {
  publication_failed: (title, isChange) =>
    isChange ? `A change of “${title}” could not be sent to the site.` : `“${title}” could not be published.`,
  approval_wanted: (title) => `“${title}” waits for your approval.`,
  rewrite_ready: (title) => `A rewrite of “${title}” is ready for you to compare.`,
  connection_lapsed: (title) => `${title} no longer accepts the service’s access. Connect it again.`,
  credits_low: (title) => `Article credits are running low: ${title} left.`,
  exchange_asked: (title) =>
    `${title} takes part in the backlink exchange. Search engines may count exchanged links as a link scheme. Is that still what you want?`,
}

/** Document that helps with a notice. */
const HELP_WITH: Record<ToldKind, string> = {
  publication_failed: HELP.trouble,
  approval_wanted: HELP.approvals,
  rewrite_ready: HELP.oldPosts,
  connection_lapsed: HELP.connect,
  credits_low: HELP.credits,
  exchange_asked: HELP.credits,
}

/** Addresses of the page that ends these mails, which mail programs also use (RFC 8058), and of the mail settings. */
type Ending = { unsubscribeUrl: string; settingsUrl: string }

/** Returns the addresses at the end of a mail. `key` identifies the person who unsubscribes. */
export const endingOf = (publicUrl: string, key: string): Ending => ({
  unsubscribeUrl: `${publicUrl}${PATHS.unsubscribe}?key=${encodeURIComponent(key)}`,
  settingsUrl: `${publicUrl}${PATHS.notices}`,
})

const closing = (service: string, { unsubscribeUrl, settingsUrl }: Ending): string =>
  `\n\nChoose your mails: ${settingsUrl}\nUnsubscribe: ${unsubscribeUrl}\n\n${service}`

const headersOf = ({ unsubscribeUrl }: Ending) => ({
  'List-Unsubscribe': `<${unsubscribeUrl}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})

type Letter = { service: string; to: string; publicUrl: string; ending: Ending }

/** Returns the mail with one or more notices. */
export const noticeMail = ({ service, to, publicUrl, ending }: Letter, told: readonly Told[]): Mail => {
  const sentence = ({ kind, title, isChange = false }: Told) => SENTENCES[kind](foreign(title), isChange)
  const lines = told.map((one) => `${sentence(one)}\n${publicUrl}${one.path}\nHelp: ${publicUrl}${HELP_WITH[one.kind]}`)
  const [first] = told
  const subject = told.length === 1 && first ? sentence(first) : `${told.length} notices of ${service}`
  return {
    to,
    subject,
    text: `${lines.join('\n\n')}${closing(service, ending)}`,
    headers: headersOf(ending),
  }
}

/** A project's numbers in a weekly digest. */
export type Week = { name: string; published: number; failed: number; planned: number; ready: number }

/** Returns the weekly digest. */
export const digestMail = ({ service, to, publicUrl, ending }: Letter, weeks: readonly Week[]): Mail => {
  const lines = weeks.map(
    ({ name, published, failed, planned, ready }) =>
      `${foreign(name)}: ${published} published in the last seven days, ${failed} failed, ${planned} planned for the next seven, ${ready} rewrites ready.`,
  )
  const text = lines.length === 0 ? 'There is no active site in your accounts.' : lines.join('\n')
  return {
    to,
    subject: `Your week at ${service}`,
    text: `${text}\n\n${publicUrl}${PATHS.home}${closing(service, ending)}`,
    headers: headersOf(ending),
  }
}
