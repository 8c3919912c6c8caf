import type { AuditAction } from '../../../schema/values/audit.ts'
import type { NoticeChoice, NoticeKind, ToldKind } from '../../../schema/values/notices.ts'
import { instantOf, wallTime } from '../../platform/lib/time.ts'
import { foreign } from '../people/letter.ts'
import type { Mail } from '../people/mail.ts'
import { HELP, PATHS } from '../people/paths.ts'

/** Choices of a person who has not chosen. */
export const DEFAULTS: Record<NoticeKind, NoticeChoice> = {
  publication_failed: 'at_once',
  will_not_go_out: 'at_once',
  draft_waits: 'daily',
  approval_wanted: 'at_once',
  decided: 'at_once',
  rewrite_ready: 'daily',
  work_failed: 'daily',
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

/**
 * Notice for a person. `title` is the name of its subject. `isChange` is true if the article is live and a change of it failed.
 * `action` is null for notices of earlier releases.
 */
export type Told = { kind: ToldKind; action?: AuditAction | null; title: string; path: string; isChange?: boolean }

const KINDS: Record<ToldKind, (title: string, isChange: boolean) => string> = {
  publication_failed: (title, isChange) =>
    isChange ? `A change of “${title}” could not be sent to the site.` : `“${title}” could not be published.`,
  will_not_go_out: (title) => `“${title}” will not go out as planned.`,
  draft_waits: (title) => `“${title}” became a draft on its date. A person publishes it.`,
  approval_wanted: (title) => `“${title}” waits for your approval.`,
  decided: (title) => `Somebody decided about “${title}”.`,
  rewrite_ready: (title) => `A rewrite of “${title}” is ready for you to compare.`,
  work_failed: (title) => `Work on ${title} failed.`,
  connection_lapsed: (title) => `${title} no longer accepts the service’s access. Connect it again.`,
  credits_low: (title) => `Article credits are running low: ${title} left.`,
  exchange_asked: (title) =>
    `${title} takes part in the backlink exchange. Search engines may count exchanged links as a link scheme. Is that still what you want?`,
}

/** Sentences for actions that share their kind with others. A lapsed connection has the sentence of its kind. */
const ACTIONS: Partial<Record<AuditAction, (title: string) => string>> = {
  'approval.approved': (title) => `“${title}” was approved.`,
  'approval.expired': (title) => `Nobody approved “${title}” in time, so it was not sent.`,
  'approval.failed': (title) => `“${title}” was approved, but could not be sent.`,
  'approval.undecided': (title) =>
    `Nobody has decided about “${title}” for five days. In two days it will not be sent. Ask an owner to decide, or to name a deputy.`,
  'approval.returned': (title) => `“${title}” was sent back with a comment.`,
  'article.rollback_failed': (title) => `The earlier version of “${title}” could not be put live.`,
  'article.send_as_draft': (title) => `“${title}” was sent to the site as a draft. A person publishes it there.`,
  'article.unpublish_failed': (title) => `“${title}” could not be taken down from the site.`,
  'article.waits_for_policy': (title) => `“${title}” does not go out on its date, because the site is frozen.`,
  'article.writing_failed': (title) => `“${title}” could not be written.`,
  'article.written': (title) =>
    `“${title}” was written with an error, and does not go out before a person corrects it.`,
  'event_endpoint.pause': (title) =>
    `Events are no longer sent to ${title}, which did not accept them. See why, and resume it.`,
  'project.onboarding_failed': (title) => `A month of articles could not be planned for ${title}.`,
  'project.scan_failed': (title) => `The pages of ${title} could not be read.`,
  'social.failed': (title) => `The post “${title}” could not be published.`,
  'suggestion.fail': (title) => `The rewrite of “${title}” could not be made.`,
}

/** Returns the sentence of a notice. */
export const noticeSentence = ({ kind, action, title, isChange = false }: Omit<Told, 'path'>): string => {
  const isOfKind = kind === 'connection_lapsed' && action !== 'event_endpoint.pause'
  const ofAction = isOfKind || !action ? undefined : ACTIONS[action]
  return ofAction ? ofAction(title) : KINDS[kind](title, isChange)
}

/** Document that helps with a notice. */
const HELP_WITH: Record<ToldKind, string> = {
  publication_failed: HELP.trouble,
  will_not_go_out: HELP.trouble,
  draft_waits: HELP.trouble,
  decided: HELP.approvals,
  work_failed: HELP.trouble,
  approval_wanted: HELP.approvals,
  rewrite_ready: HELP.suggestions,
  connection_lapsed: HELP.connect,
  credits_low: HELP.plan,
  exchange_asked: '/docs/owners/backlinks',
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
  const sentence = (one: Told) => noticeSentence({ ...one, title: foreign(one.title) })
  const lines = told.map(
    (one) =>
      `${sentence(one)}\n${publicUrl}${one.path}\nHelp: ${publicUrl}${one.path === PATHS.eventEndpoints ? HELP.events : HELP_WITH[one.kind]}`,
  )
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
